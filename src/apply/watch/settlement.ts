import { next, standingOf } from '../../ledger/transitions.ts';
import type { Attempted } from '../../kinds/kind.ts';
import type { Change } from '../../model/plan/change.ts';
import type { IntentState, Memory } from '../../model/ledger/memory.ts';
import type { Evidence, RecordBody, Verdict } from '../../model/ledger/record.ts';
import { changeIdOf, CLASS_OF, type Said } from '../run/accounting.ts';
import { record, type Run } from '../run/run.ts';

/** How an intent is closed; `observed` are signs that are recorded before it, as weak ones. */
export interface Settlement {
  readonly intent: IntentState;
  readonly verdict: Verdict;
  readonly by: 'verify' | 'evidence';
  readonly evidence: readonly Evidence[];
  readonly why?: string;
  readonly seconds?: number;
  readonly resultOnly?: boolean;
}

/** Closes intents, in one append, and takes down what became of their changes. */
export async function settle(run: Run, settlements: readonly Settlement[]): Promise<void> {
  if (settlements.length === 0) return;
  await record(run, settlements.map(bodyOf), isLeftToSay);
  for (const settlement of settlements) {
    const { intent } = settlement;
    run.flights.delete(intent.id);
    say(run, changeOf(intent), saidOf(settlement));
  }
}

/** Takes down where a change stands, and tells whoever watches. */
export function say(run: Run, change: Pick<Change, 'task' | 'device'>, said: Said): void {
  const { task } = change;
  const device = change.device.id;
  run.said.set(changeIdOf({ task, device }), said);
  run.ended += 1;
  const total = Math.max(run.ended, run.wanted);
  run.progress({ kind: 'ended', task, device, outcome: said.outcome, done: run.ended, total });
}

/** As much of its change as an intent knows. */
export function changeOf({ task, device }: IntentState): Pick<Change, 'task' | 'device'> {
  return { task, device: { id: device } };
}

/** What evidence is compared with, from the ledger alone. */
export function attemptedOf({ target, marker, attemptedAt }: IntentState): Attempted {
  return { target, marker, attemptedAt };
}

/** Somebody else may have closed it before; what nobody may settle so is for the journal to refuse. */
function isLeftToSay(body: RecordBody, { intents }: Memory): boolean {
  const intent = body.type === 'SETTLED' ? intents.get(body.intentId) : undefined;
  if (body.type !== 'SETTLED' || !intent) return false;
  if (intent.phase === 'running' || intent.phase === 'inDoubt') return true;
  const { task } = intent;
  const on = `settled ${body.verdict}` as const;
  return isReopened(intent) && next(standingOf(intent), on, { task, by: body.by }) !== undefined;
}

function isReopened({ phase, verdict }: IntentState): boolean {
  return phase === 'closed' && verdict === 'unverified';
}

function bodyOf({ intent, verdict, by, evidence, why, seconds }: Settlement): RecordBody {
  return {
    type: 'SETTLED',
    intentId: intent.id,
    verdict,
    by,
    evidence,
    ...(why !== undefined && { why }),
    ...(seconds !== undefined && { seconds }),
  };
}

function saidOf({ intent, verdict, why, resultOnly }: Settlement): Said {
  const { id: intentId, taskId } = intent;
  return {
    outcome: CLASS_OF[verdict],
    intentId,
    ...(taskId !== undefined && { taskId }),
    ...(why !== undefined && { detail: why }),
    ...(resultOnly && { resultOnly }),
  };
}
