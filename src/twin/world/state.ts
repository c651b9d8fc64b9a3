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
 * The condition of a device. `stuck`: one probe hangs. `dark`: silent, but its switch can
 * power-cycle it. `dead`: silent and unreachable. `unknown`: its probes have never reported.
 */
export type Condition = 'well' | 'stuck' | 'dark' | 'dead' | 'unknown';

export interface Account {
  userName: string;
  lastChanged: Time;
  expiry: Time;
}

/** The input of a certificate; the PEM text is made on reading. */
export interface Issue {
  serial: string;
  notBefore: Time;
  notAfter: Time;
}

export interface DeviceState {
  readonly id: string;
  name: string;
  vendor: string;
  model: string;
  serial: string;
  deviceType: string;
  firmwareVersion: string;
  siteId: number;
  /** Empty if orphaned. */
  sourceIds: readonly number[];
  host: string;
  ipAddress: string;
  macAddress: string;
  onboardedAt: Time;
  hardenedAt?: Time;
  maintenance: boolean;
  storageServer?: string;
  /** Probes that this device has; the others are unmonitored. */
  monitored: readonly Probe[];
  condition: Condition;
  /** Rebooting or flashing: no probe reports, whatever the condition. */
  silent: boolean;
  /** As last stored; `lastSeenOf` computes it while the device reports. */
  lastSeen: Time;
  tasks: readonly AvailableTask[];
  accounts: readonly Account[];
  ssl?: Issue;
  dot1x?: Issue;
}

export interface DiscoveredState {
  onboardingStatus: Schemas['OnboardingStatus'];
  discoveredAt: Time;
  /** The managed device that it becomes, with its current ID. */
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

/** Models that share their firmware. Versions are opaque; the list gives their order. */
export interface ProductLine {
  readonly vendor: string;
  readonly models: readonly string[];
  /** Oldest first. */
  readonly releases: readonly string[];
  readonly approved: readonly string[];
  /** Versions that no upgrade may skip. */
  readonly waypoints: readonly string[];
  readonly lifeCycle: Schemas['LifeCycleStatus'];
  readonly eosDate?: string;
  readonly replacement?: string;
  readonly flaws: readonly Flaw[];
  /** Versions whose targets and paths are given; the others follow from the lists above. */
  readonly targets?: readonly GivenTargets[];
}

/** What a service approves for one version, with the whole path to each. */
export interface GivenTargets {
  readonly from: string;
  readonly paths: readonly (readonly string[])[];
}

/**
 * One effect of a step on its device, as plain data, so that a world can be saved at any moment.
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
  /** Divided by the time scale already. */
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

/** The outcome that a fault script injects into a device task. */
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
  /** The result to report at the end, although the work is done. */
  readonly thankless?: Exclude<TaskResult, 'succeeded'>;
  status: 'pending' | 'running' | 'completed';
  result: TaskResult | null;
  /** Its result at the end, known once it has started. */
  fate: TaskResult;
  steps: StepState[];
  current: number;
}

export interface TaskState {
  readonly id: string;
  readonly type: TaskType;
  readonly userName: string;
  readonly createdAt: Time;
  /** Reads return 404, while the work continues. */
  vanished: boolean;
  /** Reads return 404 before this instant. */
  readonly unknownUntil?: Time;
  readonly deviceTasks: readonly DeviceTaskState[];
}

/** The next event of a device task. */
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
  /** The only sites that the user sees; all if absent. */
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

/** A whole world as data: the content of a world file. */
export interface WorldState extends FleetState {
  readonly version: 1;
  readonly organization: string;
  /** The key that signs tokens, in base64url. */
  readonly signingKey: string;
  readonly users: readonly User[];
  random: number;
  /** The instant up to which the world has run. */
  at: Time;
  nextSequence: number;
  tasks: TaskState[];
  /** Soonest first. */
  events: WorldEvent[];
  /** The task that works on a device right now, by device. It has no prototype, for an id is any text. */
  busy: Record<string, string>;
}
