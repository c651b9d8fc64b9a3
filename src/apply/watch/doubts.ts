import { KINDS } from '../../kinds/index.ts';
import { evidence } from '../../kinds/evidence.ts';
import type { Readback } from '../../kinds/kind.ts';
import { DIP_MS } from '../../kinds/restart-device.ts';
import { isSameSign } from '../../ledger/intents.ts';
import type { IntentState } from '../../model/ledger/memory.ts';
import { QUARANTINE_MS, READ_DELAY_MS } from '../../model/fleet/read-delay.ts';
import type { ResultEvidence } from '../../model/ledger/record.ts';
import type { Milliseconds } from '../../lib/time.ts';
import { toAttempted, type Settlement } from './settlement.ts';
import type { InFlight } from '../in-flight.ts';
import type { Ports } from '../ports.ts';
import { findTimeouts } from './timeouts.ts';

/** Why a doubt was closed as not done: the device is unchanged. */
const AS_IT_WAS = 'asItWas';

/** Why the outcome of a restart is unknown: no further evidence is possible. */
const NO_EVIDENCE = 'noEvidence';

/** Reads that must show the device unchanged; a single one may be an old copy. */
const READS = 3;

/** The distance between such reads, because two may come from one copy. */
const APART_MS: Milliseconds = READ_DELAY_MS / 3;

/** The part of a run that judging a doubt needs. */
type Doubting = Ports & { readonly inFlight: InFlight };

/**
 * Judges one read of a device with an intent in doubt, in this order (protocol Q2 to Q5): positive
 * evidence closes it at once; an unchanged device closes it only where the dialect allows it, and
 * after the quarantine; a restart that was watched long enough is permanently unknown. Undefined:
 * it stays in doubt.
 */
export function judgeDoubt(
  run: Doubting,
  intent: IntentState,
  seen: Readback | undefined,
): Settlement | undefined {
  if (intent.phase === 'inDoubt') doubtedFor(run, intent);
  if (seen) run.inFlight.of(intent).first ??= seen;
  return (seen && (shown(intent, seen) ?? untouched(run, intent, seen))) ?? unknowable(run, intent);
}

/** Evidence in a read that is not in the ledger yet. */
export function newSigns(
  run: Doubting,
  intent: IntentState,
  seen: Readback,
): readonly ResultEvidence[] {
  const { first = seen } = run.inFlight.of(intent);
  const signs = KINDS[intent.task].weakSigns(toAttempted(intent), seen, first);
  return evidence(seen, ...signs).filter(
    (sign) => !intent.observed?.some((known) => isSameSign(known, sign)),
  );
}

function shown(intent: IntentState, seen: Readback): Settlement | undefined {
  const found = KINDS[intent.task].settlesDoubt(toAttempted(intent), seen);
  if (found.length === 0) return undefined;
  return { intent, verdict: 'done', by: 'evidence', evidence: evidence(seen, ...found) };
}

/**
 * Only in doubt, never while a task of this tool still runs; and only where a device of this model
 * has shown before that the task changes the field.
 */
function untouched(run: Doubting, intent: IntentState, seen: Readback): Settlement | undefined {
  const { showsBefore } = KINDS[intent.task];
  const { moved } = run.journal.memory;
  const mayMove = moved.has(`${intent.task}/${intent.model ?? ''}`);
  const isAllowed =
    run.dialect.autoSettleNegative === 'afterQuarantine' && mayMove && showsBefore !== undefined;
  if (!isAllowed || intent.phase !== 'inDoubt') return undefined;
  const found = showsBefore(toAttempted(intent), seen);
  if (!stayedAsItWas(run, intent, found.length > 0)) return undefined;
  const closing = { by: 'evidence', evidence: evidence(seen, ...found), why: AS_IT_WAS } as const;
  return { intent, verdict: 'notDone', ...closing };
}

function unknowable(run: Doubting, intent: IntentState): Settlement | undefined {
  if (intent.phase !== 'inDoubt' || !KINDS[intent.task].endsUnknown) return undefined;
  if (doubtedFor(run, intent) < DIP_MS + QUARANTINE_MS) return undefined;
  return { intent, verdict: 'unknown', by: 'evidence', evidence: [], why: NO_EVIDENCE };
}

/**
 * How long this process has had an intent in doubt, on its own monotonic clock; the observations
 * and times of other processes do not count. The quarantine of a task that was accepted and can no
 * longer be read starts when it should have ended (protocol Q4, Q12).
 */
function doubtedFor(run: Doubting, intent: IntentState): Milliseconds {
  const now = run.clock.monotonic();
  const from = (): Milliseconds => now + untilDeadline(run, intent);
  return run.inFlight.of(intent).doubtedFor(now, from);
}

function untilDeadline(run: Doubting, intent: IntentState): Milliseconds {
  if (intent.taskId === undefined) return 0;
  const { pending, running } = findTimeouts(run.documents, intent);
  const startedBy = run.inFlight.of(intent).runningSince ?? intent.attemptedAt + pending;
  return Math.max(0, startedBy + running[intent.task] - run.clock.now());
}

/**
 * Whether enough reads, far enough apart, have shown the device unchanged, the last of them after
 * the quarantine. Counts this read; a different result starts the count again.
 */
function stayedAsItWas(run: Doubting, intent: IntentState, isBefore: boolean): boolean {
  const flight = run.inFlight.of(intent);
  if (!isBefore) {
    flight.noteChange();
    return false;
  }
  const reads = flight.countUnchanged(run.clock.monotonic(), APART_MS) ?? 0;
  return reads >= READS && doubtedFor(run, intent) >= QUARANTINE_MS;
}
