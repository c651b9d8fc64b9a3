import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type {
  RehearsalReport,
  CoursesReport,
  EndedRuns,
  Finish,
  HeldBy,
  PolicyForecast,
  SiteOutages,
  WaveForecast,
  WindowForecast,
} from '../../model/report/output.gen.ts';
import { TASK_TYPES, TASKS } from '../../model/fleet/task.ts';
import { listPolicies, policiesByAddress } from '../../model/documents/policies.ts';
import { inRange } from '../../lib/version-order.ts';
import { compileSelector } from '../../desired/select.ts';
import { resolveDialect } from '../../model/fleet/dialect.ts';
import { cloneFleet } from '../../rehearse/clone.ts';
import type { Lives } from '../../rehearse/clone-credentials.ts';
import type { WantedVersions } from '../../rehearse/clone-firmware.ts';
import { stepLength } from '../../rehearse/outages.ts';
import type { FaultScript } from '../../rehearse/simulator.ts';
import { durationsIn } from '../../rehearse/task-durations.ts';
import { runCourse, type Course, type CourseInput } from './course.ts';
import { cloneFacts } from './facts-in-memory.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { ReasonCode } from '../../model/plan/reason.ts';
import { compareTexts } from '../../lib/text-order.ts';
import { rolloutNamed } from '../../model/documents/rollout-defaults.ts';
import type { ChangeFate } from './course-tally.ts';

export interface RehearsalInput extends Omit<
  CourseInput,
  'dialect' | 'clone' | 'facts' | 'durations' | 'onTime'
> {
  readonly snapshot: Snapshot;
  /** How many courses, each with a seed of its own. */
  readonly courses: number;
  /** Receives the number of simulations that are done, with fractions, and the number of all. */
  readonly onProgress: (done: number, all: number) => void;
}

/**
 * Rehearses the documents on a simulator of the fleet, in several courses with seeds of their own, and
 * again without faults where there are some. The same input gives the same report, whatever the clock
 * of this machine says.
 */
export async function runRehearsal(input: RehearsalInput): Promise<RehearsalReport> {
  const { snapshot, memory, from, until, seed, faults } = input;
  const documents = approved(input.documents);
  const dialect = resolveDialect(documents.service.value.dialect);
  const { organization } = input.target;
  const lives = livesIn(documents);
  const wanted = wantedIn(documents, snapshot);
  const clone = cloneFleet({ snapshot, memory, organization, at: from, seed, lives, wanted });
  const facts = cloneFacts(clone, snapshot, { dialect, from });
  const durations = durationsIn(memory);
  const common = { ...input, documents, dialect, clone, facts, durations };
  const take = takeCourses(common, input);
  const span = { from, until, documents };
  const courses = await take(faults);
  const summary = summarize(courses, span);
  const without = faults.length > 0 ? summarize(await take([]), span) : undefined;
  const open = memory.open();
  const tasks = new Set(summary.policies.map(({ task }) => task));
  return {
    from,
    until,
    courses: input.courses,
    seed,
    fleet: {
      devices: snapshot.devices.length,
      sites: snapshot.sites.length,
      takenAt: snapshot.takenAt,
      confidence: snapshot.confidence,
    },
    ledger: {
      records: memory.head.seq,
      atWork: open.filter(({ phase }) => phase === 'running').length,
      inDoubt: open.filter(({ phase }) => phase === 'inDoubt').length,
    },
    assumed: clone.assumed,
    durations: durations.describe(TASK_TYPES.filter((task) => tasks.has(task))),
    step: stepLength(from, until),
    assumesApproval: input.documents.service.value.approval.is === 'plan',
    ...summary,
    ...(without && { without }),
  };
}

/** The same documents, where each plan is as good as approved. */
function approved(documents: Documents): Documents {
  const { service } = documents;
  const value = { ...service.value, approval: { is: 'commit' } as const };
  return { ...documents, service: { ...service, value } };
}

/** Takes all courses with these faults, one after the other. */
function takeCourses(
  common: Omit<CourseInput, 'onTime'>,
  { courses, seed, from, until, faults, onProgress }: RehearsalInput,
): (faults: FaultScript) => Promise<readonly Course[]> {
  const all = faults.length > 0 ? 2 * courses : courses;
  let ended = 0;
  return async (script) => {
    const taken: Course[] = [];
    for (let index = 0; index < courses; index += 1) {
      const onTime = (now: Instant): void => onProgress(ended + (now - from) / (until - from), all);
      taken.push(await runCourse({ ...common, faults: script, seed: seed + index, onTime }));
      ended += 1;
    }
    return taken;
  };
}

const YEAR: Milliseconds = 365 * 86_400_000;

/** How long credentials live by the documents; absent where nothing rotates them. */
function livesIn({ rotations }: Documents): Lives {
  const lives: { password?: Milliseconds; certificate?: Milliseconds } = {};
  for (const { value } of rotations.values()) {
    const what = TASKS[value.task].credential;
    if (what === undefined) continue;
    const life = value.due.is === 'maxAge' ? value.due.maxAge : YEAR;
    lives[what] = Math.min(lives[what] ?? Infinity, life);
  }
  return lives;
}

/** The versions that firmware policies require on a model: exact ones, and of a range one that lies in it. */
function wantedIn(documents: Documents, snapshot: Snapshot): WantedVersions {
  const wanted = new Map<string, Set<string>>();
  for (const { value } of listPolicies(documents)) {
    if (value.section !== 'firmware') continue;
    const { version } = value;
    if (version.is === 'approved' || version.is === 'floor') continue;
    const selects = compileSelector(value.select, { documents, snapshot });
    for (let row = 0; row < snapshot.devices.length; row += 1) {
      if (selects(row) !== true) continue;
      const { vendor = '', model = '' } = snapshot.devices.at(row);
      const named = version.is === 'range' ? oneIn(vendor, version.text) : version.version;
      if (named === undefined) continue;
      const key = JSON.stringify([vendor, model]);
      wanted.set(key, (wanted.get(key) ?? new Set()).add(named));
    }
  }
  return (vendor, model) => [...(wanted.get(JSON.stringify([vendor, model])) ?? [])];
}

/** A version that lies in a range: its x as a number, or its lower bound. */
function oneIn(vendor: string, range: string): string | undefined {
  const bounds = range.match(/\d[\w.]*/g) ?? [];
  const tries = [range.replace(/x$/i, '0'), ...bounds, ...bounds.map((each) => `${each}.1`)];
  return tries.find((version) => inRange(vendor, version, range) === true);
}

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
