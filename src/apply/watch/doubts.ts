import { KINDS } from '../../kinds/index.ts';
import { evidence } from '../../kinds/evidence.ts';
import type { Observation } from '../../kinds/kind.ts';
import { DIP_MS } from '../../kinds/restart-device.ts';
import { isSameSign } from '../../ledger/intents.ts';
import type { IntentState } from '../../model/ledger/memory.ts';
import type { Evidence } from '../../model/ledger/record.ts';
import { attemptedOf, type Settlement } from './settlement.ts';
import { flightOf } from './flight.ts';
import { doubtedFor, QUARANTINE_MS, stayedAsItWas } from './quarantine.ts';
import type { Run } from '../run/run.ts';

/** Why a doubt was settled as not done: the device still has what it had. */
const AS_IT_WAS = 'asItWas';

/** Why a restart is unknown: nothing can show any more whether it ran. */
const NO_EVIDENCE = 'noEvidence';

/**
 * What one look at a device says of an intent in doubt, in this order (protocol Q2 to Q5): positive
 * evidence settles it at once; that the device stayed as it was only where the dialect allows it, and
 * after the quarantine; a restart that was watched for long enough is unknown for good. Undefined: it
 * stays in doubt.
 */
export function judgeDoubt(
  run: Run,
  intent: IntentState,
  seen: Observation | undefined,
): Settlement | undefined {
  if (intent.phase === 'inDoubt') doubtedFor(run, intent);
  if (seen) flightOf(run, intent).first ??= seen;
  return (seen && (shown(intent, seen) ?? untouched(run, intent, seen))) ?? unknowable(run, intent);
}

/** Signs in a look that the ledger does not hold yet. */
export function newSigns(run: Run, intent: IntentState, seen: Observation): readonly Evidence[] {
  const { first = seen } = flightOf(run, intent);
  const signs = KINDS[intent.task].weakSigns(attemptedOf(intent), seen, first);
  return evidence(seen, ...signs).filter(
    (sign) => !intent.observed?.some((known) => isSameSign(known, sign)),
  );
}

function shown(intent: IntentState, seen: Observation): Settlement | undefined {
  const found = KINDS[intent.task].settlesDoubt(attemptedOf(intent), seen);
  if (found.length === 0) return undefined;
  return { intent, verdict: 'done', by: 'evidence', evidence: evidence(seen, ...found) };
}

/**
 * Only in doubt, never while a task of ours still runs; and only where a device of this model has shown
 * before that the field moves at all.
 */
function untouched(run: Run, intent: IntentState, seen: Observation): Settlement | undefined {
  const { showsBefore } = KINDS[intent.task];
  const { moved } = run.journal.memory;
  const mayMove = moved?.has(`${intent.task}/${intent.model ?? ''}`) === true;
  const isAllowed =
    run.dialect.autoSettleNegative === 'afterQuarantine' && mayMove && showsBefore !== undefined;
  if (!isAllowed || intent.phase !== 'inDoubt') return undefined;
  const found = showsBefore(attemptedOf(intent), seen);
  if (!stayedAsItWas(run, intent, found.length > 0)) return undefined;
  const by = { by: 'evidence', evidence: evidence(seen, ...found), why: AS_IT_WAS } as const;
  return { intent, verdict: 'notDone', ...by };
}

function unknowable(run: Run, intent: IntentState): Settlement | undefined {
  if (intent.phase !== 'inDoubt' || intent.task !== 'restartDevice') return undefined;
  if (doubtedFor(run, intent) < DIP_MS + QUARANTINE_MS) return undefined;
  return { intent, verdict: 'unknown', by: 'evidence', evidence: [], why: NO_EVIDENCE };
}
