import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../../src/cli/program/run-command-line.ts';
import { createVirtualClock, type VirtualClock } from '../../src/rehearse/virtual-clock.ts';
import { createStopSignal } from '../../src/shell/stop-signal.ts';
import type { Output, Shell } from '../../src/shell/shell.ts';
import { TransportError } from '../../src/model/ports.ts';
import { computeOnce } from '../../src/lib/compute-once.ts';
import type { Instant, Milliseconds } from '../../src/lib/time.ts';
import type { FaultRule } from '../../src/twin/faults/fault.ts';
import type { Handle } from './served.ts';
import { completeDialect } from '../../src/twin/dialect/dialect.ts';
import { createTwin, type Twin } from '../../src/twin/twin.ts';
import type { DeviceState, User, WorldState } from '../../src/twin/world/state.ts';
import { CLIENT_SECRETS } from './canary.ts';
import { scratchFolder } from './scratch.ts';
import { overFetch } from '../../src/model/http.ts';

/** Monday evening, before the hour at which windows open. */
export const EVENING: Instant = Date.parse('2026-11-23T20:00:00Z');

const ADMIN = {
  userName: 'Ada Admin',
  role: 'admin',
  clientId: 'a',
  clientSecret: CLIENT_SECRETS.admin,
} as const;

export interface NightSettings {
  readonly devices: number;
  readonly sites: number;
  /** What each device has; called once for each, in order. */
  readonly every?: (device: DeviceState, index: number) => Partial<DeviceState>;
  readonly faults?: readonly FaultRule[];
  readonly start?: Instant;
  /** What the twin speaks. */
  readonly dialect?: Parameters<typeof completeDialect>[0];
  /** Stands between every command and the twin. */
  readonly through?: (request: Request, handle: Handle) => Promise<Response>;
  /** Who logs in; an admin without it. */
  readonly user?: User;
  /** Variables beside the credentials. */
  readonly env?: Readonly<Record<string, string>>;
  /** A saved world, in the place of `devices` and `sites`. */
  readonly world?: WorldState;
  /** What a person at a terminal answers; without it there is no terminal. */
  readonly answer?: string;
  /** Runs the command lines: the one of our sources without it. */
  readonly run?: typeof run;
}

/** What one command did. */
export interface Command {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  /** Its requests as `GET /v1/devices`, tokens too. */
  readonly requests: readonly string[];
  /** How long it took, in the virtual time of the night. */
  readonly took: Milliseconds;
}

/** An operator with the whole command line, a fleet, and a folder, in virtual time. */
export interface Night {
  readonly twin: Twin;
  readonly folder: string;
  now(): Instant;
  /** Time during which no command runs. */
  skip(ms: Milliseconds): void;
  write(path: string, text: string): void;
  read(path: string): string;
  /** A command line as an operator types it: words, where no argument has a space. */
  run(
    command: string | readonly string[],
    options?: { readonly columns?: number },
  ): Promise<Command>;
}

/**
 * A night with the commands themselves: documents, a ledger in a directory, facts and plans in files, and a twin that
 * answers in no time. Time advances only when every command sleeps and no file is being read or written, so what takes
 * time is the pace of the documents and the tasks of the devices.
 */
export function createNight(settings: NightSettings): Night {
  const night = coldNight(settings);
  return {
    ...night,
    async run(command, options) {
      await (warm ??= loadModules(settings));
      return night.run(command, options);
    },
  };
}

let warm: Promise<void> | undefined;

/**
 * Commands load their modules when they need them, and the clock cannot see that: so a small night is lived through
 * first, whose time nobody looks at.
 */
async function loadModules({ run }: Pick<NightSettings, 'run'>): Promise<void> {
  const night = coldNight({
    ...(run && { run }),
    devices: 6,
    sites: 1,
    every: () => ({ condition: 'well', deviceType: 'camera', tasks: ['rotatePassword'] }),
  });
  night.write('fleet/fleet.yaml', WARMING);
  for (const command of [
    'plan -o plan.json',
    'show plan.json --format md',
    'apply plan.json --yes',
    'pause fleet --reason warm',
    'apply --yes',
    'unpause fleet --reason warm',
    'ci plan --out ci.json --report ci.html',
    'ci drift --out drift.json',
    'drift',
    'status',
    'why dev-1',
  ])
    await night.run(command);
}

