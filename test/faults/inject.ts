import { TransportError } from '../../src/model/ports.ts';
import { applyExternalChanges } from '../../src/twin/faults/external-edit.ts';
import { alterAnswer } from '../../src/twin/faults/altered-answer.ts';
import type { Twin } from '../../src/twin/twin.ts';
import type { RehearsalWorld } from '../support/rehearsal-world.ts';
import type { StoreDouble, Trouble } from '../support/store-double.ts';
import type { Endpoint, Injection } from './classes.ts';

/**
 * When a fault happens: once the moment has come, at the nth such request from then on, at every
 * one, or at none, so that they are only counted.
 */
export interface Aim {
  readonly endpoint: Endpoint;
  readonly nth: number | 'every' | 'none';
  /** Whether the moment has come, by what was answered so far. */
  readonly from: 'start' | 'completed';
  /** For the ledger's store: what an append must hold, and how it then goes wrong. */
  readonly append?: { readonly of: RegExp; readonly trouble: Trouble | 'passes' };
}

export interface Injected {
  readonly world: RehearsalWorld;
  /** What everybody who watches the process does as well. */
  watched(): unknown;
  /** Ends the fault. */
  disarm(): void;
  /** How often it has happened. */
  readonly hits: number;
  /** How many calls there were that it could have happened to. */
  readonly seen: number;
}

const PATHS: Readonly<Record<Exclude<Endpoint, 'ledger store'>, RegExp>> = {
  token: /^POST \/v1\/auth\//,
  list: /^GET \/v1\/devices$/,
  'read device': /^GET \/v1\/devices\/[^/]+$/,
  'create task': /^POST \/v1\/tasks$/,
  'read task': /^GET \/v1\/tasks\//,
};

/** The same world, with a service that fails where it is aimed at. */
export function inject(world: RehearsalWorld, injection: Injection, aim: Aim): Injected {
  const { twin } = world;
  const past = new Map<string, Response[]>();
  let armed = true;
  let come = aim.from === 'start';
  let seen = 0;
  let hits = 0;
  const isHit = (request: Request): boolean => {
    const what = `${request.method} ${new URL(request.url).pathname}`;
    if (!armed || !come || aim.endpoint === 'ledger store' || !PATHS[aim.endpoint].test(what))
      return false;
    seen += 1;
    return aim.nth === 'every' || seen === aim.nth;
  };
  const handle = async (request: Request): Promise<Response> => {
    const key = `${request.method} ${request.url}`;
    if (isHit(request)) {
      hits += 1;
      return failing(injection, { request, world, earlier: past.get(key) ?? [] });
    }
    const answer = await twin.handle(request);
    past.set(key, [...(past.get(key) ?? []), answer.clone()]);
    if (PATHS['read task'].test(`${request.method} ${new URL(request.url).pathname}`)) {
      come ||= (await answer.clone().text()).includes('"completed"');
    }
    return answer;
  };
  const failingTwin = Object.assign(Object.create(twin) as Twin, { handle });
  const failsNow = (): boolean => {
    seen += Number(armed);
    const isHit = armed && (aim.nth === 'every' || seen === aim.nth);
    hits += Number(isHit);
    return isHit;
  };
  return {
    world: { ...world, twin: failingTwin, store: failingStore(world.store, aim, failsNow) },
    watched: () => {
      const isFailing = armed && hits > 0 && 'watchers' in injection;
      return isFailing ? failingWatcher(injection) : undefined;
    },
    disarm: () => {
      armed = false;
    },
    get hits() {
      return hits;
    },
    get seen() {
      return seen;
    },
  };
}

/** Throws, or is one of those that promise and then do not keep it. */
function failingWatcher({ watchers, what }: Extract<Injection, { watchers: unknown }>): unknown {
  if (watchers === 'throw') throw what;
  return Promise.reject(what);
}

/** A ledger in which the appends that are aimed at go wrong. */
function failingStore(
  store: StoreDouble,
  { append: aimed }: Aim,
  failsNow: () => boolean,
): StoreDouble {
  if (aimed === undefined) return store;
  const append: StoreDouble['append'] = (records, onHead) => {
    const isAimedAt = records.some(({ body }) => aimed.of.test(body.type));
    const { trouble } = aimed;
    if (isAimedAt && failsNow() && trouble !== 'passes') store.troubles.push(trouble);
    return store.append(records, onHead);
  };
  return Object.assign(Object.create(store) as StoreDouble, { append });
}

interface Hit {
  readonly request: Request;
  readonly world: RehearsalWorld;
  /** What the same request was answered before. */
  readonly earlier: readonly Response[];
}

async function failing(injection: Injection, { request, world, earlier }: Hit): Promise<Response> {
  const { twin, clock } = world;
  if ('throws' in injection) {
    if (injection.effect) await twin.handle(request);
    if (injection.ms) await clock.inside.sleep(injection.ms);
    throw new TransportError(injection.throws, injection.code);
  }
  if ('status' in injection) {
    if (injection.effect) await twin.handle(request);
    const { status, text = null, headers } = injection;
    const json = { 'content-type': 'application/json', date: new Date(clock.now()).toUTCString() };
    return new Response(text, { status, headers: { ...json, ...headers } });
  }
  if ('edits' in injection) {
    const truth = await twin.handle(request);
    const headers = new Headers(truth.headers);
    if (injection.type) headers.set('content-type', injection.type);
    return new Response(injection.edits(await truth.text()), { status: truth.status, headers });
  }
  if ('tampers' in injection) return alterAnswer(await twin.handle(request), [injection.tampers]);
  if ('disturbs' in injection) {
    applyExternalChanges(twin.world, [injection.disturbs], clock.now());
    return twin.handle(request);
  }
  if ('asks' in injection) {
    const url = new URL(request.url);
    injection.asks(url.searchParams);
    return twin.handle(new Request(url, request));
  }
  if ('special' in injection) return special(injection.special, { request, world, earlier });
  return twin.handle(request);
}

async function special(
  what: 'twice' | 'foreign' | 'stale',
  { request, world, earlier }: Hit,
): Promise<Response> {
  const { twin } = world;
  if (what === 'stale') return earlier.at(-1)?.clone() ?? twin.handle(request);
  if (what === 'twice') {
    await twin.handle(request.clone() as Request);
    return twin.handle(request);
  }
  await twin.handle(request);
  const [other] = twin.world.state.tasks;
  return Response.json({ taskId: other?.id });
}
