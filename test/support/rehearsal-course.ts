import { join } from 'node:path';
import { accept } from '../../src/ledger/acceptor.ts';
import type { RunReport } from '../../src/model/ledger/run-report.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import type { ProgressEvent } from '../../src/model/progress.ts';
import { hearRun } from './rehearsal-events.ts';
import { doneTwice, unannounced } from './rehearsal-laws.ts';
import { unequalProgress, unequalSums, unlikePlan } from './rehearsal-sums.ts';
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
  broken.push(...(last ? unlikePlan(last, await planAfter(rehearsal, take)) : []));
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

/** A plan of the world as the last run has left it. */
async function planAfter(
  { script }: Rehearsal,
  take: ReturnType<typeof createSteps>,
): Promise<Plan> {
  const { part } = script.runs.at(-1) ?? {};
  const step = { file: 'new', idle: true, ...(part && { part }) } as const;
  const { plan } = await take(step, { process: 99 });
  if (!plan) throw new Error('no plan was made');
  return plan;
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
