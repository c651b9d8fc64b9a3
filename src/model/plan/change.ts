import type { CountedAs } from './counting.ts';
import type { ChangeGroup, ChangeParts, Passed } from './plan.gen.ts';
import type { Reason } from './reason.ts';
import type { Instant } from '../../lib/time.ts';
import { TASKS, type TaskType } from '../fleet/task.ts';

export type { ChangeGroup, DeviceLabel, NoteClass, Passed, Values, WindowRef } from './plan.gen.ts';

export const ACTIONS = ['run', 'wait', 'skip', 'note'] as const;
export type Action = (typeof ACTIONS)[number];

export const CAUSES = ['config', 'drift', 'clock', 'onboarding', 'detection', 'retry'] as const;
export type Cause = (typeof CAUSES)[number];

export const RISKS = ['low', 'medium', 'high'] as const;
export type Risk = (typeof RISKS)[number];

/** How a change compares with the plan of a base commit on the same snapshot. */
export const GROUPS = [
  'branch',
  'pending',
  'clock',
  'dropped',
] as const satisfies readonly ChangeGroup[];

/** What may hold a change back and is passed, as a plan names it. */
export type PassedWhat = Passed['what'];

/**
 * What an approval of a change binds of it: all but budgets. Whether an exception is needed for a budget depends on
 * what else runs, and it names the devices and the limit itself.
 */
export function boundPassed({ passes = [] }: Pick<Change, 'passes'>): readonly Passed[] {
  return passes.filter(({ what }) => what !== 'budget' && what !== 'singleton');
}

/** A text that differs where what is passed, or its rule, does. */
export function passedKey({ what, name = '', rule }: Passed): string {
  return [what, name, rule].join('\n');
}

/** The decision about one device and one task. */
export interface Change extends Omit<ChangeParts, 'action' | 'countedFrom'> {
  readonly action: Action;
  /** The address of the policy that won; in a file only `at` has it. */
  readonly policy: string;
  /** The final target where `target` is an upgrade step; files do not contain it. */
  readonly finalTarget?: string;
  /**
   * Guardrails do not count it yet, but from the day before this instant on: its own day, or the end
   * of a freeze or hold. Absent: they count it now.
   */
  readonly countedFrom?: Instant;
  /** How guardrails count it; files do not contain it. */
  readonly countedAs?: CountedAs;
}

/** A change as a walk over a large plan sees it: what is its own, and what it shares by a number. */
export interface ChangeRow {
  /**
   * Changes of one kind differ in nothing but their device and the instants of their reason and of
   * guardrails; whether there is an instant is the same for all. Whatever reads nothing of these is found once for each kind.
   */
  readonly kind: number;
  /** The first change of its kind. */
  readonly like: Change;
  readonly deviceId: string;
  /** The name of its site; the empty text if it has none. */
  readonly site: string;
  readonly since: Instant | undefined;
  readonly next: Reason['next'];
  readonly reason: Reason;
  readonly countedFrom: Instant | undefined;
  /** The whole change. */
  change(): Change;
}

/** The changes of one kind: the first, and how many there are. */
export interface ChangeKind {
  readonly change: Change;
  readonly count: number;
}

/**
 * A view of the changes over columns that can be iterated repeatedly, because an array of a million
 * objects is too large.
 */
export interface Changes extends Iterable<Change> {
  readonly length: number;
  /** The same changes, without the object of each; absent where they are not in columns. */
  readonly rows?: Iterable<ChangeRow>;
  /** By kind, in the order of their numbers; absent where they are not in columns. */
  readonly kinds?: readonly ChangeKind[];
}

/** The ID of a change: one task of one device. */
export function changeId(task: TaskType, deviceId: string): string {
  return `${task}/${deviceId}`;
}

/**
 * Whether a plan read nothing for this change of a credential, because the documents themselves ask
 * for it: the last look reads its target and its values before (semantics N11, N56).
 */
export function isReadLate({ task, before }: Pick<Change, 'task' | 'before'>): boolean {
  return TASKS[task].credential !== undefined && Object.keys(before).length === 0;
}

/** Apply runs these changes, now or later; the others are only reported. */
export function isWanted({ action }: Pick<Change, 'action'>): boolean {
  return action === 'run' || action === 'wait';
}
