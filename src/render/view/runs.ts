import { findColumn } from '../../model/plan/actor.ts';
import type { Values } from '../../model/plan/change.ts';
import type { PlanWave } from '../../model/plan/plan.ts';
import type { ReasonCode } from '../../model/plan/reason.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import { groupBy, sumCounts } from '../../lib/group-by.ts';
import { parseInstant, type Instant } from '../../lib/time.ts';
import { type ChangeClass, spreadText } from './classes.ts';
import type { PolicyRow } from './review.ts';
import type { PlanView } from './view.ts';

/** Changes of one policy that start in one wave for one reason. */
export interface RunLine {
  /** Absent for a policy that has one wave left, or none. */
  readonly wave?: string;
  readonly column: 'now' | 'later';
  readonly count: number;
  /** The wave in the plan, where it is not open yet; it gives the reason. */
  readonly shut?: PlanWave;
  /** The largest class, whose reason is shown. */
  readonly largest: ChangeClass;
  /** When the first and the last may start, where known. */
  readonly next?: Instant;
  readonly last?: Instant;
  readonly classes: readonly ChangeClass[];
}

/** What a policy changes, in the order of its waves. */
export interface PolicyRun {
  readonly row: PolicyRow;
  readonly task: TaskType;
  readonly count: number;
  /** The values before, most frequent first, and after; empty where no field has both. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly lines: readonly RunLine[];
}

/** The changes that start now or later, by policy in the order of the table. */
export function foldRuns({
  review,
  classes,
  waves,
}: Pick<PlanView, 'review' | 'classes' | 'waves'>): readonly PolicyRun[] {
  const started = classes.filter((each) => ['now', 'later'].includes(findColumn(each)));
  const byPolicy = groupBy(started, ({ at }) => at.policy);
  return review.policies.flatMap((row) => {
    const mine = byPolicy.get(row.policy) ?? [];
    const [first] = mine;
    if (!first) return [];
    const ordered = waves.filter(({ policy }) => policy === row.policy);
    return [
      {
        row,
        task: first.task,
        count: sumCounts(mine),
        ...findEdit(mine),
        lines: foldLines(mine, ordered),
      },
    ];
  });
}

/**
 * The lines that fit, and of the others their number, changes and waves. What starts now is never among
 * the others, so that these lines add up to the column of the table.
 */
export function fitLines(
  lines: readonly RunLine[],
  most: number,
): {
  readonly shown: readonly RunLine[];
  readonly more: number;
  readonly changes: number;
  readonly waves: readonly string[];
} {
  const now = lines.filter(({ column }) => column === 'now').length;
  let left = lines.length <= most ? lines.length : Math.max(0, most - 1 - now);
  const shown = lines.filter(({ column }) => column === 'now' || left-- > 0);
  const rest = lines.filter((line) => !shown.includes(line));
  const waves = new Set(rest.flatMap(({ wave }) => wave ?? []));
  return { shown, more: rest.length, changes: sumCounts(rest), waves: [...waves] };
}

function foldLines(
  classes: readonly ChangeClass[],
  waves: readonly PlanWave[],
): readonly RunLine[] {
  const rankOf = ({ wave }: { readonly wave?: string }): number =>
    waves.findIndex(({ name }) => name === wave);
  const groups = groupBy(classes, (each) => {
    const wave = waves[rankOf(each)];
    const { reason, passes } = each;
    const why = waitsForWave(each, wave) ? ['wave'] : [reason.code, reason.why, passes];
    return JSON.stringify([each.wave, findColumn(each), why]);
  });
  return [...groups.values()]
    .map((group) => foldLine(group, waves))
    .sort(
      (a, b) =>
        rankOf(a) - rankOf(b) ||
        Number(b.column === 'now') - Number(a.column === 'now') ||
        (a.next ?? Infinity) - (b.next ?? Infinity) ||
        b.count - a.count,
    );
}

function foldLine(classes: readonly ChangeClass[], waves: readonly PlanWave[]): RunLine {
  const [largest] = classes.toSorted((a, b) => b.count - a.count);
  if (!largest) throw new RangeError('a line without changes');
  const column = findColumn(largest) === 'now' ? 'now' : 'later';
  const wave = waves.find(({ name }) => name === largest.wave);
  const nexts = classes.flatMap(({ reason, lastNext }) =>
    typeof reason.next === 'number' ? [reason.next, lastNext ?? reason.next] : [],
  );
  return {
    ...(largest.wave !== undefined && waves.length > 1 && { wave: largest.wave }),
    column,
    count: sumCounts(classes),
    ...(wave && waitsForWave(largest, wave) && !classes.every(isAlone) && { shut: wave }),
    largest,
    ...(nexts.length > 0 && { next: Math.min(...nexts), last: Math.max(...nexts) }),
    classes,
  };
}

/** What documents hold by name, and what waits for a day of its own: the opening of a wave does not end it. */
const HELD: ReadonlySet<ReasonCode> = new Set([
  'hold',
  'exclude',
  'pinned',
  'frozenHard',
  'notDue',
]);

/** Whether something about its own device keeps a change, too: where no other waits for its wave, its line says so. */
function isAlone({ reason: { code } }: ChangeClass): boolean {
  return code === 'busy' || code === 'offline' || code === 'unknown';
}

/** Whether the wave of a change is all that its line has to say. */
function waitsForWave(theClass: ChangeClass, wave: PlanWave | undefined): boolean {
  const isLater = findColumn(theClass) === 'later' && !HELD.has(theClass.reason.code);
  return isLater && wave !== undefined && isClosed(wave);
}

/** A wave that waits for an earlier one, for an approval, or for the end of a stop. */
export function isClosed({ after, approval, stopped }: PlanWave): boolean {
  return [after, approval, stopped].some((each) => each !== undefined);
}

/** The first field that has a value before and another one after; dates say too little. */
function findEdit(classes: readonly ChangeClass[]): Pick<PolicyRun, 'before' | 'after'> {
  const fields = classes.flatMap(({ before, after }) =>
    Object.keys(before).filter((field) => after[field] !== undefined),
  );
  const field = fields.find((name) => classes.some((each) => differs(each, name)));
  if (field === undefined) return { before: [], after: [] };
  return {
    before: countValues(classes, 'before', field),
    after: countValues(classes, 'after', field),
  };
}

function differs({ before, after }: ChangeClass, field: string): boolean {
  const [from, to] = [before[field], after[field]];
  if (from === undefined || to === undefined || from.least === to.least) return false;
  return typeof to.least === 'string' && parseInstant(String(from.least)) === undefined;
}

function countValues(
  classes: readonly ChangeClass[],
  side: 'before' | 'after',
  field: keyof Values,
): readonly string[] {
  const counts = new Map<string, number>();
  for (const theClass of classes) {
    const spread = theClass[side][field];
    if (spread === undefined) continue;
    const text = spreadText(spread);
    counts.set(text, (counts.get(text) ?? 0) + theClass.count);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([text]) => text);
}
