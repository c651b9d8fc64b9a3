import { loadTexts } from '../../src/config/load.ts';
import type { Documents } from '../../src/model/documents/policy.ts';
import { createVirtualClock, type VirtualClock } from '../../src/rehearse/virtual-clock.ts';
import type { DeviceState } from '../../src/twin/world/state.ts';
import { createTwin, type Twin } from '../../src/twin/twin.ts';
import { chanceOf, type Chance } from './chance.ts';
import type { Brief } from './brief.ts';
import { draft } from './drafting.ts';
import { faultsOf } from './faults.ts';
import { featuresOf, type Feature } from './features.ts';
import { Ledger } from './ledger.ts';
import { CREDENTIALS } from './process.ts';
import { textOf, type Wishes } from './wishes.ts';
import { createTurnstile, type Turnstile } from './wire.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const OURS = 'Ada Admin';
export const OTHER = 'Otto Operator';

/** A commit of the documents: what was wished from a moment on. */
export interface Commit {
  readonly at: number;
  readonly wishes: Wishes;
  /** Loaded when a process first wants them: many a commit is replaced before. */
  readonly documents: Documents;
}

/** Everything that outlives a process: the service, the ledger, the repository, and time. */
export interface Scene {
  readonly seed: number;
  readonly has: ReadonlySet<Feature>;
  readonly brief: Brief;
  readonly clock: VirtualClock;
  readonly turnstile: Turnstile;
  readonly ledger: Ledger;
  readonly commits: Commit[];
  /** Phase two has begun: nothing goes wrong any more. */
  readonly calmed: { is: boolean };
  /** How often each kind of fault struck. */
  readonly struck: Map<string, number>;
  twin: Twin;
}

/** The world of a seed before anything happens in it. */
export function setScene(seed: number): Scene {
  const has = featuresOf(seed);
  const chance = chanceOf(seed, 'scene');
  const start = startOf(seed, has);
  const devices = sizeOf(chance.next(), chance);
  const sites = has.has('manySites') ? chance.int(2, Math.max(2, Math.min(12, devices))) : 1;
  const clock = createVirtualClock(start);
  const turnstile = createTurnstile(clock);
  const ids = Array.from({ length: devices }, (_, index) => `dev-${index + 1}`);
  const struck = new Map<string, number>();
  const twin = createTwin({
    clock: { now: () => clock.now(), wait: (ms) => turnstile.wait(ms) },
    devices,
    sites,
    seed,
    users: [
      { userName: OURS, role: 'admin', ...CREDENTIALS },
      { userName: OTHER, role: 'admin', clientId: 'o', clientSecret: 'o' },
    ],
    faults: faultsOf(seed, has, ids),
    onFault: ({ type }) => void struck.set(type, (struck.get(type) ?? 0) + 1),
    ...(has.has('rateLimit') && { rateLimit: 3 }),
  });
  const { state } = twin.world;
  state.discovered = state.discovered.slice(
    0,
    Math.max(chanceOf(seed, 'discovered').int(4, 10), devices),
  );
  twin.world.index();
  if (has.has('oneModel')) state.devices.forEach(alike(state.devices));
  for (const device of state.devices) {
    device.lastSeen = Math.min(device.lastSeen, start);
    if (has.has('calm')) Object.assign(device, { condition: 'well', maintenance: false });
  }
  const brief: Brief = {
    seed,
    has,
    start,
    end: start + chance.magnitude(1, 21) * DAY,
    sites: state.sites.map(({ name }) => name),
    devices: ids,
    discovered: state.discovered.map(({ device }) => device.id),
  };
  const scene: Scene = {
    seed,
    has,
    brief,
    clock,
    turnstile,
    ledger: new Ledger(),
    commits: [],
    calmed: { is: false },
    struck,
    twin,
  };
  commit(scene, draft(brief));
  return scene;
}

/** Makes a device one of the same make as the first camera: what is learnt of one model counts for the next. */
function alike(devices: readonly DeviceState[]): (device: DeviceState) => void {
  const camera = devices.find(({ deviceType }) => deviceType === 'camera') ?? devices[0];
  if (!camera) return () => undefined;
  const { vendor, model, deviceType, firmwareVersion, monitored, tasks } = camera;
  const make = { vendor, model, deviceType, firmwareVersion, monitored, tasks };
  return (device) => void Object.assign(device, make);
}

/** Puts documents in force from now on. */
export function commit(scene: Scene, wishes: Wishes): void {
  let loaded: Documents | undefined;
  scene.commits.push({
    at: scene.clock.now(),
    wishes,
    get documents() {
      return (loaded ??= load(scene, wishes));
    },
  });
}

/** A draft with findings is a mistake of the generator. */
function load({ seed }: Scene, wishes: Wishes): Documents {
  const { documents, diagnostics } = loadTexts([
    { path: 'fleet/fleet.yaml', text: textOf(wishes) },
  ]);
  if (!documents) throw new Error(`seed ${seed}: ${JSON.stringify(diagnostics)}`);
  return documents;
}

/** The documents in force. */
export function head({ commits }: Scene): Commit {
  const last = commits.at(-1);
  if (!last) throw new Error('nothing was committed');
  return last;
}

/**
 * From now on no fault happens: the same world, answered by a service in good order. Its chance goes
 * on where it is, or the ids of its first tasks would come again.
 */
export function endFaults(scene: Scene): void {
  const { clock, turnstile, twin, calmed } = scene;
  calmed.is = true;
  twin.world.state.random = twin.world.random.state;
  scene.twin = createTwin({
    clock: { now: () => clock.now(), wait: (ms) => turnstile.wait(ms) },
    world: twin.world.state,
  });
}

/**
 * Small scope is where interleavings are found: a mistake that two runs and a lost answer make shows
 * itself on three devices, and a processor lives through three such lives for one of twenty devices. So
 * nine fleets in ten have at most eight devices, one in a hundred has more than 25, and one in two
 * thousand is as large as they come.
 */
function sizeOf(draw: number, chance: Chance): number {
  if (draw < 0.0005) return chance.int(500, 2_000);
  if (draw < 0.01) return chance.magnitude(25, 200);
  return draw < 0.1 ? chance.magnitude(8, 25) : chance.magnitude(1, 8);
}

/** Days on which clocks change somewhere. */
const CHANGES = [
  '2026-03-07',
  '2026-03-28',
  '2026-04-04',
  '2026-09-05',
  '2026-10-24',
  '2026-10-31',
];

function startOf(seed: number, has: ReadonlySet<Feature>): number {
  const chance = chanceOf(seed, 'start');
  if (!has.has('clockChange')) return Date.UTC(2026, 0, 1) + chance.int(0, 365 * 24 * 60) * 60_000;
  return Date.parse(`${chance.pick(CHANGES)}T00:00:00Z`) + chance.int(0, 24 * 60) * 60_000;
}
