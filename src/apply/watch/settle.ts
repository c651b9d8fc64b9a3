import { KINDS } from '../../kinds/index.ts';
import { verify } from '../../kinds/verify.ts';
import { WorldError } from '../../model/error.ts';
import type { Readback } from '../../kinds/kind.ts';
import type { IntentState, Memory } from '../../model/ledger/memory.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import type { Health } from '../health.ts';
import { record } from '../outbox/outbox.ts';
import { intentChangeId, type Said } from '../outcomes.ts';
import { orMissed } from '../service-absence.ts';
import { judgeDoubt, newSigns } from './doubts.ts';
import {
  toAttempted,
  elapsedSeconds,
  settle,
  type Settlement,
  type Settling,
} from './settlement.ts';
import { isLost, verifyLimit } from './timeouts.ts';

/** Reads the devices of intents back. @returns what was seen, by intent id */
export type ReadBack = (intents: readonly IntentState[]) => Promise<ReadonlyMap<string, Readback>>;

/** Reads back devices whose task succeeded, until they show the effect or their time is over (protocol V1). */
export async function verifyEnded(
  run: Settling & { readonly health: Health },
  readBack: ReadBack,
): Promise<void> {
  const ended = run.inFlight.running().filter((intent) => run.inFlight.of(intent).completion);
  if (ended.length === 0) return;
  const read = await orMissed(readBack(ended));
  const seen: ReadonlyMap<string, Readback> = read instanceof WorldError ? new Map() : read;
  const settlements = ended.flatMap((intent): Settlement[] => {
    const { completedAt = 0, undated = false } = run.inFlight.of(intent).completion ?? {};
    const observed = seen.get(intent.id);
    const verification = verify({
      kind: KINDS[intent.task],
      limit: verifyLimit(run.documents, intent),
      attempted: { ...toAttempted(intent), completedAt, undated },
      ...(observed && { seen: observed }),
      now: run.health.serviceNow(),
    });
    const closing = { intent, by: 'verify' as const, seconds: elapsedSeconds(intent, completedAt) };
    if (verification.is === 'pending') return [];
    if (verification.is === 'verified') return [{ ...closing, ...verification, verdict: 'done' }];
    return [{ ...closing, ...verification, verdict: 'unverified' }];
  });
  await settle(run, settlements);
  if (read instanceof WorldError) throw read;
}

/**
 * Looks for evidence about every intent in doubt, and about those whose task has been lost for a
 * day (protocol Q2, Q7). Without evidence nothing changes: an absence closes no intent. Weak
 * evidence is recorded once.
 * @returns how many were closed
 */
export async function settleDoubts(run: Settling, readBack: ReadBack): Promise<number> {
  const now = run.clock.now();
  const lost = run.inFlight.running().filter((intent) => isLost(run.documents, intent, now));
  const doubtful = [...run.inFlight.inDoubt(), ...lost];
  if (doubtful.length === 0) return 0;
  const seen = await readBack(doubtful);
  const settlements = doubtful.flatMap(
    (intent) => judgeDoubt(run, intent, seen.get(intent.id)) ?? [],
  );
  await observeSigns(run, doubtful, seen);
  await settle(run, settlements);
  for (const intent of run.inFlight.inDoubt())
    run.outcomes.say(intentChangeId(intent), inDoubtEnding(intent));
  return settlements.length;
}

/** Weak evidence: OBSERVED records, for people and for reports. */
async function observeSigns(
  run: Settling,
  doubtful: readonly IntentState[],
  seen: ReadonlyMap<string, Readback>,
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
 * Intents that ended `unverified` and whose target is visible now are done after all (protocol
 * Q11); until then their devices count as down.
 */
export async function settleUnverified(run: Settling, readBack: ReadBack): Promise<void> {
  const unverified = [...run.journal.memory.intents.values()].filter((intent) =>
    isUnverified(intent, run.journal.memory),
  );
  if (unverified.length === 0) return;
  const seen = await readBack(unverified);
  await settle(
    run,
    unverified.flatMap((intent) => shownBy(intent, seen.get(intent.id)) ?? []),
  );
}

function shownBy(intent: IntentState, seen?: Readback): Settlement | undefined {
  if (!seen || intent.settledAt === undefined) return undefined;
  const attempted = { ...toAttempted(intent), completedAt: intent.settledAt };
  const proof = KINDS[intent.task].prove(attempted, seen);
  return proof.is === 'shown'
    ? { intent, verdict: 'done', by: 'evidence', evidence: proof.evidence }
    : undefined;
}

function inDoubtEnding({ id: intentId, taskId, row }: IntentState): Said {
  return {
    outcome: 'inDoubt',
    reason: { code: 'inDoubt' },
    intentId,
    ...(taskId !== undefined && { taskId }),
    ...(row !== undefined && { detail: row }),
  };
}

/** Unverified, without a later attempt of this task on the device. */
function isUnverified(intent: IntentState, memory: Memory): boolean {
  if (intent.verdict !== 'unverified' || intent.phase !== 'closed') return false;
  return memory.intentsOf(intent.device, intent.task).at(-1)?.id === intent.id;
}
