import { KINDS } from '../../kinds/index.ts';
import { WorldError } from '../../model/error.ts';
import type { Observation } from '../../kinds/kind.ts';
import type { IntentState, Memory } from '../../model/ledger/memory.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import { endIfAway, makeSureOf, orMissed } from '../run/service-absence.ts';
import { changeIdOf, type Said } from '../run/accounting.ts';
import { attemptedOf, settle, type Settlement } from './settlement.ts';
import { inDoubt, running } from './flight.ts';
import { ROW_WITHOUT_RESULT } from '../send/outcome.ts';
import { judgeDoubt, newSigns } from './doubts.ts';
import { recordKept } from '../outbox/local-spool.ts';
import { pay } from '../outbox/outbox.ts';
import { readBack } from './readback.ts';
import { record, type Run } from '../run/run.ts';
import { isLost } from './timeouts.ts';
import { pollTasks, verifyEnded } from './watch.ts';

/**
 * What earlier runs left open, before any new work: polled, verified, and settled where evidence
 * allows. Each task and each device stands for itself: what is not understood of one stays open.
 * @returns whether the service showed something after which no further attempt may be made
 */
export async function recover(run: Run): Promise<boolean> {
  const open = run.journal.memory.open().length;
  if (open > 0) run.progress({ kind: 'recovering', open, inDoubt: inDoubt(run).length });
  await recordKept(run);
  await pay(run);
  await answerForTheDead(run);
  const { halt, missed, answered } = await pollTasks(run);
  if (answered === 0) endIfAway(missed);
  if (halt) return true;
  const unread = [
    missed,
    await orMissed(verifyEnded(run)),
    await orMissed(settleDoubts(run)),
    await orMissed(settleUnverified(run)),
  ];
  const failure = unread.find((each) => each instanceof WorldError);
  if (failure && answered === 0) await makeSureOf(run, failure);
  return false;
}

/**
 * Attempts of runs that died before they could write a RESULT are in doubt from here on (row P12); what
 * became of its own, this process knows.
 */
async function answerForTheDead(run: Run): Promise<void> {
  const attempts = [...run.journal.memory.unanswered.keys()].filter(
    (attemptId) => !run.owed.has(attemptId) && !run.unsent.has(attemptId),
  );
  const bodies = attempts.map((attemptId): RecordBody => {
    return { type: 'RESULT', attemptId, outcome: 'inDoubt', row: ROW_WITHOUT_RESULT };
  });
  await record(run, bodies, (body, memory) => {
    return body.type === 'RESULT' && memory.unanswered.has(body.attemptId);
  });
}

/**
 * Looks for evidence about every intent in doubt, and about those whose task has been lost for a day
 * (protocol Q2, Q7). What shows nothing stays as it is: no absence and no silence settles anything.
 * Signs that are too weak are recorded, each once.
 * @returns how many were settled
 */
export async function settleDoubts(run: Run): Promise<number> {
  const now = run.clock.now();
  const lost = running(run).filter((intent) => isLost(run.documents, intent, now));
  const doubtful = [...inDoubt(run), ...lost];
  if (doubtful.length === 0) return 0;
  const seen = await readBack(run, doubtful);
  const settlements: Settlement[] = [];
  for (const intent of doubtful) {
    const settlement = judgeDoubt(run, intent, seen.get(intent.id));
    if (settlement) settlements.push(settlement);
  }
  await observeSigns(run, doubtful, seen);
  await settle(run, settlements);
  for (const intent of inDoubt(run)) run.said.set(changeIdOf(intent), doubtOf(intent));
  return settlements.length;
}

/** Signs of what may have run, beside what settles it: OBSERVED records, for people and for reports. */
async function observeSigns(
  run: Run,
  doubtful: readonly IntentState[],
  seen: ReadonlyMap<string, Observation>,
): Promise<void> {
  const bodies = doubtful.flatMap((intent): RecordBody[] => {
    const observation = seen.get(intent.id);
    const signs = observation ? newSigns(run, intent, observation) : [];
    return signs.length === 0
      ? []
      : [{ type: 'OBSERVED', intentId: intent.id, evidence: signs, weak: true }];
  });
  await record(run, bodies, (body, memory) => {
    return body.type === 'OBSERVED' && memory.intents.get(body.intentId)?.phase === 'inDoubt';
  });
}

/**
 * Intents that ended `unverified` and whose target shows by now are done after all (protocol Q11); until then
 * their devices count as down.
 */
async function settleUnverified(run: Run): Promise<void> {
  const unverified = [...run.journal.memory.intents.values()].filter((intent) =>
    isUnverified(intent, run.journal.memory),
  );
  if (unverified.length === 0) return;
  const seen = await readBack(run, unverified);
  await settle(
    run,
    unverified
      .map((intent) => shownBy(intent, seen.get(intent.id)))
      .filter((settlement) => settlement !== undefined),
  );
}

function shownBy(intent: IntentState, seen?: Observation): Settlement | undefined {
  if (!seen || intent.settledAt === undefined) return undefined;
  const attempted = { ...attemptedOf(intent), completedAt: intent.settledAt };
  const proof = KINDS[intent.task].prove(attempted, seen);
  return proof.is === 'shown'
    ? { intent, verdict: 'done', by: 'evidence', evidence: proof.evidence }
    : undefined;
}

function doubtOf({ id: intentId, taskId, row }: IntentState): Said {
  return {
    outcome: 'inDoubt',
    reason: { code: 'inDoubt' },
    intentId,
    ...(taskId !== undefined && { taskId }),
    ...(row !== undefined && { detail: row }),
  };
}

/** Unverified, and nothing of this task was attempted on the device since. */
function isUnverified(intent: IntentState, memory: Memory): boolean {
  if (intent.verdict !== 'unverified' || intent.phase !== 'closed') return false;
  return memory.intentsOf(intent.device, intent.task).at(-1)?.id === intent.id;
}
