import { unreachable } from '../model/bug.ts';
import type { RunReport } from '../model/outcome.ts';
import type { Milliseconds } from '../model/time.ts';
import { account } from './accounting.ts';
import { attempt } from './attempt.ts';
import type { Command } from './command.ts';
import { endedBy } from './ending.ts';
import { waitedFor } from './flight.ts';
import { foresee } from './foresee.ts';
import { refusals } from './guardrails.ts';
import {
  advance,
  FIRST_COMMAND,
  START,
  type Ended,
  type RunEvent,
  type RunState,
} from './machine.ts';
import { createRun, type ExecuteInput, type Run } from './run.ts';
import { observe } from './observe.ts';
import { recordProgress } from './rollouts.ts';
import { sleepUntilStopped, stoppable, untilStopped } from './stop.ts';
import { recoverOnce, tend } from './tend.ts';
import { workOf } from './work.ts';

export type { ExecuteInput, Survey } from './run.ts';

/**
 * One run of apply: interprets the machine's commands against the ports until it says that nothing
 * more may start and nothing is in flight (apply protocol 3.7). The caller has taken the lease; it
 * is given back here, unless a second signal asks to leave at once. Never rejects: the report
 * accounts for every change on every path, and holds in `failure` what went wrong, our own bugs
 * included, for the caller to throw on.
 */
export async function execute(input: ExecuteInput): Promise<RunReport> {
  const run = createRun(input, stoppable(input.service, input.stop));
  let ended = await live(run, input);
  try {
    if (run.stop.requested !== 'now') await run.journal.release();
  } catch (error) {
    run.failure = asError(error);
    ended ??= endedBy(error);
  }
  return report(run, ended);
}

async function live(run: Run, input: ExecuteInput): Promise<Ended | undefined> {
  let state: RunState = { ...START, waitsUntil: run.waitsUntil };
  let command = FIRST_COMMAND;
  while (command.do !== 'finish') {
    const event = await perform(run, command, input).catch((error: unknown) => stopped(run, error));
    ({ state, command } = advance(state, event, run.clock.now()));
  }
  return state.ended;
}

async function perform(run: Run, command: Command, input: ExecuteInput): Promise<RunEvent> {
  switch (command.do) {
    case 'recover':
      run.sampled.clear();
      return recoverOnce(run);
    case 'survey':
      return readFleet(run, input);
    case 'attempt':
      return attempt(run, command);
    case 'tend':
      return tend(run);
    case 'foresee':
      return foresee(run);
    case 'sleep':
      await sleepUntil(run, command);
      return { is: 'slept' };
    case 'finish':
      return { is: 'slept' };
    default:
      return unreachable(command);
  }
}

/** Whatever is thrown ends the run, as a wish to stop would (apply protocol 3.10). */
function stopped(run: Run, error: unknown): RunEvent {
  const ended = endedBy(error);
  if (ended === 'interrupted') run.progress({ kind: 'stopping' });
  else run.failure = asError(error);
  return { is: 'stopped', ended };
}

/** A fresh reading and a plan on it, held against what was approved and against the guardrails. */
async function readFleet(run: Run, input: ExecuteInput): Promise<RunEvent> {
  const reading = input.survey(run.approved ?? run.answersFor);
  const survey = await beating(run, untilStopped(reading, run.stop.draining));
  run.survey = survey;
  run.reads.clear();
  run.down = new Map();
  const { candidates, ended } = workOf(run, survey);
  const refused = refusals(run, survey, run.work);
  if (refused.length > 0) {
    run.refused = refused;
    return { is: 'surveyed', queue: [], ended: 'guardrail' };
  }
  await observe(run, survey);
  await recordProgress(run);
  return { is: 'surveyed', queue: candidates, ...(ended && { ended }) };
}

/** Between two records of ours, well within a third of the shortest lease. */
const BEAT_MS: Milliseconds = 15_000;

/** Keeps the lease alive while something long goes on. */
async function beating<T>(run: Run, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const done = work.finally(() => over.abort());
  done.catch(() => undefined);
  while (!over.signal.aborted) {
    await run.clock.sleep(BEAT_MS, over.signal).catch(() => undefined);
    if (!over.signal.aborted) await run.journal.renew();
  }
  return done;
}

/** Sleeps in slices, so that the lease lives on. */
async function sleepUntil(
  run: Run,
  { until, why = waitedFor(run) > 0 ? 'poll' : 'pace' }: Command & { do: 'sleep' },
): Promise<void> {
  run.progress({ kind: 'waiting', until, why });
  for (let left = until - run.clock.now(); left > 0; left = until - run.clock.now()) {
    await sleepUntilStopped(run.clock, Math.min(left, BEAT_MS), run.stop);
    await run.journal.renew();
  }
}

/**
 * A failure that was got over is nobody's business: it belongs in the report only where the run
 * ended by it.
 */
function report(run: Run, ended: Ended | undefined): RunReport {
  const { answersFor, approved, said, anomalies, attempts, failure, refused } = run;
  const isByFailure = ended !== undefined && ended !== 'interrupted' && ended !== 'guardrail';
  return account({
    plan: answersFor ?? approved,
    said,
    memory: run.journal.memory,
    anomalies,
    attempts,
    touched: new Set([...run.tried, ...run.flights.keys()]),
    ...(ended && { ended }),
    ...(isByFailure && failure && { failure }),
    ...(ended === 'guardrail' && refused && { refused }),
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
