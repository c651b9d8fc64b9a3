import { KINDS } from '../../kinds/index.ts';
import { verify } from '../../kinds/verify.ts';
import { WorldError } from '../../model/error.ts';
import type { Readback, Attempted } from '../../kinds/kind.ts';
import type { IntentState, Memory } from '../../model/ledger/memory.ts';
import type { RecordBody, ResultEvidence, ResultVerdict } from '../../model/ledger/record.ts';
import type { Health } from '../health.ts';
import { record } from '../outbox/outbox.ts';
import { intentChangeId, type Said, classOf, intentChange, type Outcomes } from '../outcomes.ts';
import { orMissed } from '../service-absence.ts';
import { isLost, verifyLimit, findTimeouts } from './timeouts.ts';
import { nextStatus, intentStatus } from '../../ledger/transitions.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { TASK_OF } from '../../model/fleet/task.ts';
import type { ShownInstead } from '../../model/ledger/run-report.ts';
import type { InFlight } from '../in-flight.ts';
import type { Ports } from '../ports.ts';
import { evidence } from '../../kinds/evidence.ts';
import { DIP_MS } from '../../kinds/restart-device.ts';
import { isSameSign } from '../../ledger/intents.ts';
import { QUARANTINE_MS, READ_DELAY_MS } from '../../model/fleet/read-delay.ts';

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
