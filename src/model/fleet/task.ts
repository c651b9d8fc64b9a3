import { MINUTE, type Instant, type Milliseconds } from '../../lib/time.ts';

/** Credentials that expire or age. */
export type Credential = 'password' | 'certificate';

/**
 * The facts of a task type that documents need. Its kind has all other differences between task
 * types.
 */
interface TaskFacts {
  /** The section of the documents whose policies request it. */
  readonly section: 'firmware' | 'rotations' | 'onboarding' | 'restarts';
  /** The credential that it replaces; only a certificate has a lifetime to take a share of. */
  readonly credential?: Credential;
  /** The default timeouts: for the task itself, and for its device to show the effect. */
  readonly running: Milliseconds;
  readonly verify: Milliseconds;
  /** How long it takes where no ledger says it (semantics N86). */
  readonly usual: Milliseconds;
}

const QUARTER = 15 * MINUTE;

/** The one literal list of task types; the names are the service's. */
const LISTED = {
  rotateSslCertificate: {
    section: 'rotations',
    credential: 'certificate',
    running: 20 * MINUTE,
    verify: QUARTER,
    usual: MINUTE / 2,
  },
  rotatePassword: {
    section: 'rotations',
    credential: 'password',
    running: 20 * MINUTE,
    verify: QUARTER,
    usual: MINUTE / 3,
  },
  upgradeFirmware: {
    section: 'firmware',
    running: 60 * MINUTE,
    verify: 30 * MINUTE,
    usual: 5 * MINUTE,
  },
  restartDevice: { section: 'restarts', running: QUARTER, verify: QUARTER, usual: 1.5 * MINUTE },
  onboardDevice: { section: 'onboarding', running: 30 * MINUTE, verify: QUARTER, usual: MINUTE },
} as const satisfies Readonly<Record<string, TaskFacts>>;

export type TaskType = keyof typeof LISTED;

export const TASKS: Readonly<Record<TaskType, TaskFacts>> = LISTED;

export const TASK_TYPES = Object.keys(LISTED) as unknown as readonly [TaskType, ...TaskType[]];

/** The task types that replace a credential. */
export function tasksReplacing(credential: string): readonly TaskType[] {
  return TASK_TYPES.filter((task) => TASKS[task].credential === credential);
}

/** The task types that policies of a section request. */
export type TaskIn<S extends TaskFacts['section']> = {
  [T in TaskType]: (typeof LISTED)[T]['section'] extends S ? T : never;
}[TaskType];

/** The task type of each section whose policies may omit it. */
export const TASK_OF = {
  firmware: 'upgradeFirmware',
  onboarding: 'onboardDevice',
  restarts: 'restartDevice',
} as const satisfies { readonly [S in 'firmware' | 'onboarding' | 'restarts']: TaskIn<S> };

/**
 * Names in the service's `availableTask` that are not task types of fleetform: read and reported,
 * never started.
 */
export const AVAILABLE_TASKS = [
  'hardenDevice',
  'restartDevice',
  'rotate8021xCertificate',
  'rotatePassword',
  'rotateSslCertificate',
  'upgradeFirmware',
] as const;

export type AvailableTask = (typeof AVAILABLE_TASKS)[number];

/**
 * The result of a device task. A word that is not in this list is never a success and never final.
 */
export type TaskResult = 'succeeded' | 'failed' | 'rolledBack' | 'aborted';

export const TASK_RESULTS: readonly TaskResult[] = ['succeeded', 'failed', 'rolledBack', 'aborted'];

/** One step of a device task, with the fields that the service returns. */
export interface TaskStep {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
}

/**
 * The work of a service task on one device. `status` and `result` are the service's words as they
 * came.
 */
export interface DeviceTask {
  readonly deviceTaskId: string;
  readonly deviceId: string;
  readonly status: string;
  readonly result: string | null;
  readonly currentStepStatus?: string;
  readonly taskType?: string;
  readonly createdAt?: Instant;
  /**
   * The ID under which an onboarded device is managed, where the dialect names the field of the
   * row.
   */
  readonly onboardedId?: string;
  readonly steps?: readonly TaskStep[];
}

/** A service task read over all its pages. */
export interface ServiceTask {
  readonly taskId: string;
  readonly userName?: string;
  readonly deviceTasks: readonly DeviceTask[];
  /** Rows that were not understood: the ID of each device, or the empty text where it is unknown. */
  readonly unread?: readonly string[];
  readonly total: number;
}

/** One device of a request; `second` is the field that the dialect requires beside its ID. */
export interface TaskEntry {
  readonly deviceId: string;
  readonly second?: string | number;
  readonly payload?: Payload;
}

/** The body of a POST. Each device has its own payload or the default. */
export interface TaskRequest {
  readonly task: TaskType;
  readonly devices: readonly TaskEntry[];
  readonly defaultPayload?: Payload | null;
}

/**
 * A payload that may be recorded: its secrets are references, which are resolved only at send time.
 */
export type Payload = { readonly [key: string]: PayloadValue };
export type PayloadValue =
  | string
  | number
  | boolean
  | null
  | { readonly fromEnv: string }
  | readonly PayloadValue[]
  | { readonly [key: string]: PayloadValue };
