import type { CountedAs } from './counting.ts';
import type { Reason } from './reason.ts';
import type { Instant } from '../../lib/time.ts';
import type { Passable } from '../documents/passes.ts';
import type { At, SourceLocation } from '../documents/source.ts';
import type { LabelField } from '../fleet/device.ts';
import { TASKS, type TaskType } from '../fleet/task.ts';

export const ACTIONS = ['run', 'wait', 'skip', 'note'] as const;
export type Action = (typeof ACTIONS)[number];

export const CAUSES = ['config', 'drift', 'clock', 'onboarding', 'detection', 'retry'] as const;
export type Cause = (typeof CAUSES)[number];

export const RISKS = ['low', 'medium', 'high'] as const;
export type Risk = (typeof RISKS)[number];

/**
 * How a change compares with the plan of a base commit on the same snapshot. `branch`: the
 * documents since then caused it, or changed its result. `pending`: the base has the same change.
 * `clock`: the base has it too, and only time made it due. `dropped`: the base has it, these
 * documents do not.
 */
export const GROUPS = ['branch', 'pending', 'clock', 'dropped'] as const;
export type ChangeGroup = (typeof GROUPS)[number];

/**
 * Observed or target values by field, flat, for reviewers to compare. No type in it can contain a
 * secret.
 */
export type Values = Readonly<Record<string, string | number | boolean | null>>;

/**
 * The device of a change, with the fields that people recognize it by. For onboarding: the
 * discovered device.
 */
export interface DeviceLabel extends Readonly<Partial<Record<LabelField, string>>> {
  readonly id: string;
  readonly name?: string;
  /** Names of its sites, joined with `, ` where there are several. */
  readonly site?: string;
}

/** The window of a change; `opens` is the next open instant, absent while it is open. */
export interface WindowRef {
  readonly name: string;
  readonly zone?: string;
  readonly opens?: string;
}

/** What may hold a change back and is passed, as a plan names it. */
export type PassedWhat = Passable | 'gate' | 'canary' | 'pause' | 'singleton' | 'budget';

/** A protection that a change passes when it starts, and the rule by which it does (semantics M26). */
export interface Passed {
  readonly what: PassedWhat;
  /** The freeze, the windows, the wave, the gate or the budget; absent where there is only one. */
  readonly name?: string;
  /** `expiryGuard`, or the address of an exception, an incident or a policy. */
  readonly rule: string;
}

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
export interface Change {
  /** `<task>/<device id>` */
  readonly id: string;
  readonly task: TaskType;
  readonly device: DeviceLabel;
  readonly action: Action;
  readonly cause: Cause;
  readonly reason: Reason;
  /** The address of the policy that won; in a file only `at` has it. */
  readonly policy: string;
  readonly at: At;
  readonly before: Values;
  readonly after: Values;
  /** With task and device, this identifies an intent (protocol J10). */
  readonly target: string;
  readonly generation: number;
  /** The final target where `target` is an upgrade step; files do not contain it. */
  readonly finalTarget?: string;
  /**
   * The value that evidence is compared with after an attempt; empty where the task type has none.
   */
  readonly marker: string;
  /** Digest of the part of the POST payload that documents add; absent where they add nothing. */
  readonly payload?: string;
  readonly wave?: string;
  readonly window?: WindowRef;
  /** What it passes when it starts; absent where it passes nothing. */
  readonly passes?: readonly Passed[];
  readonly risk: Risk;
  /** Policies that also select the device for this task and lost. */
  readonly losers?: readonly At[];
  /** What a person approves of it; absent where the commit is the approval (semantics N71). */
  readonly outcome?: string;
  /** Only in a plan that was compared with a base. */
  readonly group?: ChangeGroup;
  /** When an earlier run read the value that the decision uses; absent if this run read it, or none was needed. */
  readonly factAt?: string;
  /** Guardrails counted it when its rollout started and do not count it again. */
  readonly covered?: true;
  /**
   * Guardrails do not count it yet, but from the day before this instant on: its own day, or the end
   * of a freeze or hold. Absent: they count it now.
   */
  readonly countedFrom?: Instant;
  /** How guardrails count it; files do not contain it. */
  readonly countedAs?: CountedAs;
  /**
   * The changed lines of the entries that apply to it; a removed line has its location in
   * the base (`main:fleet/a.yaml`). Absent where there is no difference.
   */
  readonly lines?: readonly SourceLocation[];
}

/** A change as a walk over a large plan sees it: what is its own, and what it shares by a number. */
export interface ChangeRow {
  /**
   * Changes of one kind differ in nothing but their device and the instants of their reason and of
   * guardrails; whether there is an instant is the same for all. Whatever reads nothing of these is found once for each kind.
   */
  readonly kind: number;
  readonly deviceId: string;
  /** The name of its site; the empty text if it has none. */
  readonly site: string;
  readonly since: Instant | undefined;
  readonly next: Reason['next'];
  readonly countedFrom: Instant | undefined;
  /** The whole change. */
  change(): Change;
}

/**
 * A view of the changes over columns that can be iterated repeatedly, because an array of a million
 * objects is too large.
 */
export interface Changes extends Iterable<Change> {
  readonly length: number;
  /** The same changes, without the object of each; absent where they are not in columns. */
  readonly rows?: Iterable<ChangeRow>;
}

/** Devices without a change that share one note; counted, not listed. */
export interface NoteClass {
  readonly task: TaskType;
  readonly at: At;
  readonly reason: Reason;
  readonly count: number;
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
