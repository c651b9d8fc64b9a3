import { groupBy } from '../../lib/group-by.ts';
import type { ReasonCode } from '../../model/plan/reason.ts';
import { compareTexts } from '../../lib/text-order.ts';
import { policiesByAddress } from '../../model/documents/policies.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { rolloutNamed } from '../../model/documents/rollout-defaults.ts';
import { TASK_TYPES } from '../../model/fleet/task.ts';
import type { Instant } from '../../lib/time.ts';
import type {
  CoursesReport,
  EndedRuns,
  Finish,
  HeldBy,
  PolicyForecast,
  SiteOutages,
  WaveForecast,
  WindowForecast,
} from '../../model/report/output.gen.ts';
import { stepLength } from '../../rehearse/outages.ts';
import type { Course } from './course.ts';
import type { ChangeFate } from './course-tally.ts';

export interface CourseSpan {
  readonly from: Instant;
  readonly until: Instant;
}

type Fates = readonly ChangeFate[];

/** The summary of several courses: medians of counts, and quantiles of instants. */
export function summarize(
  courses: readonly Course[],
  span: CourseSpan & { readonly documents: Documents },
): CoursesReport {
  const { documents } = span;
  const planned = policiesByAddress(documents);
  const wavesOf = (policy: string): readonly string[] =>
    (rolloutNamed(documents.rollouts, planned.get(policy)?.rollout)?.waves ?? []).map(
      ({ name }) => name,
    );
  const fates = courses.map(({ tally }) => [...tally.fates().values()]);
  const addresses = new Set(fates.flatMap((each) => each.map(({ policy }) => policy)));
  const pick = (policy: string): readonly Fates[] =>
    fates.map((each) => each.filter((fate) => fate.policy === policy));
  return {
    policies: [...addresses]
      .toSorted(compareTexts)
      .map((each) => forecastPolicy(each, pick(each), wavesOf(each))),
    windows: forecastWindows(courses),
    requests: {
      p50: median(courses.map(({ requests }) => requests.total)),
      p95:
        quantile(
          courses.map(({ requests }) => requests.total),
          0.95,
        ) ?? 0,
      busiestDay: Math.max(0, ...courses.map(({ requests }) => requests.busiestDay)),
    },
    outages: sumOutages(courses, span),
    runs: median(courses.map(({ runs }) => runs)),
    tasks: median(courses.map(({ tally }) => tally.tasks)),
    inDoubt: median(fates.map((each) => count(each, ({ reason }) => reason === 'inDoubt'))),
    stops: [
      ...groupBy(
        courses.flatMap(({ tally }) => [...tally.stops]),
        (scope) => scope,
      ),
    ].map(([scope, all]) => ({ scope, courses: all.length })),
    ended: countEnded(courses),
  };
}

function forecastPolicy(
  policy: string,
  courses: readonly Fates[],
  order: readonly string[],
): PolicyForecast {
  const [first] = courses.flat();
  return {
    policy,
    task: first?.task ?? TASK_TYPES[0],
    ...middle(courses.map(countFates)),
    finish: finish(courses),
    waves: forecastWaves(courses, order),
    heldBy: countReasons(courses),
  };
}

type FateCounts = Pick<PolicyForecast, 'devices' | ChangeFate['is']>;

function countFates(fates: Fates): FateCounts {
  const of = (kind: ChangeFate['is']): number => count(fates, (fate) => fate.is === kind);
  const counts = { done: of('done'), failed: of('failed'), late: of('late') };
  return { devices: fates.length, ...counts, blocked: of('blocked') };
}

/** The counts of one course, by how much it does, so that they add up; medians of each would not. */
function middle(courses: readonly FateCounts[]): FateCounts {
  const sorted = courses.toSorted(
    (a, b) => a.done - b.done || b.failed - a.failed || b.blocked - a.blocked,
  );
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? countFates([]);
}

