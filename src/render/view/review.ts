import { RISKS, type ChangeGroup, type NoteClass, type Risk } from '../../model/plan/change.ts';
import {
  addColumns,
  findColumn,
  isChanging,
  mayFollow,
  type ColumnCounts,
} from '../../model/plan/actor.ts';
import { countColumns } from '../../model/report/plan-situation.ts';
import type { At, SourceLocation } from '../../model/documents/source.ts';
import { groupBy, sumCounts } from '../../lib/group-by.ts';
import { compareTexts } from '../../lib/text-order.ts';
import { parseInstant, type Instant } from '../../lib/time.ts';
import type { PlanDates, UndatedChanges } from '../../model/plan/plan.ts';
import type { ChangeClass } from './classes.ts';
import { foldReasons, stepKey, type ReasonGroup } from './reasons.ts';

/** Changes by column, and how many of `later` may follow in the same run. */
export type ColumnTally = ColumnCounts & { readonly follow: number };

/** One policy in the table of a plan. */
export interface PolicyRow extends ColumnTally {
  readonly policy: string;
  /** When the first change starts, and the last one has ended, by the forecast; absent where it has no such date. */
  readonly first?: Instant;
  readonly last?: Instant;
  /** What keeps its changes from a date. */
  readonly blocked?: UndatedChanges;
  /** Changes without a date beside others that have one. */
  readonly undated?: UndatedChanges;
  /** A finding refuses the policy (semantics K27). */
  readonly isRefused?: true;
  readonly risk?: Risk;
  readonly sites: number;
  /** Where its changes are requested. */
  readonly places: readonly At[];
  readonly lines: readonly SourceLocation[];
  /** Changes that the documents since the base cause. */
  readonly caused: number;
}

/** Changes that need a person for the same reason, and the same next step. */
export type NeedGroup = ReasonGroup<ChangeClass>;

/** What a reviewer reads first: the sums, a row for each policy, and what needs a person. */
export interface Review {
  readonly totals: ColumnTally;
  /** All that are now, running or later, or need a person, without what is only noted. */
  readonly changes: number;
  /** Those that the branch changes first, then riskiest, then most changes. */
  readonly policies: readonly PolicyRow[];
  /** Largest first. */
  readonly needs: readonly NeedGroup[];
  /** Changes by their group, in a plan with a base. */
  readonly groups: readonly GroupTally[];
}

/** The changes of one group of a plan with a base. */
export interface GroupTally extends ColumnTally {
  readonly group: ChangeGroup;
  /** Of those that run, or start now or later. */
  readonly sites: number;
}

interface Input {
  readonly classes: readonly ChangeClass[];
  readonly notes: readonly NoteClass[];
  readonly dates: readonly PlanDates[];
  /** The policies that findings refuse (semantics K27). */
  readonly refused: readonly string[];
}

/** Sums up a plan from its classes, its notes and its forecast. Sums of rows equal the totals. */
export function summarizePlan(input: Input): Review {
  const policies = policyRows(input);
  const totals = addTallies(policies);
  const changed = input.classes.filter((each) => isChanging(findColumn(each)));
  return {
    totals,
    changes: sumCounts(changed),
    policies,
    needs: foldNeeds(input.classes, input.notes),
    groups: [...groupBy(input.classes, ({ group }) => group)].flatMap(([group, classes]) =>
      group ? [{ group, ...tally(classes), sites: countSites(classes.filter(mayStart)) }] : [],
    ),
  };
}

export function addTallies(rows: readonly ColumnTally[]): ColumnTally {
  return { ...addColumns(rows), follow: rows.reduce((sum, { follow }) => sum + follow, 0) };
}

function policyRows({ classes, notes, dates, refused }: Input): readonly PolicyRow[] {
  const addresses = [...classes, ...notes].map(({ at }) => at.policy);
  const noted = groupBy(notes, ({ at }) => at.policy);
  const byPolicy = groupBy(classes, ({ at }) => at.policy);
  const rows = [...new Set([...addresses, ...refused])].map((policy) =>
    policyRow(policy, byPolicy.get(policy) ?? [], {
      notes: noted.get(policy) ?? [],
      dates: dates.find((row) => row.policy === policy),
      isRefused: refused.includes(policy),
    }),
  );
  return rows.sort(byWeight);
}

