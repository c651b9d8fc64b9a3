import { nextStatus, intentStatus } from '../../ledger/transitions.ts';
import type { Attempted } from '../../kinds/kind.ts';
import type { IntentState, Memory } from '../../model/ledger/memory.ts';
import type { Instant } from '../../lib/time.ts';
import { TASK_OF } from '../../model/fleet/task.ts';
import type { ResultEvidence, RecordBody, ResultVerdict } from '../../model/ledger/record.ts';
import type { ShownInstead } from '../../model/ledger/run-report.ts';
import type { InFlight } from '../in-flight.ts';
import { record } from '../outbox/outbox.ts';
import { classOf, intentChange, type Outcomes, type Said } from '../outcomes.ts';
import type { Ports } from '../ports.ts';

/** How an intent is closed; `observed` is weak evidence that is recorded before it. */
export interface Settlement {
  readonly intent: IntentState;
  readonly verdict: ResultVerdict;
  readonly by: 'verify' | 'evidence';
  readonly evidence: readonly ResultEvidence[];
  readonly why?: string;
  readonly seconds?: number;
  readonly resultOnly?: boolean;
}

/** The part of a run that closing an intent needs. */
export interface Settling extends Ports {
  readonly inFlight: InFlight;
  readonly outcomes: Outcomes;
}

/** Closes intents in one append, and sets the results of their changes. */
export async function settle(run: Settling, settlements: readonly Settlement[]): Promise<void> {
  if (settlements.length === 0) return;
  await record(
    run,
    settlements.map(({ intent, verdict, by: settledBy, evidence, why, seconds }) => ({
      type: 'SETTLED',
      intentId: intent.id,
      verdict,
      by: settledBy,
      evidence,
      ...(why !== undefined && { why }),
      ...(seconds !== undefined && { seconds }),
    })),
    isLeftToSay,
  );
  for (const settlement of settlements) {
    const { intent } = settlement;
    run.inFlight.end(intent.id);
    run.outcomes.end(intentChange(intent), toSaid(settlement));
  }
}

/** The values that evidence is compared with, from the ledger alone. */
export function toAttempted({ target, marker, attemptedAt }: IntentState): Attempted {
  return { target, marker, attemptedAt };
}

/** Another run may have closed it before; the journal refuses records that no run may write. */
function isLeftToSay(body: RecordBody, { intents }: Memory): boolean {
  const intent = body.type === 'SETTLED' ? intents.get(body.intentId) : undefined;
  if (body.type !== 'SETTLED' || !intent) return false;
  if (intent.phase === 'running' || intent.phase === 'inDoubt') return true;
  if (intent.phase !== 'closed' || intent.verdict !== 'unverified') return false;
  const by = { task: intent.task, by: body.by };
  return nextStatus(intentStatus(intent), `settled ${body.verdict}`, by) !== undefined;
}

function toSaid({ intent, verdict, why, evidence, resultOnly }: Settlement): Said {
  const { id: intentId, taskId } = intent;
  const [read] = verdict === 'unverified' ? evidence : [];
  return {
    outcome: classOf(intent, verdict),
    intentId,
    ...(taskId !== undefined && { taskId }),
    ...(why !== undefined && { detail: why }),
    ...(resultOnly && { resultOnly }),
    ...(read && { shown: shownInstead(intent, read) }),
  };
}

/** What a device shows instead of the result of its task (protocol V4). */
function shownInstead(
  { task, target }: IntentState,
  { field, value }: ResultEvidence,
): ShownInstead {
  return { field, value, ...(task === TASK_OF.firmware && { wanted: target }) };
}

/** How long an attempt took to its end. */
export function elapsedSeconds({ attemptedAt }: IntentState, endedAt: Instant): number {
  return Math.max(0, Math.round((endedAt - attemptedAt) / 1_000));
}
