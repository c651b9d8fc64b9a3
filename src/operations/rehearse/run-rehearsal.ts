import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { RehearsalReport } from '../../model/report/output.gen.ts';
import { TASK_TYPES, TASKS } from '../../model/fleet/task.ts';
import { listPolicies } from '../../model/documents/policies.ts';
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
import { summarize } from './combine-courses.ts';

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