interface RowParts {
  readonly notes: readonly NoteClass[];
  readonly dates: PlanDates | undefined;
  readonly isRefused: boolean;
}

function policyRow(
  policy: string,
  classes: readonly ChangeClass[],
  { notes, dates, isRefused }: RowParts,
): PolicyRow {
  const changed = classes.filter((each) => isChanging(findColumn(each)));
  const risks = changed.map(({ risk }) => RISKS.indexOf(risk));
  const risk = RISKS[Math.max(...risks, -1)];
  const [first, last] = [dates?.starts, dates?.ends].map((text) => parseInstant(text ?? ''));
  return {
    policy,
    ...tally(classes, notes),
    ...(first !== undefined && { first }),
    ...(last !== undefined && { last }),
    ...(dates?.blocked && { blocked: dates.blocked }),
    ...(dates?.undated && { undated: dates.undated }),
    ...(isRefused && { isRefused }),
    ...(risk && { risk }),
    sites: countSites(changed),
    places: changed.flatMap(({ places }) => places),
    lines: changed.flatMap(({ lines }) => lines),
    caused: sumCounts(changed.filter(({ group }) => group === 'branch' || group === 'dropped')),
  };
}

function tally(classes: readonly ChangeClass[], notes: readonly NoteClass[] = []): ColumnTally {
  return {
    ...countColumns(classes, notes),
    follow: sumCounts(classes.filter((each) => each.action === 'wait' && mayFollow(each.reason))),
  };
}

function byWeight(a: PolicyRow, b: PolicyRow): number {
  const riskOf = ({ risk }: PolicyRow): number => (risk === undefined ? -1 : RISKS.indexOf(risk));
  const changesOf = ({ now, running, later, person }: PolicyRow): number =>
    now + running + later + person;
  return (
    Number(b.isRefused === true) - Number(a.isRefused === true) ||
    Number(b.caused > 0) - Number(a.caused > 0) ||
    riskOf(b) - riskOf(a) ||
    changesOf(b) - changesOf(a) ||
    compareTexts(a.policy, b.policy)
  );
}

/** What needs a person: changes, and devices that a policy names by their ID and nobody manages. */
function foldNeeds(
  classes: readonly ChangeClass[],
  notes: readonly NoteClass[],
): readonly NeedGroup[] {
  const waiting = [...classes, ...notes.map(noteClass)];
  return foldReasons(
    waiting.filter((each) => findColumn(each) === 'person'),
    ({ reason }) => stepKey(reason),
    ({ at, count, reason, sites }) => ({
      policy: at.policy,
      count,
      reasons: [reason],
      sites: sites.map(({ name }) => name),
    }),
  ).toSorted((a, b) => b.count - a.count || compareTexts(a.rows[0].at.policy, b.rows[0].at.policy));
}

/** A note in the form of a class; its device has nothing but an ID. */
function noteClass({ task, at, reason, count }: NoteClass): ChangeClass {
  const id = reason.params?.['entry'];
  return {
    task,
    action: 'note',
    cause: 'config',
    risk: 'low',
    at,
    reason,
    count,
    sinceDiffers: false,
    before: {},
    after: {},
    losers: [],
    places: [at],
    lines: [],
    digest: '',
    sites: [],
    devices: id === undefined ? [] : [{ id: String(id), own: {}, at }],
  };
}

/** Whether these changes run, or start now or later, without a person. */
function mayStart(each: ChangeClass): boolean {
  return isChanging(findColumn(each)) && findColumn(each) !== 'person';
}

/** How many sites the classes have; devices without a site do not count. */
function countSites(classes: readonly ChangeClass[]): number {
  const names = new Set(classes.flatMap(({ sites }) => sites.map(({ name }) => name)));
  names.delete('');
  return names.size;
}
