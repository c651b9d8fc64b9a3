import { findColumn, PLAN_COLUMNS, refusedIn } from '../../model/plan/actor.ts';
import { kindsIn } from '../../model/plan/change-rows.ts';
import { RISKS, type ChangeGroup, type NoteClass } from '../../model/plan/change.ts';
import { newestFirst, type LineOrigin } from '../../model/documents/origin.ts';
import {
  findRefusing,
  type Diagnostic,
  type DiagnosticCode,
} from '../../model/documents/diagnostic.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { findAllClear, type AllClear, type Situation } from '../../model/report/all-clear.ts';
import { planSituation } from '../../model/report/plan-situation.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import type { HintSituation } from '../../model/report/hint.ts';
import { pick } from '../../lib/objects.ts';
import { sumCounts } from '../../lib/group-by.ts';
import { compareTexts } from '../../lib/text-order.ts';
import { foldClasses, type ChangeClass } from './classes.ts';
import { summarizePlan, type Review } from './review.ts';
import { buildTimeline, type PlanTimeline } from './timeline.ts';
import { isShown, type ShownOf } from './part.ts';

/** How many devices of a class are named unless all are requested. */
const NAMED = 3;

/** Warnings about what apply cannot do with this service, whatever the plan says. */
const OBSTACLES: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  'clocksDiffer',
  'effectNotShown',
  'fieldNotMapped',
  'ledgerLost',
  'nothingCanStart',
]);

