import { stopScopes } from '../model/ledger/scopes.ts';
import { stopKey, type IntentState, type Memory } from '../model/ledger/memory.ts';
import { isOver } from '../model/ledger/pauses.ts';
import { type Instant, parseInstant } from '../lib/time.ts';
import {
  isLeaseless,
  type AttemptedIntent,
  type LedgerRecord,
  type RecordBody,
} from '../model/ledger/record.ts';
import type { MemoryDraft } from './draft.ts';
import { EMPTY_MEMORY, foldMore } from './fold.ts';
import { resultEvent, isOpen, nextStatus, intentStatus } from './transitions.ts';

type Body<T extends RecordBody['type']> = Extract<RecordBody, { readonly type: T }>;

/** The invariants that the records alone can show to be broken (protocol I4, I5, I12, I14, I17). */
export type Invariant = 'I4' | 'I5' | 'I12' | 'I14' | 'I17';

/**
 * A record that the protocol forbids: the record, the rule it breaks, and the intent, attempt or
 * epoch concerned.
 */
export interface Violation {
  readonly seq: number;
  readonly rule: Invariant;
  readonly subject: string;
}

/**
 * Finds every violation of the protocol in `records`, which follow the memory `after` where one is given, while it folds
 * them. The check reads the records alone, so it judges an old ledger as well as an append that is about to happen.
 * @param made as `foldMore` takes it. Throws as that does
 */
export function accept(
  records: Iterable<LedgerRecord>,
  after: Memory = EMPTY_MEMORY,
  made?: RecordBody,
): { readonly violations: readonly Violation[]; readonly memory: Memory } {
  const violations: Violation[] = [];
  const memory = foldMore(after, records, made, (record, before) => {
    violations.push(...violationsOf(record, before));
  });
  return { violations, memory };
}

type Finding = readonly [rule: Invariant, subject: string];

/** How a record violates the protocol after those of a draft. */
export function violationsOf(written: LedgerRecord, draft: MemoryDraft): Violation[] {
  const { seq } = written;
  const record = { ...written, body: draft.present(written.body) };
  const found = [...ofEpoch(draft, record), ...ofBody(draft, record)];
  return found.map(([rule, subject]) => ({ seq, rule, subject }));
}

/** By whom it may be written is all that is asked of these; a further type must say that it is one. */
type Unconditional = Body<
  | 'GENESIS'
  | 'LOCK'
  | 'BEAT'
  | 'RELEASE'
  | 'PLAN'
  | 'ROLLOUT'
  | 'OBSERVED'
  | 'SEEN'
  | 'STOP'
  | 'LIFT'
  | 'PAUSE'
  | 'APPROVED'
  | 'WITHDRAWN'
  | 'GROUND'
  | 'FACTS'
  | 'RENAMED'
  | 'CHECKPOINT'
  | 'ANOMALY'
>;

function ofBody(draft: MemoryDraft, record: LedgerRecord): readonly Finding[] {
  const { body } = record;
  switch (body.type) {
    case 'ATTEMPT':
      return ofAttempt(draft, { ...record, body });
    case 'RESULT':
      return ofResult(draft, { ...record, body });
    case 'SETTLED':
      return ofSettlement(draft, body);
    default:
      // A newer version may write what this one does not know: its fold goes on without it, and so does this.
      body satisfies Unconditional;
      return [];
  }
}

/**
 * A LOCK raises the epoch by one. The holder writes all other records, except a late RESULT and the
 * ANOMALY that reports it as late, and what is appended without a lease in the current epoch.
 */
function ofEpoch(draft: MemoryDraft, { seq, body, epoch }: LedgerRecord): Finding[] {
  if (body.type === 'RESULT' || (body.type === 'GENESIS' && seq === 1)) return [];
  if (isLeaseless(body) || body.type === 'GENESIS')
    return epoch === draft.epoch ? [] : [['I12', String(epoch)]];
  if (body.type === 'ANOMALY' && epoch <= draft.epoch) return [];
  const expected = body.type === 'LOCK' ? draft.epoch + 1 : draft.lease?.epoch;
  return epoch === expected ? [] : [['I12', String(epoch)]];
}

function ofAttempt(
  draft: MemoryDraft,
  { body, epoch, at }: LedgerRecord & { body: Body<'ATTEMPT'> },
): Finding[] {
  const now = parseInstant(at) ?? 0;
  const found: Finding[] = draft.intents.unansweredOf(epoch).map((attemptId) => ['I14', attemptId]);
  const devices = new Set<string>();
  for (const intent of body.intents) {
    if (!mayAttempt(draft.intents.get(intent.id), body)) found.push(['I4', intent.id]);
    if (devices.has(intent.device) || isBusy(draft, intent)) found.push(['I5', intent.id]);
    if (isStopped(draft, intent, now)) found.push(['I17', intent.id]);
    devices.add(intent.device);
  }
  return found;
}

function mayAttempt(intent: IntentState | undefined, { task }: Body<'ATTEMPT'>): boolean {
  return (
    intent === undefined || nextStatus(intentStatus(intent), 'attempt', { task }) !== undefined
  );
}

/** Another intent on the device is open. The transitions cover an attempt on the same intent. */
function isBusy(draft: MemoryDraft, { id, device }: AttemptedIntent): boolean {
  return draft.intents.of(device).some((other) => other.id !== id && isOpen(other));
}

/** A pause covers one of its scopes, by a rule or a person, or an abort covers its target. */
function isStopped(draft: MemoryDraft, intent: AttemptedIntent, now: Instant): boolean {
  if (draft.stops.size + draft.pauses.size === 0) return false;
  const target = draft.targetDigestOf(intent.policy);
  return stopScopes(intent).some((scope) => {
    const pause = draft.pauses.get(scope);
    if (draft.stops.has(scope) || (pause && !isOver(pause, now))) return true;
    return target !== undefined && draft.stops.has(stopKey({ scope, wish: target }));
  });
}

/**
 * Only an attempt with an open intent takes a RESULT. A second RESULT is allowed if it turns doubt
 * into an acceptance, or if a run that lost its lease writes it about its own attempt (protocol
 * Q1).
 */
function ofResult(
  draft: MemoryDraft,
  { body, epoch }: LedgerRecord & { body: Body<'RESULT'> },
): Finding[] {
  const { attemptId, outcome } = body;
  const isOwn = outcome === 'accepted' || epoch < draft.epoch;
  const late = !draft.intents.isUnanswered(attemptId) && !isOwn;
  const allowed = draft.intents
    .leftBy(attemptId)
    .some((intent) => nextStatus(intentStatus(intent), resultEvent(body), intent) !== undefined);
  return late || !allowed ? [['I4', attemptId]] : [];
}

function ofSettlement(
  draft: MemoryDraft,
  { intentId, verdict, by: settledBy }: Body<'SETTLED'>,
): Finding[] {
  const intent = draft.intents.get(intentId);
  const step = intent && { task: intent.task, by: settledBy };
  const to = step && nextStatus(intentStatus(intent), `settled ${verdict}`, step);
  return to === undefined ? [['I4', intentId]] : [];
}
