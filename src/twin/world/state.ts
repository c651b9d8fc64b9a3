import type { components } from '../../service.gen.ts';
import {
  anObject,
  anyText,
  fields,
  flag,
  growing,
  hex,
  list,
  type Made,
  nullable,
  number,
  oneOf,
  optional,
  type Rule,
  texts,
  textsByName,
  time,
  whole,
} from '../shape-rules.ts';

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
const CONDITION = oneOf('well', 'stuck', 'dark', 'dead', 'unknown');
export type Condition = Made<typeof CONDITION>;

const ACCOUNT = fields({ userName: anyText, lastChanged: time, expiry: time });
export type Account = Made<typeof ACCOUNT>;

/** The input of a certificate; the PEM text is made on reading. */
const ISSUE = fields({ serial: hex, notBefore: time, notAfter: time });
export type Issue = Made<typeof ISSUE>;

const DEVICE = fields({
  id: anyText,
  name: anyText,
  vendor: anyText,
  model: anyText,
  serial: anyText,
  deviceType: anyText,
  firmwareVersion: anyText,
  siteId: whole,
  /** Empty if orphaned. */
  sourceIds: list(whole),
  host: anyText,
  ipAddress: anyText,
  macAddress: anyText,
  onboardedAt: time,
  hardenedAt: optional(time),
  maintenance: flag,
  storageServer: optional(anyText),
  /** Probes that this device has; the others are unmonitored. */
  monitored: texts<Probe>(),
  condition: CONDITION,
  /** Rebooting or flashing: no probe reports, whatever the condition. */
  silent: flag,
  /** As last stored; `lastSeenOf` computes it while the device reports. */
  lastSeen: time,
  tasks: texts<AvailableTask>(),
  accounts: list(ACCOUNT),
  ssl: optional(ISSUE),
  dot1x: optional(ISSUE),
});
export type DeviceState = Made<typeof DEVICE>;

const DISCOVERED = fields({
  onboardingStatus: oneOf<Schemas['OnboardingStatus']>(
    'readyToOnboard',
    'enrichmentRequired',
    'archived',
  ),
  discoveredAt: time,
  /** The managed device that it becomes, with its current ID. */
  device: DEVICE,
});
export type DiscoveredState = Made<typeof DISCOVERED>;

const SITE = fields({
  id: whole,
  name: anyText,
  description: anyText,
  latitude: number,
  longitude: number,
});
export type SiteState = Made<typeof SITE>;

const SOURCE = fields({ id: whole, name: anyText, type: anyText, version: anyText });
export type SourceState = Made<typeof SOURCE>;

/** A vulnerability of all versions before `fixedIn`. */
const FLAW = fields({
  cveId: anyText,
  severity: anyText as Rule<Schemas['Severity']>,
  fixedIn: anyText,
  description: anyText,
  reportDate: anyText,
});
export type Flaw = Made<typeof FLAW>;

/** What a service approves for one version, with the whole path to each. */
const TARGETS = fields({ from: anyText, paths: list(texts()) });
export type GivenTargets = Made<typeof TARGETS>;

/** Models that share their firmware. Versions are opaque; the list gives their order. */
const LINE = fields({
  vendor: anyText,
  models: texts(),
  /** Oldest first. */
  releases: texts(),
  approved: texts(),
  /** Versions that no upgrade may skip. */
  waypoints: texts(),
  lifeCycle: anyText as Rule<Schemas['LifeCycleStatus']>,
  eosDate: optional(anyText),
  replacement: optional(anyText),
  /** Versions whose targets and paths are given; the others follow from the lists above. */
  targets: optional(list(TARGETS)),
  flaws: list(FLAW),
});
export type ProductLine = Readonly<Made<typeof LINE>>;

/**
 * One effect of a step on its device, as plain data, so that a world can be saved at any moment.
 */
export type DeviceEffect =
  | {
      readonly do:
        'silence' | 'return' | 'unstick' | 'heal' | 'password' | 'certificate' | 'manage';
    }
  | { readonly do: 'firmware'; readonly version: string };

const EFFECT = fields({
  do: oneOf(
    'silence',
    'return',
    'unstick',
    'heal',
    'firmware',
    'password',
    'certificate',
    'manage',
  ),
  version: optional(anyText),
}) as Rule<DeviceEffect>;

const STEP = fields({
  name: anyText,
  /** Divided by the time scale already. */
  ms: number,
  onStart: list(EFFECT),
  onEnd: list(EFFECT),
  fails: flag,
  /** Never ends. */
  stuck: flag,
  message: optional(anyText),
  status: oneOf('runPending', 'runInProgress', 'runSucceeded', 'runFailed', 'runSkipped'),
  startedAt: optional(time),
  endedAt: optional(time),
});
export type StepState = Made<typeof STEP>;

/** The outcome that a fault script injects into a device task. */
export type InjectedOutcome = 'stuck' | 'liar' | Exclude<TaskResult, 'succeeded'>;

const RESULT = oneOf<TaskResult>('succeeded', 'failed', 'rolledBack', 'aborted');

const DEVICE_TASK = fields({
  id: anyText,
  deviceId: anyText,
  deviceName: anyText,
  deviceModel: anyText,
  deviceHost: anyText,
  siteId: whole,
  payload: anObject,
  mishap: optional(anyText as Rule<InjectedOutcome>),
  /** The result to report at the end, although the work is done. */
  thankless: optional(RESULT as Rule<Exclude<TaskResult, 'succeeded'>>),
  status: oneOf('pending', 'running', 'completed'),
  result: nullable(RESULT),
  /** Its result at the end, known once it has started. */
  fate: RESULT,
  steps: growing(STEP),
  current: whole,
});
export type DeviceTaskState = Made<typeof DEVICE_TASK>;

const TASK = fields({
  id: anyText,
  type: anyText as Rule<TaskType>,
  userName: anyText,
  createdAt: time,
  /** Reads return 404, while the work continues. */
  vanished: flag,
  /** Reads return 404 before this instant. */
  unknownUntil: optional(time),
  deviceTasks: list(DEVICE_TASK),
});
export type TaskState = Made<typeof TASK>;

/** The next event of a device task. */
const EVENT = fields({ due: time, sequence: whole, taskId: anyText, deviceTaskId: anyText });

const ROLE = oneOf('admin', 'operator', 'viewer');
export type Role = Made<typeof ROLE>;

const USER = fields({
  userName: anyText,
  role: ROLE,
  clientId: anyText,
  clientSecret: anyText,
  /** The only sites that the user sees; all if absent. */
  siteIds: optional(list(whole)),
});
export type User = Readonly<Made<typeof USER>>;

/** A whole world as data: the content of a world file, and what a value in it must be. */
export const WORLD = fields({
  version: oneOf(1),
  organization: anyText,
  /** The key that signs tokens, in base64url. */
  signingKey: anyText,
  users: list(USER),
  random: number,
  /** The instant up to which the world has run. */
  at: time,
  nextSequence: whole,
  sites: growing(SITE),
  sources: growing(SOURCE),
  lines: list(LINE),
  devices: growing(DEVICE),
  discovered: growing(DISCOVERED),
  tasks: growing(TASK),
  /** Soonest first. */
  events: growing(EVENT),
  /** The task that works on a device right now, by device. It has no prototype, for an id is any text. */
  busy: textsByName,
});
export type WorldState = Made<typeof WORLD>;

export type FleetState = Pick<WorldState, 'sites' | 'sources' | 'lines' | 'devices' | 'discovered'>;