/** The waves in the order of their rollout. */
function forecastWaves(
  courses: readonly Fates[],
  order: readonly string[],
): readonly WaveForecast[] {
  const names = new Set(courses.flatMap((each) => each.flatMap(({ wave }) => wave ?? [])));
  const waves = [...names].map((name) => {
    const own = courses.map((each) => each.filter(({ wave }) => wave === name));
    return { name, devices: Math.max(...own.map(({ length }) => length)), finish: finish(own) };
  });
  const rank = ({ name }: WaveForecast): number => order.indexOf(name);
  return waves.toSorted((a, b) => rank(a) - rank(b) || compareTexts(a.name, b.name));
}

/** A stop keeps back the rest of a rollout; other changes that need a person are about their device alone. */
const STOPPED: ReadonlySet<ReasonCode | undefined> = new Set(['rolloutPaused', 'rolloutAborted']);

/** When the last device is done, where none is left that only time or a stop keeps back. */
function finish(courses: readonly Fates[]): Finish {
  const ends = courses.map((fates) => {
    if (fates.some((fate) => fate.is === 'late' || STOPPED.has(fate.reason))) return Infinity;
    return fates.reduce((last, { at = -Infinity }) => Math.max(last, at), -Infinity);
  });
  const known = ends.map((end) => (end === -Infinity ? Infinity : end));
  const [p50, p95] = [quantile(known, 0.5), quantile(known, 0.95)];
  return {
    ...(p50 !== undefined && p50 < Infinity && { p50 }),
    ...(p95 !== undefined && p95 < Infinity && { p95 }),
  };
}

function countReasons(courses: readonly Fates[]): readonly HeldBy[] {
  const most = new Map<HeldBy['code'], HeldBy>();
  for (const fates of courses) {
    const left = fates.filter((fate) => fate.is === 'late' || fate.is === 'blocked');
    for (const [code, { length: count, 0: first }] of groupBy(left, ({ reason }) => reason))
      if (code !== undefined && count > (most.get(code)?.count ?? 0))
        most.set(code, { code, count, ...(first?.window && { window: first.window }) });
  }
  const all = [...most.values()];
  return all.toSorted((a, b) => b.count - a.count || compareTexts(a.code, b.code));
}

function forecastWindows(courses: readonly Course[]): readonly WindowForecast[] {
  const all = groupBy(
    courses.flatMap(({ tally }, course) => tally.closed.map((each) => ({ ...each, course }))),
    ({ policy, window }) => JSON.stringify([policy, window]),
  );
  return [...all.values()].flatMap((closed) => {
    const [first] = closed;
    if (!first) return [];
    const times = courses.map((_, index) => count(closed, ({ course }) => course === index));
    const mostLeft = Math.max(...closed.map(({ left }) => left));
    const { policy, window } = first;
    return [{ policy, window, closedWithWork: median(times), mostLeft }];
  });
}

function sumOutages(
  courses: readonly Course[],
  { from, until }: CourseSpan,
): readonly SiteOutages[] {
  const worst = new Map<string, number[]>();
  for (const { outages } of courses)
    for (const [site, counts] of outages) {
      const known = worst.get(site);
      worst.set(
        site,
        counts.map((each, step) => Math.max(each, known?.[step] ?? 0)),
      );
    }
  const step = stepLength(from, until);
  const sites = [...worst].map(([site, counts]) => {
    const most = counts.reduce((top, each) => Math.max(top, each), 0);
    return { site, most, mostAt: from + counts.indexOf(most) * step, counts };
  });
  return sites.toSorted((a, b) => b.most - a.most || compareTexts(a.site, b.site));
}

function countEnded(courses: readonly Course[]): readonly EndedRuns[] {
  const most = new Map<string, number>();
  for (const { tally } of courses)
    for (const [why, runs] of tally.ended) most.set(why, Math.max(most.get(why) ?? 0, runs));
  return [...most].map(([why, runs]) => ({ why, runs }));
}

function count<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return items.reduce((sum, item) => sum + (holds(item) ? 1 : 0), 0);
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5) ?? 0;
}

/** By nearest rank, so that each is a value of some course; undefined of none. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}
