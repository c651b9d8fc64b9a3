import type { Instant } from '../../lib/time.ts';

/** The one literal list of task types; the names are the service's. */
export const TASK_TYPES = [
  'rotateSslCertificate',
  'rotatePassword',
  'upgradeFirmware',
  'restartDevice',
  'onboardDevice',
] as const;

export type TaskType = (typeof TASK_TYPES)[number];

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
