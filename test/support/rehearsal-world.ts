import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTexts } from '../../src/config/load.ts';
import { TransportError, type Transport } from '../../src/model/ports.ts';
import type { Documents } from '../../src/model/documents/policy.ts';
import type { LiftFlags } from '../../src/operations/intervene/lift.ts';
import { parseDuration } from '../../src/lib/time.ts';
import { createVirtualClock, type VirtualClock } from '../../src/rehearse/virtual-clock.ts';
import type { FaultRule } from '../../src/twin/faults/fault.ts';
import { enqueue } from '../../src/twin/engine.ts';
import type {
  DeviceState,
  DiscoveredState,
  TaskState,
  WorldState,
} from '../../src/twin/world/state.ts';
import { completeDialect } from '../../src/twin/dialect/dialect.ts';
import { createTwin, type Twin } from '../../src/twin/twin.ts';
import type { PartFlags } from '../../src/plan/part/resolve-part.ts';
import type { StopPoint } from './effects.ts';
import { mergeCommit, type Merged } from './rehearsal-gate.ts';
import { StoreDouble } from './store-double.ts';
import { CLIENT_SECRETS } from './canary.ts';
import { PAYLOAD_VARIABLE } from './canary-run.ts';
import { overFetch } from '../../src/model/http.ts';

/** `script.json` of a rehearsal folder. */
export interface Script {
  /** The one idea, as a sentence. */
  readonly about: string;
  readonly devices: number;
  readonly sites: number;
  /** What every device has, then what single ones have. */
  readonly every?: Partial<DeviceState>;
  readonly edit?: Readonly<Record<string, Partial<DeviceState>>>;
  /** Other ids than those of the seed. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly discovered?: Readonly<Record<string, DiscoveredState['onboardingStatus']>>;
  readonly faults?: readonly FaultRule[];
  /** What the service speaks; the documents say the same. */
  readonly dialect?: Parameters<typeof completeDialect>[0];
  /** One run of apply each. */
  readonly runs: readonly ScriptedRun[];
}

/** What happens before a run of apply, in this order, and what it is told to do. */
export interface ScriptedRun {
  /**
   * `new`: a plan is made before all else and approved, and this run applies it as a file; `again`:
   * it applies the last one that was approved. Absent: `apply` without a file.
   */
  readonly file?: 'new' | 'again';
  /** The part of the fleet that is planned, or that this run is limited to. */
  readonly part?: PartFlags;
  /** The part that the run of a new plan is limited to, beside that of the plan. */
  readonly narrow?: PartFlags;
  /** Devices that somebody else has the service restart. */
  readonly restarted?: readonly string[];
  /** How long nobody runs. */
  readonly after?: string;
  /** Devices whose stuck task ends well meanwhile. */
  readonly finish?: readonly string[];
  /** What somebody else changes on devices meanwhile. */
  readonly edit?: Readonly<Record<string, Partial<DeviceState>>>;
  /** The documents from here on: another file of the folder. */
  readonly documents?: string;
  /** Between two polls; two minutes without. */
  readonly pollEvery?: string;
  /** How long this run stays for what may start later. */
  readonly wait?: string;
  /** How long this run goes on looking for evidence about what is in doubt. */
  readonly watch?: string;
  /** Where the process of this run dies. */
  readonly dies?: StopPoint;
  /** `unpause SCOPE --reason [--ticket]`, before the run or while it is at work. */
  readonly lift?: ScriptedLift;
  /** A look at the documents as they are merged, under this name; before the run. */
  readonly look?: string;
  /** The gates of these looks are passed, in this order; before the run. */
  readonly approve?: readonly string[];
  /** `withdraw` of the plan of a look, or of a policy by its address; before the run. */
  readonly withdraw?: string;
  /** Nothing runs in this step. */
  readonly idle?: true;
  /** `pause SCOPE --reason`, before the run or while it is at work. */
  readonly pause?: ScriptedPause;
}

/** What a person lets go on. */
export interface ScriptedLift extends LiftFlags {
  /** How long after the run began; absent: before it. */
  readonly at?: string;
}

/** What a person pauses. */
export interface ScriptedPause {
  readonly scope: string;
  /** IDs of sites. */
  readonly sites?: readonly string[];
  readonly reason: string;
  readonly ticket?: string;
  /** How long it holds. */
  readonly for?: string;
  /** How long after the run began; absent: before it. */
  readonly at?: string;
}

export interface Rehearsal {
  readonly name: string;
  readonly script: Script;
  readonly documents: Documents;
  /** The commits of the default branch, newest first. */
  readonly merged?: readonly Merged[];
}

/** Everything that outlives a process: the service, the ledger, and time. */
export interface RehearsalWorld {
  readonly clock: VirtualClock;
  readonly twin: Twin;
  readonly store: StoreDouble;
}

export const START = Date.parse('2026-11-10T01:00:00Z');
export const REHEARSALS = new URL('../rehearsals/', import.meta.url).pathname;
const ADMIN = {
  userName: 'Ada Admin',
  role: 'admin',
  clientId: 'a',
  clientSecret: CLIENT_SECRETS.admin,
} as const;

export const CREDENTIALS = { clientId: ADMIN.clientId, clientSecret: ADMIN.clientSecret };

