import type { components } from '../../service.gen.ts';

type Schemas = components['schemas'];
export type TaskType = Schemas['TaskType'];
export type TaskResult = Schemas['DeviceTaskResult'];
export type AvailableTask = keyof NonNullable<Schemas['Device']['availableTask']>;
export type Probe = keyof NonNullable<Schemas['Device']['probe']>;
export type Status = Schemas['Status'];

/** Milliseconds since the epoch, on the twin's clock. */
export type Time = number;

/**
 * How a device is. `stuck`: one probe hangs. `dark`: silent, but its switch can power-cycle it.
 * `dead`: silent and out of reach. `unknown`: nobody has heard of its probes yet.
 */
export type Condition = 'well' | 'stuck' | 'dark' | 'dead' | 'unknown';

export interface Account {
  userName: string;
  lastChanged: Time;
  expiry: Time;
}

/** What a certificate is made from; the PEM itself is made when it is read. */
export interface Issue {
  serial: string;
  notBefore: Time;
  notAfter: Time;
}

/** A device as it truly is. */
export interface DeviceState {
  readonly id: string;
  name: string;
  vendor: string;
  model: string;
  serial: string;
  deviceType: string;
  firmwareVersion: string;
  siteId: number;
  /** Empty: orphaned. */
  sourceIds: readonly number[];
  host: string;
  ipAddress: string;
  macAddress: string;
  onboardedAt: Time;
  hardenedAt?: Time;
  maintenance: boolean;
  storageServer?: string;
  /** Probes that exist on this device; the others are unmonitored. */
  monitored: readonly Probe[];
  condition: Condition;
  /** Rebooting or flashing: nothing reports, whatever the condition. */
  silent: boolean;
  /** As last written; while a device reports, the clock says more (see `lastSeenOf`). */
  lastSeen: Time;
  tasks: readonly AvailableTask[];
  accounts: readonly Account[];
  ssl?: Issue;
  dot1x?: Issue;
}

export interface DiscoveredState {
  onboardingStatus: Schemas['OnboardingStatus'];
  discoveredAt: Time;
  /** What it becomes under management, with the id that it has already. */
  readonly device: DeviceState;
}

export interface SiteState {
  readonly id: number;
  name: string;
  description: string;
  latitude: number;
  longitude: number;
}

export interface SourceState {
  readonly id: number;
  name: string;
  type: string;
  version: string;
}

/** A vulnerability of all versions before `fixedIn`. */
export interface Flaw {
  readonly cveId: string;
  readonly severity: Schemas['Severity'];
  readonly fixedIn: string;
  readonly description: string;
  readonly reportDate: string;
}

/** Models that share their firmware. Versions are opaque; their order is the order of the list. */
export interface ProductLine {
  readonly vendor: string;
  readonly models: readonly string[];
  /** Oldest first. */
  readonly releases: readonly string[];
  readonly approved: readonly string[];
  /** Versions that no upgrade may jump over. */
  readonly waypoints: readonly string[];
  readonly lifeCycle: Schemas['LifeCycleStatus'];
  readonly eosDate?: string;
  readonly replacement?: string;
  readonly flaws: readonly Flaw[];
}

/**
 * One effect of a step on its device; a union of plain data, so that a world can be saved at any
 * moment.
 */
export type DeviceEffect =
  | { readonly do: 'silence' }
  | { readonly do: 'return' }
  | { readonly do: 'unstick' }
  | { readonly do: 'heal' }
  | { readonly do: 'firmware'; readonly version: string }
  | { readonly do: 'password' }
  | { readonly do: 'certificate' }
  | { readonly do: 'manage' };

export interface StepState {
  readonly name: string;
  /** Already divided by the time scale. */
  readonly ms: number;
  readonly onStart: readonly DeviceEffect[];
  readonly onEnd: readonly DeviceEffect[];
  readonly fails: boolean;
  /** Never ends. */
  readonly stuck: boolean;
  readonly message?: string;
  status: 'runPending' | 'runInProgress' | 'runSucceeded' | 'runFailed' | 'runSkipped';
  startedAt?: Time;
  endedAt?: Time;
}

/** What a fault script wants of one device task. */
export type InjectedOutcome = 'stuck' | 'liar' | Exclude<TaskResult, 'succeeded'>;

export interface DeviceTaskState {
  readonly id: string;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly deviceModel: string;
  readonly deviceHost: string;
  readonly siteId: number;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly mishap?: InjectedOutcome;
  /** Reported so at the end, though the work is done. */
  readonly thankless?: Exclude<TaskResult, 'succeeded'>;
  status: 'pending' | 'running' | 'completed';
  result: TaskResult | null;
  /** How it will end, known once it has started. */
  fate: TaskResult;
  steps: StepState[];
  current: number;
}

export interface TaskState {
  readonly id: string;
  readonly type: TaskType;
  readonly userName: string;
  readonly createdAt: Time;
  /** Nobody can read it any more; its work goes on. */
  vanished: boolean;
  /** Nobody can find it before. */
  readonly unknownUntil?: Time;
  readonly deviceTasks: readonly DeviceTaskState[];
}

/** The next thing to happen to a device task. */
export interface WorldEvent {
  readonly due: Time;
  readonly sequence: number;
  readonly taskId: string;
  readonly deviceTaskId: string;
}

export type Role = 'admin' | 'operator' | 'viewer';

export interface User {
  readonly userName: string;
  readonly role: Role;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The only sites that the user sees; absent: all. */
  readonly siteIds?: readonly number[];
}

/** The fleet part of a world. */
export interface FleetState {
  sites: SiteState[];
  sources: SourceState[];
  lines: readonly ProductLine[];
  devices: DeviceState[];
  discovered: DiscoveredState[];
}

/** A whole world as data: what a world file holds. */
export interface WorldState extends FleetState {
  readonly version: 1;
  readonly organization: string;
  /** Signs tokens; base64url. */
  readonly signingKey: string;
  readonly users: readonly User[];
  /** State of the seeded chance. */
  random: number;
  /** Up to when the world has lived. */
  at: Time;
  nextSequence: number;
  tasks: TaskState[];
  /** Soonest first. */
  events: WorldEvent[];
  /** The task that works on a device right now, by device. */
  readonly busy: Record<string, string>;
}