/** The warnings of a plan: those that are read before all else, and the others. */
interface SortedWarnings {
  readonly obstacles: readonly Diagnostic[];
  /** Those that refuse policies (semantics K27): below the table of policies. */
  readonly refusing: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

/**
 * A plan as every format shows it: the plan's header and verdicts, and its changes folded into
 * classes, in the order of the columns; riskiest first, then by size. Values are raw: each
 * format has its own sink.
 */
export interface PlanView
  extends
    SortedWarnings,
    Omit<Plan, 'changes' | 'warnings' | 'notes' | 'verdicts' | 'origins' | 'authors'> {
  /** The plan is a part of a saved one: what is shown, and of how many changes and notes. */
  readonly shown?: ShownOf;
  /** Refused first. */
  readonly verdicts: Plan['verdicts'];
  readonly classes: readonly ChangeClass[];
  /** What a reviewer reads first. */
  readonly review: Review;
  readonly timeline: PlanTimeline;
  /** Largest first. */
  readonly notes: readonly NoteClass[];
  /**
   * The number of changes in the classes and notes; less than `total` would mean that a change was
   * left out silently.
   */
  readonly represented: number;
  readonly total: number;
  /** What sentence, exit code and next step depend on. */
  readonly situation: Situation;
  readonly clear: AllClear;
  /** Changes that are skipped because a field was not understood, by field, most first. */
  readonly notUnderstood: readonly { readonly field: string; readonly count: number }[];
  /** Who requested it, newest first: the authors of the changed lines, else of the entry. */
  originsOf(requested: RequestedAt): readonly LineOrigin[];
}

/** The origin of a request: its changed lines if known, else its places. */
export interface RequestedAt {
  readonly places: readonly SourceLocation[];
  readonly lines?: readonly SourceLocation[];
}

/** What a view shows of a plan, and what its next step depends on besides the plan. */
export interface ViewOptions extends Pick<HintSituation, 'atWork' | 'steps'> {
  /** Keeps every device of every class instead of the first few. */
  readonly all?: boolean;
  readonly shown?: ShownOf | undefined;
}

/** The view of a plan. */
export function buildPlanView(plan: Plan, options: ViewOptions = {}): PlanView {
  const { changes, warnings, notes: noted, verdicts, origins: _, authors: __, ...header } = plan;
  const { waves, counts } = header;
  const { shown } = options;
  const classes = inOrder(foldClasses(changes, options.all ? Infinity : NAMED), waves);
  const notes = [...noted].sort((a, b) => b.count - a.count);
  const situation = { ...planSituation(plan, classes), ...pick(options, 'atWork', 'steps') };
  return {
    ...header,
    ...sortWarnings(warnings, header.inputs.snapshot.devices),
    ...(shown && { shown }),
    verdicts: [...verdicts].sort((a, b) => Number(a.passed) - Number(b.passed)),
    classes,
    review: summarizePlan({
      classes,
      notes,
      dates: plan.dates ?? [],
      refused: refusedIn(plan).filter((policy) => !shown || isShown(shown, policy)),
    }),
    timeline: buildTimeline(plan),
    situation,
    clear: findAllClear(situation),
    notes,
    represented: sumCounts(classes) + sumCounts(notes),
    total: counts.run + counts.wait + counts.skip + counts.note,
    notUnderstood: counts.skip > 0 ? notUnderstoodIn(changes) : [],
    originsOf: originFinder(plan),
  };
}

/**
 * Parts what apply cannot do from other warnings. A field that is understood on no device is such an
 * obstacle too, since nothing acts on a device that was not understood.
 * @param devices the number of devices of the fleet
 */
function sortWarnings(warnings: readonly Diagnostic[], devices: number): SortedWarnings {
  const isObstacle = ({ code, params }: Diagnostic): boolean =>
    OBSTACLES.has(code) || (code === 'valueUnreadable' && Number(params['count']) >= devices);
  const refusing = findRefusing(warnings);
  return {
    obstacles: warnings.filter(isObstacle),
    refusing,
    warnings: warnings.filter((each) => !isObstacle(each) && !refusing.includes(each)),
  };
}

function notUnderstoodIn(changes: Plan['changes']): PlanView['notUnderstood'] {
  const counts = new Map<string, number>();
  for (const { change, count } of kindsIn(changes)) {
    const isUnreadable =
      change.action === 'skip' && change.reason.params?.['problem'] === 'unreadable';
    const field = isUnreadable ? String(change.reason.params['field']) : undefined;
    if (field !== undefined) counts.set(field, (counts.get(field) ?? 0) + count);
  }
  const found = [...counts].map(([field, count]) => ({ field, count }));
  return found.sort((a, b) => b.count - a.count || (a.field < b.field ? -1 : 1));
}

/** Finds the authors among the known lines and entries. */
export function originFinder({
  origins = [],
  authors = [],
}: {
  readonly origins?: Plan['origins'];
  readonly authors?: Plan['authors'];
}): PlanView['originsOf'] {
  const byPlace = new Map(origins.map((origin) => [`${origin.file}:${origin.line}`, origin]));
  const lineOf = ({ file, line }: SourceLocation): readonly LineOrigin[] =>
    [byPlace.get(`${file}:${line}`)].filter((found) => found !== undefined);
  const narrowFirst = authors.toSorted((a, b) => a.last - a.line - (b.last - b.line));
  const entryOf = (place: SourceLocation): readonly LineOrigin[] =>
    narrowFirst.find(
      ({ file, line, last }) => file === place.file && line <= place.line && place.line <= last,
    )?.by ?? lineOf(place);
  return ({ places, lines = [] }) => {
    const changed = newestFirst(lines.flatMap(lineOf));
    return changed.length > 0 ? changed : newestFirst(places.flatMap(entryOf));
  };
}

/**
 * Changes of the branch first, if known; then by the columns of a plan; within them
 * high risk first, then the policy with most devices, its waves in order, and the larger class.
 */
function inOrder(classes: readonly ChangeClass[], waves: Plan['waves']): readonly ChangeClass[] {
  const places = new Map(waves.map(({ policy, name }, index) => [`${policy} ${name}`, index]));
  const sizes = new Map<string, number>();
  const ranked = classes.map((each) => {
    const { group, risk, at, wave, count } = each;
    const column = PLAN_COLUMNS.indexOf(findColumn(each));
    const set = [group, column, risk, at.policy].join(' ');
    sizes.set(set, (sizes.get(set) ?? 0) + count);
    const read = group === undefined ? 0 : READ_IN_ORDER.indexOf(group);
    return { each, read, column, set, wave: places.get(`${at.policy} ${wave}`) ?? -1 };
  });
  const sizeOf = (set: string): number => sizes.get(set) ?? 0;
  ranked.sort(
    (a, b) =>
      a.read - b.read ||
      a.column - b.column ||
      RISKS.indexOf(b.each.risk) - RISKS.indexOf(a.each.risk) ||
      sizeOf(b.set) - sizeOf(a.set) ||
      compareTexts(a.each.at.policy, b.each.at.policy) ||
      a.wave - b.wave ||
      b.each.count - a.each.count,
  );
  return ranked.map(({ each }) => each);
}

/** The groups of a plan with a base, in reading order. */
export const READ_IN_ORDER: readonly ChangeGroup[] = ['branch', 'dropped', 'pending', 'clock'];

/** Whether a guardrail refuses the plan: then no run starts any of it. */
export function isRefused({ verdicts }: Pick<PlanView, 'verdicts'>): boolean {
  return verdicts.some(({ passed }) => !passed);
}
