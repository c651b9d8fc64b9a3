import type { Reason } from './reason.ts';
import type { At, SourceLocation } from '../documents/source.ts';
import type { TaskType } from '../fleet/task.ts';

export const ACTIONS = ['run', 'wait', 'skip', 'note'] as const;
export type Action = (typeof ACTIONS)[number];

export const CAUSES = ['config', 'drift', 'clock', 'onboarding', 'detection', 'retry'] as const;
export type Cause = (typeof CAUSES)[number];

export const RISKS = ['low', 'medium', 'high'] as const;
export type Risk = (typeof RISKS)[number];

/**
 * How a change stands to the plan of a base commit on the same snapshot. `branch`: the documents
 * since then caused it, or changed what comes of it. `pending`: the base wants the very same.
 * `clock`: so too, and it is time alone that made it due. `dropped`: the base would do it, these
 * documents no longer do.
 */
export const GROUPS = ['branch', 'pending', 'clock', 'dropped'] as const;
export type ChangeGroup = (typeof GROUPS)[number];

/**
 * Observed or wanted values by field, flat: what a reviewer compares. No type in it can hold a
 * secret.
 */
export type Values = Readonly<Record<string, string | number | boolean | null>>;

/**
 * The device of a change, as much as people need to recognise it. For onboarding: the discovered
 * device.
 */
export interface DeviceLabel {
  readonly id: string;
  readonly name?: string;
  /** Names of its sites, joined with `, ` where there are several. */
  readonly site?: string;
  readonly vendor?: string;
  readonly model?: string;
  /** As the service calls it: a camera, an intercom, ...; the risk of a task depends on it. */
  readonly deviceType?: string;
}

/** The window that governs a change; `opens` is the next open instant, absent while it is open. */
export interface WindowRef {
  readonly name: string;
  readonly zone?: string;
  readonly opens?: string;
}

/** What the plan says about one device and one task. */
export interface Change {
  /** `<task>/<device id>` */
  readonly id: string;
  readonly task: TaskType;
  readonly device: DeviceLabel;
  readonly action: Action;
  readonly cause: Cause;
  readonly reason: Reason;
  /** The address of the policy that won; in a file it stands in `at` alone. */
  readonly policy: string;
  readonly at: At;
  readonly before: Values;
  readonly after: Values;
  /** With task and device: what makes two intents the same (protocol J10). */
  readonly target: string;
  readonly generation: number;
  /** Where `target` is a step on the way: the target in the end. It is in no file. */
  readonly finalTarget?: string;
  /** What evidence is compared with after an attempt; empty where the task type has none. */
  readonly marker: string;
  /** Digest of what the documents add to the payload of its POST; absent where they add nothing. */
  readonly payload?: string;
  readonly wave?: string;
  readonly window?: WindowRef;
  readonly risk: Risk;
  /** Policies that also select the device for this task and lost. */
  readonly losers?: readonly At[];
  /** Only in a plan that was compared with a base. */
  readonly group?: ChangeGroup;
  /** Guardrails counted it when its rollout began, and count it no more. */
  readonly covered?: true;
  /**
   * The changed lines that made the difference to the base; one that was taken away is named where the
   * base has it (`main:fleet/a.yaml`). Absent where nothing differs.
   */
  readonly lines?: readonly SourceLocation[];
}

/**
 * Changes as a view over columns: may be walked as often as wanted, never an array of a million
 * objects.
 */
export interface Changes extends Iterable<Change> {
  readonly length: number;
}

/** Devices about which there is nothing to do and one thing to say; counted, not listed. */
export interface NoteClass {
  readonly task: TaskType;
  readonly at: At;
  readonly reason: Reason;
  readonly count: number;
}

/** What a change is called: one task of one device. */
export function changeId(task: TaskType, deviceId: string): string {
  return `${task}/${deviceId}`;
}

/** Wanted changes are what apply is to do, now or later; the rest is said and left. */
export function isWanted({ action }: Pick<Change, 'action'>): boolean {
  return action === 'run' || action === 'wait';
}
