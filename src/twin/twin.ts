import { randomBytes } from 'node:crypto';
import type { Dialect } from '../dialect.gen.ts';
import { completeDialect } from './dialect/dialect.ts';
import { advanceWorld } from './engine.ts';
import type { Fault, FaultRule, RequestFault } from './faults/fault.ts';
import { createFaults, parseOccasion } from './faults/faults.ts';
import { seedFleet } from './fleet/fleet.ts';
import { withDialect } from './dialect/decode-request.ts';
import { takeIn } from './http/inbound.ts';
import { type Limiter, limitFamily, createLimiter } from './http/request-limits.ts';
import type { Answer, Manners } from './call.ts';
import { cacheRows } from './http/row-cache.ts';
import { type RouteContext, respond, router } from './http/routes.ts';
import { deviceOnWire } from './http/wire.ts';
import type { Time, User, WorldState } from './world/state.ts';
import { createUsers } from './http/users.ts';
import { type World, type WorldWatch, openWorld } from './world/world.ts';
import { answerInstead, applyAnswerFaults, tooMany } from './faults/replaced-answer.ts';
import { alterAnswer } from './faults/altered-answer.ts';

export interface TwinOptions {
  /**
   * The twin's only source of time. `wait` lets latency pass; without it, latency takes no time.
   */
  readonly clock: { now(): Time; wait?(ms: number): Promise<void> };
  /** A saved world, whose size and credentials replace the ones below. */
  readonly world?: WorldState;
  readonly devices?: number;
  readonly sites?: number;
  readonly seed?: number;
  readonly organization?: string;
  /**
   * One user for each role by default, with credentials from the seed, or random ones without a
   * seed.
   */
  readonly users?: readonly User[];
  readonly faults?: readonly FaultRule[];
  readonly onFault?: (fault: Fault) => void;
  readonly latencyMs?: number;
  /** Requests per second and endpoint family; no limit by default. */
  readonly rateLimit?: number;
  /** Divides the durations of tasks and reboots. Timestamps and `Date` are not scaled. */
  readonly timeScale?: number;
  readonly manners?: Partial<Manners>;
  /** Names where the documentation is open; the defaults without it. */
  readonly dialect?: Dialect;
  /** Whether tokens come with a refresh token, which the provider enables on request. */
  readonly refreshTokens?: boolean;
  /** Durations of tasks, and the observer of outages. */
  readonly watch?: WorldWatch;
  /** Makes the answers of operations; by default JSON. Rows of devices are shared by answers and read-only. */
  readonly respond?: (answer: Answer) => Response;
}

export interface Twin {
  /**
   * Resolves with an answer; rejects with `LostAnswer` or `LostRequest` if a fault breaks the
   * connection.
   */
  handle(request: Request): Promise<Response>;
  /** The current state, which tests may read and change. */
  readonly world: World;
  readonly organization: string;
  readonly users: readonly User[];
  /** The world as data, for a world file or `TwinOptions.world`. */
  save(): WorldState;
}

const MANNERS = { overLimit: 'clamp', unknownFilters: 'ignore' } as const;
const DEFAULTS = { devices: 1000, sites: 12, seed: 1, organization: 'acme' };

/**
 * Creates a twin from a saved world, or with a fleet from a seed. Only the given clock moves time:
 * the world advances to `now` at each request, so the same twin runs in real and in virtual time.
 */
export function createTwin(options: TwinOptions): Twin {
  const dialect = options.dialect ?? completeDialect();
  const isRenaming = dialect.onboardedId === 'unknown';
  const state = options.world ?? seedWorld(options);
  const world = openWorld(state, options.timeScale, isRenaming, options.watch);
  const now = (): Time => options.clock.now();
  const faults = createFaults(options.faults ?? [], {
    seed: options.seed ?? DEFAULTS.seed,
    now,
    onFault: options.onFault,
  });
  const { maxDevicesPerTask } = dialect;
  const manners: Manners = { ...MANNERS, maxDevicesPerTask, ...options.manners };
  const refreshTokens = options.refreshTokens ?? false;
  const toRow = options.respond ? cacheRows() : deviceOnWire;
  const answering = { toRow, respond: options.respond ?? respond };
  const service = { world, faults, manners, refreshTokens, now, ...answering };
  const handle = createHandler(service, {
    latencyMs: options.latencyMs ?? 0,
    limiter: createLimiter(options.rateLimit),
    wait: async (ms) => options.clock.wait?.(ms),
  });
  return {
    handle: withDialect(handle, (request, isForToken) => takeIn(request, service, isForToken), {
      dialect,
      world,
    }),
    get world() {
      advanceWorld(world, now());
      return world;
    },
    organization: world.state.organization,
    users: world.state.users,
    save() {
      advanceWorld(world, now());
      return world.save();
    },
  };
}

function seedWorld(options: TwinOptions): WorldState {
  const { devices, sites, seed, organization, clock, users } = { ...DEFAULTS, ...options };
  const at = clock.now();
  const fleet = seedFleet({ devices, sites, seed, now: at });
  return {
    version: 1,
    organization,
    signingKey: randomBytes(32).toString('base64url'),
    users: users ?? createUsers(1, options.seed),
    ...fleet,
    at,
    nextSequence: 1,
    tasks: [],
    events: [],
    busy: {},
  };
}

/** The connection between clients and the service. */
interface Line {
  readonly latencyMs: number;
  readonly limiter: Limiter;
  /** Resolves after this many milliseconds on the twin's clock. */
  readonly wait: (ms: number) => Promise<void>;
}

/**
 * The whole service as one function. Resolves with an answer of any status; rejects with a
 * `LostConnection` if the fault script breaks the connection. Every answer has the twin's own
 * `Date`, unless the script sets another.
 */
function createHandler(service: RouteContext, line: Line): (request: Request) => Promise<Response> {
  const route = router(service);
  return async (request) => {
    const { method, url } = request;
    const { body, refusal } = await takeIn(request, service);
    const faults = refusal ? [] : service.faults.forRequest(parseOccasion(method, url, body));
    await delay(line, faults);
    const answer =
      answerInstead(faults) ??
      overRate(service, line, new URL(url).pathname) ??
      (refusal
        ? respond(refusal.answer)
        : await alterAnswer(await route(request, { body, faults }), faults));
    return dated(await applyAnswerFaults(answer, faults), service.now());
  };
}

async function delay({ latencyMs, wait }: Line, faults: readonly RequestFault[]): Promise<void> {
  const added = faults.map((fault) => (fault.type === 'latency' ? fault.ms : 0));
  const ms = added.reduce((sum, one) => sum + one, latencyMs);
  if (ms > 0) await wait(ms);
}

function overRate(service: RouteContext, { limiter }: Line, path: string): Response | undefined {
  const waitMs = limiter(limitFamily(path), service.now());
  return waitMs === 0 ? undefined : tooMany(Math.ceil(waitMs / 1000));
}

function dated(answer: Response, now: number): Response {
  if (!answer.headers.has('Date')) answer.headers.set('Date', new Date(now).toUTCString());
  return answer;
}
