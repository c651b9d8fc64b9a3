import { type Check, counts, optional, type Shaped, text, whole } from '../../lib/shape.ts';
import type { ColumnCounts } from '../plan/actor.ts';

/**
 * The classes of a plan's changes in reports: the outcomes, with separate classes for changes that
 * were up to date, skipped because a last look could not read or understand their device, skipped
 * as stale, or still running. Every change is in exactly one.
 */
export const RUN_CLASSES = [
  'verified',
  'converged',
  'unverified',
  'failed',
  'rolledBack',
  'aborted',
  'timedOut',
  'atWork',
  'inDoubt',
  'betweenSteps',
  'skipped',
  'unreadable',
  'stale',
  'notStarted',
] as const;
export type RunClass = (typeof RUN_CLASSES)[number];

/** The count of each class; an absent class has none. */
export type ClassCounts = Readonly<Partial<Record<RunClass, number>>>;

const classCounts = counts as Check<ClassCounts>;
const columnCounts = counts as Check<ColumnCounts>;

/**
 * The result of a run in counts: the only source of its report, its note, its audit and its exit
 * code.
 */
export const RUN_SUMS = {
  planId: text,
  /** The changes of the plan; the counts add up to their total. */
  classes: classCounts,
  /** Devices in note classes. */
  noted: whole,
  /** Intents without a change in the plan: still open, or closed by this run. */
  beside: classCounts,
  /** Where the run leaves the changes and notes of its last plan; runs of older versions lack it. */
  columns: optional(columnCounts),
};
export type RunSums = Shaped<typeof RUN_SUMS>;

const FAILED: readonly RunClass[] = ['failed', 'rolledBack', 'aborted', 'unverified'];

/** How many tasks failed, of the plan and beside it. */
export function sumFailed({ classes, beside }: Pick<RunSums, 'classes' | 'beside'>): number {
  return FAILED.reduce((sum, name) => sum + (classes[name] ?? 0) + (beside[name] ?? 0), 0);
}

/** Counts in the order of the classes, without those that are zero. */
export function countClasses(classes: Iterable<RunClass>): ClassCounts {
  const counts = new Map<RunClass, number>();
  for (const each of classes) counts.set(each, (counts.get(each) ?? 0) + 1);
  return Object.fromEntries(classEntries(Object.fromEntries(counts)));
}

/** The classes that occur, in their order. */
export function classEntries(counts: ClassCounts): readonly (readonly [RunClass, number])[] {
  return RUN_CLASSES.flatMap((name) => {
    const count = counts[name] ?? 0;
    return count > 0 ? [[name, count] as const] : [];
  });
}