const WARMING = `service: {baseUrl: "https://twin.test", organization: acme}
incidents:
  warm: {rotate: password, select: {deviceType: camera}, since: "2026-11-23T20:00:00Z", until: "2026-11-25T06:00:00Z",
         expect: 6, reason: warm, owner: secops, ticket: SEC-1}
`;

function coldNight(settings: NightSettings): Night {
  const clock = createNightClock(settings.start ?? EVENING);
  const {
    user = ADMIN,
    through = (request, handle) => handle(request),
    run: runLine = run,
  } = settings;
  const folder = scratchFolder('night');
  writeFileSync(join(folder, '.gitconfig'), '[user]\n\tname = Ada\n');
  const twin = createTwin({
    clock: { now: () => clock.now(), wait: (ms) => clock.sleep(ms) },
    devices: settings.devices,
    sites: settings.sites,
    seed: 1,
    users: [user],
    ...(settings.dialect && { dialect: completeDialect(settings.dialect) }),
    ...(settings.faults && { faults: settings.faults }),
    ...(settings.world && { world: settings.world }),
  });
  twin.world.state.devices.forEach((device, index) => {
    Object.assign(device, settings.every?.(device, index));
  });
  let processes = 0;
  const atWork = new Set<number>();
  return {
    twin,
    folder,
    now: () => clock.now(),
    skip: (ms) => clock.skip(ms),
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    async run(command, { columns = 80 } = {}) {
      const [out, err] = [outputOf(columns), outputOf(columns)];
      const requests: string[] = [];
      const began = clock.monotonic();
      const pid = (processes += 1);
      const shell: Shell = {
        env: {
          FLEETFORM_CLIENT_ID: user.clientId,
          FLEETFORM_CLIENT_SECRET: user.clientSecret,
          NO_COLOR: '1',
          HOME: folder,
          PATH: process.env['PATH'],
          ...settings.env,
        },
        cwd: folder,
        out,
        err,
        ask: settings.answer === undefined ? undefined : async () => settings.answer ?? '',
        clock,
        random: sequence(pid),
        stop: createStopSignal(),
        identity: {
          host: 'runner',
          pid,
          startedAt: String(pid),
          label: `operator ${pid}`,
          isAlive: (other) => atWork.has(other),
        },
        openTransport: () =>
          Promise.resolve({
            transport: overFetch((request) => {
              requests.push(`${request.method} ${new URL(request.url).pathname}`);
              return clock.track(
                through(request, (sent) => twin.handle(sent)).catch(toTransportError),
              );
            }),
            close: () => Promise.resolve(),
          }),
      };
      atWork.add(pid);
      const exit = await clock.run(
        runLine(typeof command === 'string' ? command.split(' ') : command, shell),
      );
      atWork.delete(pid);
      return { exit, out: out.text(), err: err.text(), requests, took: clock.monotonic() - began };
    },
  };
}

function toTransportError(error: unknown): never {
  if (error instanceof TransportError) throw error;
  throw new TransportError('sent', 'ECONNRESET', { cause: error });
}

function outputOf(columns: number): Output & { text(): string } {
  let all = '';
  return {
    write: (text) => void (all += text),
    isTerminal: false,
    columns,
    text: () => all,
  };
}

/** Numbers from 0 to 1 without chance. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** The virtual clock of a rehearsal, for commands that use files and processes as well. */
function createNightClock(start: Instant): VirtualClock {
  const idle = countWork();
  return createVirtualClock(start, { isBusy: () => countWork() > idle });
}

/** Counts what is at work; a night asks for it at every turn of the event loop. */
function countWork(): number {
  let count = 0;
  for (const resource of process.getActiveResourcesInfo()) if (isWork(resource)) count += 1;
  return count;
}

/** Files, compression, cryptography, processes, and what loads TypeScript; not what a worker of the tests always has. */
const isWork = computeOnce((resource: string) =>
  /^(FSReq|CloseReq|MessagePort|Zlib|Process|HTTP|TCP|Pipe)/.test(resource),
);