/** The names of all rehearsal folders, in order. */
export function rehearsals(): readonly string[] {
  return readdirSync(REHEARSALS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

/** Reads a rehearsal folder; documents with findings are a mistake in the folder. */
export function readRehearsal(name: string): Rehearsal {
  const script = JSON.parse(readFileSync(join(REHEARSALS, name, 'script.json'), 'utf8')) as Script;
  const documents = readDocuments(name, 'fleet.yaml');
  return { name, script, documents, merged: mergeCommit(documents, []) };
}

/** The documents in a file of a rehearsal folder; each is parsed once, however often it is asked for. */
export function readDocuments(name: string, file: string): Documents {
  const path = join(REHEARSALS, name, file);
  const known = PARSED.get(path);
  if (known) return known;
  const text = readFileSync(path, 'utf8');
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/fleet.yaml', text }]);
  if (!documents) throw new Error(`${name}/${file}: ${JSON.stringify(diagnostics)}`);
  const planted = withSecrets(documents);
  PARSED.set(path, planted);
  return planted;
}

/** The same wants, with a secret in every payload that may have one: no ending depends on it. */
function withSecrets(documents: Documents): Documents {
  const rotations = [...documents.rotations].map(([name, entry]) => {
    const payload = { ...entry.value.payload, password: { fromEnv: PAYLOAD_VARIABLE } };
    return [name, { ...entry, value: { ...entry.value, payload } }] as const;
  });
  return { ...documents, rotations: new Map(rotations) };
}

const PARSED = new Map<string, Documents>();

/** A fresh world as the script wants it; the same script gives the same world. */
export function createWorld({
  devices,
  sites,
  every,
  edit,
  discovered,
  faults,
  dialect,
  ids,
}: Script): RehearsalWorld {
  const clock = createVirtualClock(START);
  const options = {
    clock: { now: () => clock.now(), wait: (ms: number) => clock.inside.sleep(ms) },
    devices,
    sites,
    seed: 1,
    users: [ADMIN],
    ...(faults && { faults }),
    dialect: completeDialect(dialect),
  };
  const seeded = createTwin(options);
  const twin = ids ? createTwin({ ...options, world: withIds(seeded.save(), ids) }) : seeded;
  for (const device of twin.world.state.devices) {
    Object.assign(device, every, edit?.[device.id]);
    device.lastSeen = edit?.[device.id]?.lastSeen ?? START;
  }
  for (const [id, onboardingStatus] of Object.entries(discovered ?? {})) {
    const found = twin.world.discovered(id);
    if (!found) throw new Error(`nothing discovered is called ${id}`);
    found.onboardingStatus = onboardingStatus;
  }
  return { clock, twin, store: new StoreDouble() };
}

function withIds(state: WorldState, ids: Readonly<Record<string, string>>): WorldState {
  const devices = state.devices.map((device) => ({ ...device, id: ids[device.id] ?? device.id }));
  return { ...state, devices };
}

/**
 * The way to the twin: what its faults break is a failure after the first byte, unless it says
 * itself how far the request got.
 */
export function transportTo({ twin, clock }: RehearsalWorld): Transport {
  const send = overFetch((request) => twin.handle(request));
  return (request) =>
    clock.track(
      send(request).catch((error: unknown) => {
        if (error instanceof TransportError) throw error;
        throw new TransportError('sent', 'ECONNRESET', { cause: error });
      }),
    );
}

/** What happens in the world before a run of the script. */
export function pass(
  { clock, twin }: RehearsalWorld,
  { after, finish = [], edit = {}, restarted = [] }: ScriptedRun,
): void {
  for (const id of restarted) restartAsAnother(twin, id, clock.now());
  clock.skip(after === undefined ? 0 : (parseDuration(after) ?? 0));
  for (const id of finish) finishWork(twin, id);
  for (const [id, changed] of Object.entries(edit)) {
    const device = twin.world.device(id);
    if (!device) throw new Error(`no device is called ${id}`);
    Object.assign(device, changed);
  }
}

/** Somebody else's task begins; nobody but the service knows of it. */
function restartAsAnother({ world }: Twin, deviceId: string, now: number): void {
  const device = world.device(deviceId);
  if (!device) throw new Error(`no device is called ${deviceId}`);
  const { id, name, model, host, siteId } = device;
  const task: TaskState = {
    id: `another-${id}-${now}`,
    type: 'restartDevice',
    userName: 'Somebody Else',
    createdAt: now,
    vanished: false,
    deviceTasks: [
      {
        id: `another-${id}-${now}-1`,
        deviceId: id,
        deviceName: name,
        deviceModel: model,
        deviceHost: host,
        siteId,
        payload: {},
        status: 'pending',
        result: null,
        fate: 'failed',
        steps: [],
        current: 0,
      },
    ],
  };
  world.addTask(task);
  enqueue(world, task);
}

/** The task that is stuck on a device has its effect and ends well after all. */
function finishWork({ world }: Twin, deviceId: string): void {
  const device = world.device(deviceId);
  for (const { deviceTasks } of world.state.tasks) {
    const work = deviceTasks.find((one) => one.deviceId === deviceId && one.status === 'running');
    if (!work || !device) continue;
    work.status = 'completed';
    work.result = 'succeeded';
    device.firmwareVersion = String(work.payload['targetVersion']);
    device.silent = false;
  }
}
