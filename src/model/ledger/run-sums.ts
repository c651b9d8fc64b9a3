/**
 * The classes that a change of a plan can end in, as people and machines are told: those of the report, with
 * what was right already, what was skipped as stale and what is still at work told apart. Every change is in
 * exactly one.
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
  'skipped',
  'stale',
  'notStarted',
] as const;
export type RunClass = (typeof RUN_CLASSES)[number];

/** How many are in each class; one that is not there has none. */
export type ClassCounts = Readonly<Partial<Record<RunClass, number>>>;

/** What a run came to, in counts: the one source of its report, its note, its audit and its exit code. */
export interface RunSums {
  readonly planId: string;
  /** Of the plan; they add up to its changes. */
  readonly classes: ClassCounts;
  /** Devices in note classes. */
  readonly noted: number;
  /** Intents that no change of the plan stands for: left open, or closed by this run. */
  readonly beside: ClassCounts;
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
