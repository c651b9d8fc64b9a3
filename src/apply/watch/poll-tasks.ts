import { WorldError } from '../../model/error.ts';
import type { IntentState } from '../../model/ledger/memory.ts';
import type { Dated } from '../../model/ports.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import { memberSubject, findSighting } from '../../model/ledger/sightings.ts';
import { addTo } from '../../lib/maps.ts';
import { formatInstant, type Instant } from '../../lib/time.ts';
import { findUnreadDetail, type InFlight } from '../in-flight.ts';
import { record, type Outbox } from '../outbox/outbox.ts';
import { intentChangeId, intentChange } from '../outcomes.ts';
import type { Ports } from '../ports.ts';
import { askOn, isAway, orMissed } from '../service-absence.ts';
import type { Settling } from './settle.ts';
import { absent, shown, type Watching } from './task-answer.ts';
import { readTask, tellProgress } from './task-state.ts';
import { completionDeadline, isLost } from './timeouts.ts';

/** Detail of an intent that has been `timedOut` for so long that a person must check. */
export const LOST = 'lost';

/** Detail of an intent whose row in the answers about its task is not understood. */
const UNCLEAR = 'unclear';

export interface Polled {
  /** The service showed something after which no further attempt may be made. */
  readonly halt: boolean;
  /** Tasks with an answer. */
  readonly answered: number;
  /** The failure of a task without an answer, if there was one. */
  readonly missed?: WorldError;
}

/**
 * One poll of every accepted task that is not known to be over, or of those that are due (protocol X20): all its pages,
 * with `status` and `result` both checked, and its devices compared with the batch. Failures are closed;
 * `verifyEnded` handles successes. A bad answer concerns one task only; that task is polled last
 * next time, so that it delays no other.
 */
export async function pollTasks(run: Watching & Recording, all = true): Promise<Polled> {
  let halt = false;
  let missed: WorldError | undefined;
  const read = new Set<string>();
  const goesOn = askOn();
  const soon = run.clock.now() + run.pollEvery / 2;
  for (const [taskId, intents] of listTasks(run)) {
    if (!all && intents.every((intent) => dueAt(run, intent) > soon)) continue;
    const answer = await orMissed(run.service.task(taskId));
    noteAnswer(run, { taskId, intents, answer });
    await run.keepLease();
    const isHeard = goesOn(answer);
    if (answer instanceof WorldError) {
      missed ??= answer;
      if (!isHeard) break;
      continue;
    }
    const at = { seenAt: run.health.dateOf(answer), undated: answer.date === undefined };
    if (!answer.value) await absent(run, intents);
    else if (await shown(run, { task: answer.value, intents, ...at })) halt = true;
    read.add(taskId);
    run.health.hasAnswered = true;
    await run.keepLease();
  }
  await recordLate(run, read);
  return { halt, answered: read.size, ...(missed && { missed }) };
}

/**
 * Notes for each device whether its task was returned. The first failure of a kind is reported at
 * once, because its tasks may wait for a person: a 404 only in its second poll, because the ID of a
 * new task can take a while to appear.
 */
function noteAnswer(
  run: Watching,
  {
    taskId,
    intents,
    answer,
  }: { taskId: string; intents: readonly IntentState[]; answer: WorldError | Dated<unknown> },
): void {
  const isShown = !(answer instanceof WorldError) && answer.value !== undefined;
  const failure = answer instanceof WorldError ? answer : NOT_RETURNED;
  const { code, params } = failure;
  const flights = intents.map((intent) => run.inFlight.of(intent));
  const isNew = flights.every(({ unread }) => unread === undefined);
  for (const flight of flights)
    flight.noteAnswer(run.clock.now(), isShown ? undefined : { at: run.clock.monotonic(), code });
  if (isShown || isAway(failure) || (code === 'notFound' && isNew)) return;
  if (run.health.isNewUnread(code))
    run.progress({ type: 'warning', code: 'taskUnread', parameters: { taskId, code, params } });
}

const NOT_RETURNED = new WorldError('notFound', { what: 'task' });

/**
 * Tasks with devices that may still be running, including lost ones, and those that only the outbox knows. Tasks whose
 * last answer was bad come last, the one that was polled longest ago first.
 */
