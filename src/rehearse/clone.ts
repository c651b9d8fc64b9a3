import { sha256 } from '../lib/canonical.ts';
import { pick } from '../lib/objects.ts';
import type { Instant } from '../lib/time.ts';
import type { Device, DiscoveredDevice } from '../model/fleet/device.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { Assumed } from '../model/report/output.gen.ts';
import type { DeviceState, DiscoveredState, User, WorldState } from '../twin/world/state.ts';
import { cloneFirmware, type WantedVersions } from './clone-firmware.ts';
import { cloneCredentials, type Lives } from './clone-credentials.ts';
import { groupBy } from '../lib/group-by.ts';
import { TASK_OF } from '../model/fleet/task.ts';
import { newDeviceTask } from '../twin/http/tasks.ts';

export interface CloneInput {
  readonly snapshot: Snapshot;
  readonly memory: Memory;
  readonly organization: string;
  /** The instant at which the clone begins to live. */
  readonly at: Instant;
  readonly seed: number;
  readonly lives: Lives;
  readonly wanted: WantedVersions;
}

export interface Clone {
  readonly state: WorldState;
  readonly assumed: Assumed;
}

/**
 * The world of a simulator that answers as the service of this snapshot would: its devices, sites and
 * discovered devices, the firmware that is approved, dates of credentials, and the tasks that the ledger
 * has at work. What was not read is made up, and counted. Names and ids are data, whatever they are.
 */
export function cloneFleet(input: CloneInput): Clone {
  const { snapshot, at, seed, organization, memory } = input;
  const rows = Array.from({ length: snapshot.devices.length }, (_, row) =>
    snapshot.devices.at(row),
  );
  const credentials = cloneCredentials(rows, snapshot, { at, lives: input.lives });
  const firmware = cloneFirmware(rows, snapshot.facts, input.wanted);
  const state: WorldState = {
    version: 1,
    organization,
    signingKey: sha256(`rehearsal ${seed}`).slice(0, 43),
    users: [REHEARSER],
    random: seed,
    at,
    nextSequence: 1,
    sites: listSites(snapshot, rows),
    sources: snapshot.sources.map(({ id, name = '', type = '', version = '' }) => {
      return { id: numeric(id), name, type, version };
    }),
    lines: firmware.lines,
    devices: rows.map((row) => ({ ...toState(row, at), ...credentials.of(row.id) })),
    discovered: snapshot.discovered.map((found) => discover(found, at)),
    tasks: [],
    events: [],
    busy: {},
  };
  cloneTasks(state, memory, { at, userName: REHEARSER.userName });
  return { state, assumed: { ...credentials.assumed, targets: firmware.assumed } };
}

/** The only user of a clone: its credentials exist nowhere else. */
export const REHEARSER: User = {
  userName: 'Rehearsal',
  role: 'admin',
  clientId: 'rehearsal',
  clientSecret: 'rehearsal',
};

/** Sites of the list, and those that only devices name. */
function listSites({ sites, discovered }: Snapshot, rows: readonly Device[]): WorldState['sites'] {
  const refs = [
    ...rows.flatMap((row) => row.sites),
    ...discovered.flatMap(({ site }) => site ?? []),
  ];
  const named = new Map<string, string>(refs.map(({ id, name = '' }) => [id, name]));
  for (const { id, name = '' } of sites) named.set(id, name);
  return [...named].map(([id, name]) => {
    return { id: numeric(id), name, description: '', latitude: 0, longitude: 0 };
  });
}

/** A device that the service manages, or one that it has discovered, which shows its serial number. */
type Shown = Device & Pick<DiscoveredDevice, 'serial'>;

