import { unreachable } from '../../lib/bug.ts';
import { type RunReport, sumsOf } from '../../model/ledger/outcome.ts';
import { account } from './accounting.ts';
import { attempt } from '../send/attempt.ts';
import type { Command } from './command.ts';
import { endedBy } from './ending.ts';
import { foresee } from './next-wake.ts';
import { refusals } from './guardrails.ts';
import { beating, sleepUntil } from './heartbeat.ts';
import { advance, FIRST_COMMAND, START, type RunState } from './machine.ts';
import { createRun, type ExecuteInput, type Run } from './run.ts';
import type { Ended, RunEvent } from './run-event.ts';
import { observe } from './observe.ts';
import { payAtLast } from '../outbox/outbox.ts';
import { recordProgress } from './rollouts.ts';
import { orGrace, stoppable, untilStopped } from './stop.ts';
import { recoverOnce, pollInFlight } from '../watch/poll.ts';
import { workOf } from './work.ts';

export type { ExecuteInput, Survey } from './run.ts';

/**
 * One run of apply: interprets the machine's commands against the ports until it says that nothing
 * more may start and nothing is in flight (protocol X14). The caller has taken the lease; it
 * is given back here, unless a second signal asks to leave at once. Never rejects: the report
 * accounts for every change on every path, and holds in `failure` what went wrong, our own bugs
 * included, for the caller to throw on.
 */
export async function execute(input: ExecuteInput): Promise<RunReport> {
  const run = createRun(input, stoppable(input.service, input.stop));
  let ended = await live(run, input);
  try {
    if (run.stop.requested !== 'now') await leave(run, ended);
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
      return pollInFlight(run);
    case 'foresee':
      return foresee(run);
    case 'sleep':
      return { is: 'slept', overslept: await sleepUntil(run, command) };
    case 'finish':
      return { is: 'slept' };
    default:
      return unreachable(command);
  }
}

/** Whatever is thrown ends the run, as a wish to stop would (protocol Z4). */
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

/**
 * Gives the lease back, with what the report counts. An append of ours that had no clear answer may come
 * through until the one that does; what it says of an attempt that was never sent is put right afterwards.
 */
async function leave(run: Run, ended: Ended | undefined): Promise<void> {
  await payAtLast(run);
  const hasPlan = (run.answersFor ?? run.approved) !== undefined;
  const sums = hasPlan ? () => sumsOf(report(run, ended)) : undefined;
  await orGrace(run.journal.release(sums), run);
  await payAtLast(run);
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
    approved: approved !== undefined,
    said,
    memory: run.journal.memory,
    anomalies,
    attempts,
    owed: run.owed,
    touched: new Set([...run.touched, ...run.flights.keys()]),
    ...(ended && { ended }),
    ...(isByFailure && failure && { failure }),
    ...(ended === 'guardrail' && refused && { refused }),
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
