import { createFirmware, type Firmware } from './firmware.ts';
import { createVersions, type Versions } from './past-states.ts';
import { randomFrom, type SeededRandom } from './random.ts';
import type {
  DeviceState,
  DiscoveredState,
  SiteState,
  SourceState,
  TaskState,
  TaskType,
  Time,
  WorldState,
} from './state.ts';

/** What a rehearsal sets in a world: durations of tasks, and an observer of outages. */
export interface WorldWatch {
  /** How long the device task takes, in milliseconds; undefined: as the steps say. */
  readonly duration?: (type: TaskType, model: string, random: SeededRandom) => number | undefined;
  /** Called when a task silences a device, and when the device is back. */
  readonly onSilence?: (device: DeviceState, isSilent: boolean, at: Time) => void;
}

/** The state of a twin, indexed. The next request sees every change that a test makes here. */
export interface World {
  readonly state: WorldState;
  readonly firmware: Firmware;
  readonly random: SeededRandom;
  /** Divides the durations of tasks and reboots; timestamps are not scaled. */
  readonly timeScale: number;
  /** How often `lastSeen` moves, in milliseconds. */
  readonly refreshMs: number;
  readonly watch: WorldWatch;
  /** For stale reads. */
  readonly versions: Versions;
  device(deviceId: string): DeviceState | undefined;
  discovered(deviceId: string): DiscoveredState | undefined;
  site(siteId: number): SiteState | undefined;
  source(sourceId: number): SourceState | undefined;
  task(taskId: string): TaskState | undefined;
  /** The ID of a discovered device once it is onboarded. */
  onboardedId(deviceId: string): string;
  /** Call after adding or removing devices or discovered devices of `state`. */
  index(): void;
  addDevice(device: DeviceState): void;
  removeDiscovered(deviceId: string): void;
  addTask(task: TaskState): void;
  /** The world as data; the same text restores the same world. */
  save(): WorldState;
}

const REFRESH_MS = 60_000;

/** Opens a saved or seeded state as a world. The state is used in place, not copied. */
export function openWorld(
  state: WorldState,
  timeScale = 1,
  isRenaming = false,
  watch: WorldWatch = {},
): World {
  const devices = new Map<string, DeviceState>();
  const discovered = new Map<string, DiscoveredState>();
  const tasks = new Map(state.tasks.map((task) => [task.id, task]));
  const sites = new Map(state.sites.map((site) => [site.id, site]));
  const sources = new Map(state.sources.map((source) => [source.id, source]));
  const world: World = {
    state,
    firmware: createFirmware(state.lines),
    random: randomFrom(state.random),
    timeScale,
    refreshMs: Math.max(1000, Math.round(REFRESH_MS / timeScale / 1000) * 1000),
    watch,
    versions: createVersions(),
    device: (id) => devices.get(id),
    discovered: (id) => discovered.get(id),
    site: (id) => sites.get(id),
    source: (id) => sources.get(id),
    task: (id) => tasks.get(id),
    onboardedId: (id) => (isRenaming ? `managed-${id}` : id),
    index() {
      devices.clear();
      discovered.clear();
      for (const device of state.devices) devices.set(device.id, device);
      for (const found of state.discovered) discovered.set(found.device.id, found);
    },
    addDevice(device) {
      devices.set(device.id, device);
      state.devices.push(device);
    },
    removeDiscovered(id) {
      discovered.delete(id);
      state.discovered = state.discovered.filter((found) => found.device.id !== id);
    },
    addTask(task) {
      tasks.set(task.id, task);
      state.tasks.push(task);
    },
    save() {
      state.random = world.random.state;
      return structuredClone(state);
    },
  };
  // The ids of busy devices are any text, so their table has no prototype.
  state.busy = Object.assign(Object.create(null) as Record<string, string>, state.busy);
  world.index();
  return world;
}