function toState(row: Shown, at: Instant): DeviceState {
  const { id, name = '', vendor = '', model = '', serial = '', deviceType = '' } = row;
  const { firmwareVersion = '' } = row;
  const { status = 'unknown', available, probe, storageServer, lastSeen = at } = row;
  const tasks = Object.entries(available).filter(([, isOffered]) => isOffered);
  const monitored = Object.entries(probe).filter(([, word]) => word !== 'unmonitored');
  const isRestartable = available.restartDevice === true;
  return {
    id,
    name,
    vendor,
    model,
    serial,
    deviceType,
    firmwareVersion,
    siteId: row.sites[0] ? numeric(row.sites[0].id) : 0,
    sourceIds: row.sources.map((source) => numeric(source.id)),
    host: '',
    ipAddress: '',
    macAddress: '',
    onboardedAt: at,
    maintenance: row.maintenanceMode ?? false,
    ...(storageServer !== undefined && { storageServer }),
    monitored: (monitored.length > 0
      ? monitored.map(([name]) => name)
      : ['host']) as DeviceState['monitored'],
    condition: readCondition(status, isRestartable),
    silent: false,
    lastSeen: Math.min(at, lastSeen),
    tasks: tasks.map(([task]) => task) as unknown as DeviceState['tasks'],
    accounts: [],
  };
}

/** A restart brings a silent device back where the service offers it. Any other word is unknown. */
function readCondition(status: string, isRestartable: boolean): DeviceState['condition'] {
  if (status === 'online') return 'well';
  if (status === 'partial') return 'stuck';
  if (status === 'offline') return isRestartable ? 'dark' : 'dead';
  return 'unknown';
}

function discover(found: DiscoveredDevice, at: Instant): DiscoveredState {
  const { id, sources = [], site } = found;
  const labels = pick(found, 'name', 'vendor', 'model', 'serial', 'deviceType');
  const sites = site ? [site] : [];
  const shown: Shown = {
    id,
    probe: {},
    sites,
    sources,
    available: {},
    status: 'online',
    ...labels,
  };
  return {
    device: toState(shown, at),
    onboardingStatus: (found.onboardingStatus ?? 'archived') as DiscoveredState['onboardingStatus'],
    discoveredAt: Math.min(at, found.discoveredAt ?? at),
  };
}

/**
 * The simulator's ids of sites are whole numbers; an id that is none stays as it is, and every answer
 * of the simulator repeats it.
 */
function numeric(id: string): number {
  const number = Number(id);
  return String(number) === id && Number.isSafeInteger(number) ? number : (id as unknown as number);
}

/** How long after the start the devices of a task at work begin again: one after the other. */
const BEGINS_AFTER = 1_000;

/**
 * Puts the tasks that the ledger has at work into a world: how far they had come is not known, so they
 * begin again at the start. Without them every such task would be lost, and in doubt.
 */
function cloneTasks(
  state: WorldState,
  memory: Memory,
  { at, userName }: { readonly at: Instant; readonly userName: string },
): void {
  const devices = new Map<string, DeviceState>();
  for (const device of state.devices) devices.set(device.id, device);
  for (const { device } of state.discovered) devices.set(device.id, device);
  const open = memory
    .open()
    .filter(({ taskId, phase }) => taskId !== undefined && phase !== 'inDoubt');
  for (const [id = '', intents] of groupBy(open, ({ taskId }) => taskId)) {
    const [first] = intents;
    if (!first) continue;
    const deviceTasks = intents.flatMap((intent, index) => {
      const device = devices.get(intent.device);
      if (!device) return [];
      const payload = intent.task === TASK_OF.firmware ? { targetVersion: intent.target } : {};
      return [newDeviceTask(`${id}-${index + 1}`, { device, payload })];
    });
    if (deviceTasks.length === 0) continue;
    const { task: type, attemptedAt: createdAt } = first;
    state.tasks.push({ id, type, userName, createdAt, vanished: false, deviceTasks });
    for (const deviceTask of deviceTasks) {
      const due = at + BEGINS_AFTER;
      const sequence = state.nextSequence;
      state.events.push({ due, sequence, taskId: id, deviceTaskId: deviceTask.id });
      state.nextSequence += 1;
    }
  }
}
