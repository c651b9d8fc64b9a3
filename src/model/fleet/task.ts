import type { Instant, Milliseconds } from '../../lib/time.ts';

/** What replaces something that ends or ages by itself. */
export type Credential = 'password' | 'certificate';

/** What documents say of a task type. All else that differs between task types is in its kind. */
interface TaskFacts {
  /** The section of the documents whose policies ask for it. */
  readonly section: 'firmware' | 'rotations' | 'onboarding' | 'restarts';
  /** What it replaces: only a certificate has a life that a share can be taken of. */
  readonly credential?: Credential;
  /** How long it may run, and how long its device may take to show it, where no rollout says so. */
  readonly running: Milliseconds;
  readonly verify: Milliseconds;
}

const MINUTE: Milliseconds = 60_000;
const QUARTER = 15 * MINUTE;

/** The one literal list of task types; the names are the service's. */
const LISTED = {
  rotateSslCertificate: {
    section: 'rotations',
    credential: 'certificate',
    running: 20 * MINUTE,
    verify: QUARTER,
  },
  rotatePassword: {
    section: 'rotations',
    credential: 'password',
    running: 20 * MINUTE,
    verify: QUARTER,
  },
  upgradeFirmware: { section: 'firmware', running: 60 * MINUTE, verify: 30 * MINUTE },
  restartDevice: { section: 'restarts', running: QUARTER, verify: QUARTER },
  onboardDevice: { section: 'onboarding', running: 30 * MINUTE, verify: QUARTER },
} as const satisfies Readonly<Record<string, TaskFacts>>;

export type TaskType = keyof typeof LISTED;

export const TASKS: Readonly<Record<TaskType, TaskFacts>> = LISTED;

export const TASK_TYPES = Object.keys(LISTED) as unknown as readonly [TaskType, ...TaskType[]];

/** The task types that policies of a section ask for. */
export type TaskIn<S extends TaskFacts['section']> = {
  [T in TaskType]: (typeof LISTED)[T]['section'] extends S ? T : never;
}[TaskType];

/** The task type of each section whose policies need not name one. */
export const TASK_OF = {
  firmware: 'upgradeFirmware',
  onboarding: 'onboardDevice',
  restarts: 'restartDevice',
} as const satisfies { readonly [S in 'firmware' | 'onboarding' | 'restarts']: TaskIn<S> };

/**
 * What the service's `availableTask` names beside our task types: read and reported, never acted
 * on.
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

/** How a device task ended. A word that is not in this list is never a success and never final. */
export type TaskResult = 'succeeded' | 'failed' | 'rolledBack' | 'aborted';

export const TASK_RESULTS: readonly TaskResult[] = ['succeeded', 'failed', 'rolledBack', 'aborted'];

/** One step of a device task, as far as the service shows it. */
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
  /** Under which id an onboarded device is managed, where the dialect says that the row shows it. */
  readonly onboardedId?: string;
  readonly steps?: readonly TaskStep[];
}

/**
 * A service task read over all its pages. `complete` is false where the set of ids did not equal
 * `total`.
 */
export interface ServiceTask {
  readonly taskId: string;
  readonly userName?: string;
  readonly deviceTasks: readonly DeviceTask[];
  readonly total: number;
}

/** One device of a request; `second` is what the dialect wants beside its id. */
export interface TaskEntry {
  readonly deviceId: string;
  readonly second?: string | number;
  readonly payload?: Payload;
}

/** What a POST asks for. Each device carries its own payload, or none and the default holds. */
export interface TaskRequest {
  readonly task: TaskType;
  readonly devices: readonly TaskEntry[];
  readonly defaultPayload?: Payload | null;
}

/**
 * A payload as it may be recorded: a secret in it is still a reference, resolved only at send
 * time.
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
