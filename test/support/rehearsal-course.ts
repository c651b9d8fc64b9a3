import { join } from 'node:path';
import { accept } from '../../src/ledger/acceptor.ts';
import type { RunReport } from '../../src/model/ledger/run-report.ts';
import type { Survey } from '../../src/apply/run/execute.ts';
import { fold } from '../../src/ledger/fold.ts';
import type { Snapshot } from '../../src/model/fleet/snapshot.ts';
import type { ProgressEvent } from '../../src/model/progress.ts';
import { hearRun } from './rehearsal-events.ts';
import { doneTwice, unannounced } from './rehearsal-laws.ts';
import { otherNext, unequalProgress, unequalSums, unlikePlan } from './rehearsal-sums.ts';
import type { RunOptions } from './rehearsal.ts';
import { createSteps } from './rehearsal-steps.ts';
import { linesOf, summaryOf, type RunSummary } from './rehearsal-summary.ts';
import {
  createWorld,
  readRehearsal,
  REHEARSALS,
  type Rehearsal,
  type RehearsalWorld,
} from './rehearsal-world.ts';

/** What a rehearsal came to. */
export interface Course {
  /** As `expected.json` of its folder is written. */
  readonly text: string;
  /** What no rehearsal may do. */
  readonly broken: readonly string[];
  /** Everything that was written, reported and told. */
  readonly made: readonly unknown[];
  readonly reports: readonly RunReport[];
}

/** Takes the runs of a rehearsal folder, one after the other, in a world of its own. */
export function takeCourse(
  name: string,
  how: Pick<RunOptions, 'rereads' | 'onPlan'> = {},
): Promise<Course> {
  const rehearsal = readRehearsal(name);
  return takeCourseOf(rehearsal, createWorld(rehearsal.script), how);
}

/** Takes the runs of a rehearsal, one after the other, in this world. */
export async function takeCourseOf(
  rehearsal: Rehearsal,
  world: RehearsalWorld,
  how: Pick<RunOptions, 'rereads' | 'onPlan'> = {},
): Promise<Course> {
  const { about } = rehearsal.script;
  const runs: RunSummary[] = [];
  const effects: string[] = [];
  const broken: string[] = [];
  const progress: ProgressEvent[] = [];
  const onEffect = (what: string): void => void effects.push(what);
  const take = createSteps(rehearsal, world);
  const reports: RunReport[] = [];
  let lists: Snapshot | undefined;
  const onPlan = (survey: Survey): void => {
    lists = survey.snapshot;
    how.onPlan?.(survey);
  };
  for (const [index, run] of rehearsal.script.runs.entries()) {
    const since = world.store.records.length;
    const before = progress.length;
    const heard = hearRun(world.clock);
    const onProgress = (one: ProgressEvent): void => {
      progress.push(one);
      heard.onProgress(one);
    };
    const { report, refused } = await take(run, {
      ...how,
      onPlan,
      process: index + 1,
      onEffect,
      onProgress,
      isTraced: true,
    });
    broken.push(...unequalSums(report, world.store.records, since));
    broken.push(...unequalProgress(report, progress.slice(before)));
    if (!report) continue;
    broken.push(...wrongSums(report), ...(await heard.end(report)));
    reports.push(report);
    runs.push({ ...(refused !== undefined && { refused }), ...summaryOf(report) });
  }
  const { records } = world.store;
  const last = reports.at(-1);
  if (last) {
    const now = world.clock.now();
    const fresh = await surveyAfter(rehearsal, take);
    const memory = fold(records);
    broken.push(...unlikePlan(last, fresh.plan));
    // What changed since its last reading, or by the way of reading it, is in a new one alone.
    if (otherNext(last, now, fresh, memory).length > 0)
      broken.push(...otherNext(last, now, await surveyAfter(rehearsal, take, lists), memory));
  }
  broken.push(
    ...accept(records).violations.map(
      ({ rule, subject }) => `the acceptor refuses ${rule} ${subject}`,
    ),
    ...unannounced(effects).map((what) => `unannounced ${what}`),
    ...doneTwice(world.twin.world).map((what) => `done twice: ${what}`),
  );
  const text = `${JSON.stringify({ about, runs, ledger: linesOf(records) }, null, 2)}\n`;
  return { text, broken, made: [records, runs, effects, progress], reports };
}

/** A reading of the world as the last run has left it, and its plan; of these lists, if there are any. */
async function surveyAfter(
  { script }: Rehearsal,
  take: ReturnType<typeof createSteps>,
  lists?: Snapshot,
): Promise<Survey> {
  const { part } = script.runs.at(-1) ?? {};
  const step = { file: 'new', idle: true, ...(part && { part }) } as const;
  const { survey } = await take(step, { process: 99, lists });
  if (!survey) throw new Error('no plan was made');
  return survey;
}

export function expectedPath(name: string): string {
  return join(REHEARSALS, name, 'expected.json');
}

/** I7: one class per change, and the classes add up to the plan. */
function wrongSums({ endings, counts }: RunReport): readonly string[] {
  const sum = Object.values(counts).reduce((all, count) => all + count, 0);
  const changes = new Set(endings.map(({ change }) => change.id)).size;
  return sum === endings.length && changes === endings.length
    ? []
    : [`${sum} counted and ${changes} changes in ${endings.length} endings`];
}