function listTasks({
  journal,
  inFlight,
  outbox,
}: Recording): readonly (readonly [string, readonly IntentState[]])[] {
  const tasks = new Map<string, IntentState[]>();
  for (const intent of journal.memory.open()) {
    const { taskId = outbox.taskOf(intent.attemptId) } = intent;
    if (taskId === undefined || inFlight.of(intent).completion) continue;
    addTo(tasks, taskId, intent);
  }
  const badAt = (intents: readonly IntentState[]) =>
    Math.max(...intents.map((intent) => inFlight.of(intent).badAnswerAt));
  return [...tasks].sort(([, a], [, b]) => badAt(a) - badAt(b));
}

/** Until when no poll shows anything new (protocol X20); 0 where devices are read back, or a result is held. */
export function quietUntil(run: Recording): Instant {
  if (run.outbox.size + run.inFlight.inDoubt().length > 0) return 0;
  const dues = run.inFlight.running().map((intent) => dueAt(run, intent));
  return dues.reduce((first, due) => Math.min(first, due), Infinity);
}

/**
 * When the task of an intent is polled next: `pollEvery` after its POST, and then when, by what earlier tasks of this run
 * took, half of its devices may have ended; no sooner than `pollEvery` after the last poll, and no later than its deadline.
 */
function dueAt({ inFlight, documents, pollEvery }: Recording, intent: IntentState): Instant {
  const flight = inFlight.of(intent);
  const { task, attemptedAt } = intent;
  const { polledAt, runningSince } = flight;
  if (flight.completion || flight.isUnseen) return 0;
  const took = polledAt === undefined ? 0 : inFlight.tookAfter(task, polledAt - attemptedAt);
  const next = Math.max((polledAt ?? attemptedAt) + pollEvery, attemptedAt + took);
  return Math.min(next, completionDeadline(documents, intent, runningSince));
}

/** The part of a run that polls while the ledger is unavailable. */
type Recording = Ports & { readonly inFlight: InFlight; readonly outbox: Outbox };

/**
 * While the ledger is unavailable, polls accepted tasks as far as that needs no ledger: those whose
 * acceptance is in the outbox, and those that the ledger had. So the start of work is seen in time,
 * and progress continues; an ended task is found again once it can be recorded.
 */
export async function pollUnrecorded(run: Recording): Promise<void> {
  for (const [taskId, intents] of listTasks(run)) {
    const answer = await orMissed(run.service.task(taskId));
    if (answer instanceof WorldError || !answer.value) continue;
    const deviceIds = intents.map(({ device }) => device);
    const reading = readTask(answer.value, { deviceIds, isOurs: () => true });
    tellProgress(run, reading);
    for (const intent of intents)
      if (reading.states.get(intent.device)?.is === 'running')
        run.inFlight.of(intent).runningSince ??= run.clock.now();
  }
}

/**
 * Records every task past its deadline as late, once each. Skips tasks that were not just read,
 * because they may have ended unseen.
 */
export async function recordLate(run: Settling, read: ReadonlySet<string>): Promise<void> {
  const late = run.inFlight
    .running()
    .filter((intent) => isNewlyLate(run, intent))
    .filter(({ taskId = '' }) => read.has(taskId));
  await record(
    run,
    late.map((intent) => lateRecord(run, intent)),
  );
}

/** Past its deadline an intent stays open and is polled, but the run no longer waits for it. */
function isNewlyLate(run: Settling, intent: IntentState): boolean {
  const flight = run.inFlight.of(intent);
  if (flight.isOverdue || flight.completion) return false;
  if (run.clock.now() < completionDeadline(run.documents, intent, flight.runningSince))
    return false;
  flight.isOverdue = true;
  const { id: intentId, taskId } = intent;
  const unclear = flight.isUnclear ? UNCLEAR : findUnreadDetail(flight);
  const detail = isLost(run.documents, intent, run.clock.now()) ? LOST : unclear;
  const known = { intentId, ...(taskId !== undefined && { taskId }), ...(detail && { detail }) };
  if (run.outcomes.said.get(intentChangeId(intent))?.outcome !== 'timedOut')
    run.outcomes.end(intentChange(intent), { outcome: 'timedOut', ...known });
  return !findSighting(run.journal.memory, 'timedOut', lateSubject(intent));
}

/** Stop rules count a late intent from then on, whatever its outcome. */
function lateRecord(run: Settling, intent: IntentState): RecordBody {
  const seenAt = formatInstant(run.clock.now());
  return { type: 'SEEN', what: 'timedOut', subject: lateSubject(intent), seenAt };
}

function lateSubject({ attemptId, device }: IntentState): string {
  return memberSubject(attemptId, device);
}
