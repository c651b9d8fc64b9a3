import type { IntentState, PastAttempt } from '../model/ledger/memory.ts';
import type { Rename } from '../model/ledger/renames.ts';
import type { ResultEvidence, RecordBody } from '../model/ledger/record.ts';
import { ROW_WITHOUT_RESULT } from '../model/ledger/record.ts';
import { TASK_OF, type TaskType } from '../model/fleet/task.ts';
import { pick } from '../lib/objects.ts';
import type { Instant } from '../lib/time.ts';
import type { MemoryParts } from './memory-parts.ts';
import {
  resultEvent,
  isOpen,
  nextStatus,
  PHASE_OF,
  intentStatus,
  type IntentEvent,
  type SettledBy,
} from './transitions.ts';

type Body<T extends RecordBody['type']> = Extract<RecordBody, { readonly type: T }>;
type IntentUpdate = Partial<
  Pick<
    IntentState,
    'outcome' | 'row' | 'taskId' | 'verdict' | 'settledAt' | 'managedId' | 'seconds' | 'why'
  >
>;

/** An event on an intent: its update, its instant, and for a settlement its author. */
interface Step {
  readonly on: IntentEvent;
  readonly update: IntentUpdate;
  readonly at: Instant;
  readonly by?: SettledBy;
}

/** The context of an ATTEMPT: its epoch, its instant, and its policy's rollout. */
interface AttemptContext {
  readonly epoch: number;
  readonly at: Instant;
  readonly rolloutOf: (policy: string) => number | undefined;
}

/**
 * The intents of a ledger during a fold. An event that the transition table does not allow changes
 * nothing.
 */
export class IntentLog {
  readonly #from: MemoryParts;
  readonly #changed = new Map<string, IntentState>();
  readonly #devices = new Map<string, readonly IntentState[]>();
  readonly #open: Set<string>;
  readonly #unanswered: Map<string, readonly string[]>;
  readonly #attemptEpochs: Map<string, number>;

  constructor(from: MemoryParts) {
    this.#from = from;
    this.#open = new Set(from.open);
    this.#unanswered = new Map(from.unanswered);
    this.#attemptEpochs = new Map(from.attemptEpochs);
  }

  get(id: string): IntentState | undefined {
    return this.#changed.get(id) ?? this.#from.intents.get(id);
  }

  /** The intents of a device, oldest first. */
  of(device: string): readonly IntentState[] {
    return this.#devices.get(device) ?? this.#from.byDevice.get(device) ?? [];
  }

  /** The open intents of an attempt, with or without a RESULT. */
  leftBy(attemptId: string): readonly IntentState[] {
    const ids = this.#unanswered.get(attemptId) ?? this.#open;
    return [...ids]
      .flatMap((id) => this.get(id) ?? [])
      .filter((intent) => isOpen(intent) && intent.attemptId === attemptId);
  }

  isUnanswered(attemptId: string): boolean {
    return this.#unanswered.has(attemptId);
  }

  /** The attempts of an epoch that have no RESULT. */
  unansweredOf(epoch: number): readonly string[] {
    return [...this.#attemptEpochs].filter(([, opened]) => opened === epoch).map(([id]) => id);
  }

  /**
   * Opens every intent of an attempt, whatever its status: the run may have sent something to these
   * devices.
   */
  attempt(body: Body<'ATTEMPT'>, opening: AttemptContext): void {
    for (const intent of body.intents) {
      const before = this.get(intent.id);
      const attempts = (before?.attempts ?? 0) + 1;
      const rollout = opening.rolloutOf(intent.policy);
      const { before: _before, ...known } = intent;
      this.#put({
        task: body.task,
        phase: 'open',
        attemptId: body.attemptId,
        attempts,
        attemptedAt: opening.at,
        ...(rollout !== undefined && { rollout }),
        ...carryEarlier(before),
        ...known,
      });
    }
    const ids = body.intents.map((intent) => intent.id);
    this.#unanswered.set(body.attemptId, ids);
    this.#attemptEpochs.set(body.attemptId, opening.epoch);
  }

  /** Applies a RESULT, however late, and returns the task type if it was accepted. */
  answer(body: Body<'RESULT'>, at: Instant): TaskType | undefined {
    const { outcome, row, taskId } = body;
    const left = this.leftBy(body.attemptId);
    for (const intent of left) {
      const update = { outcome, row, ...(taskId === undefined ? {} : { taskId }) };
      this.#move(intent, { on: resultEvent(body), update, at });
    }
    this.#close(body.attemptId);
    return outcome === 'accepted' ? left[0]?.task : undefined;
  }

  settle(body: Body<'SETTLED'>, settledAt: Instant): void {
    const intent = this.get(body.intentId);
    if (intent === undefined) return;
    const { verdict, by: settledBy, seconds, why } = body;
    const update = {
      verdict,
      settledAt,
      ...(settledBy === 'person' && { settledBy }),
      ...(seconds === undefined ? {} : { seconds }),
      ...(why === undefined ? {} : { why }),
      ...managedAs(intent, body),
    };
    this.#move(intent, { on: `settled ${verdict}`, update, at: settledAt, by: settledBy });
    this.#forget(intent);
  }

  /** Applies an OBSERVED record; evidence that is known already adds nothing. */
  observe({ intentId, evidence }: Body<'OBSERVED'>): void {
    const intent = this.get(intentId);
    if (intent === undefined || !isOpen(intent)) return;
    const { observed = [] } = intent;
    const news = evidence.filter((one) => !observed.some((known) => isSameSign(known, one)));
    if (news.length > 0) this.#put({ ...intent, observed: [...observed, ...news] });
  }

  loseTask(ids: readonly string[], at: Instant): void {
    for (const id of ids) {
      const intent = this.get(id);
      if (intent) this.#move(intent, { on: 'taskLost', update: {}, at });
    }
  }

  /** Puts the attempts of earlier runs, up to an epoch, that have no RESULT in doubt (row P12). */
  leave(epoch: number, at: Instant): void {
    const update = { outcome: 'inDoubt', row: ROW_WITHOUT_RESULT } as const;
    for (const [attemptId, opened] of this.#attemptEpochs) {
      if (opened > epoch) continue;
      for (const intent of this.leftBy(attemptId)) {
        if (intent.phase !== 'open') continue;
        this.#move(intent, { on: 'runGone', update, at });
      }
    }
  }

  /** The intents of a policy are of its new address. */
  rename({ from, to }: Rename): void {
    for (const id of new Set([...this.#from.intents.keys(), ...this.#changed.keys()])) {
      const intent = this.get(id);
      if (intent?.policy === from) this.#put({ ...intent, policy: to });
    }
  }

  finish(): Pick<MemoryParts, 'intents' | 'byDevice' | 'open' | 'unanswered' | 'attemptEpochs'> {
    return {
      intents: this.#from.intents.with(this.#changed),
      byDevice: this.#from.byDevice.with(this.#devices),
      open: this.#open,
      unanswered: this.#unanswered,
      attemptEpochs: this.#attemptEpochs,
    };
  }

  #move(intent: IntentState, { on, update, at, by: settledBy }: Step): void {
    const move = { task: intent.task, ...(settledBy === undefined ? {} : { by: settledBy }) };
    const to = nextStatus(intentStatus(intent), on, move);
    if (to === undefined) return;
    const attempts = intent.attempts - (on === 'notSent' || on === 'turnedAway' ? 1 : 0);
    const doubtSince = to === 'inDoubt' ? { doubtSince: intent.doubtSince ?? at } : {};
    this.#put({ ...intent, ...update, ...doubtSince, phase: PHASE_OF[to], attempts });
  }

  #put(intent: IntentState): void {
    const known = this.of(intent.device);
    const at = known.findIndex(({ id }) => id === intent.id);
    this.#devices.set(intent.device, at === -1 ? [...known, intent] : known.with(at, intent));
    this.#changed.set(intent.id, intent);
    if (isOpen(intent)) this.#open.add(intent.id);
    else this.#open.delete(intent.id);
  }

  /**
   * A settled intent needs no RESULT, and neither does an attempt whose intents are all settled.
   */
  #forget({ id, attemptId }: IntentState): void {
    const waiting = this.#unanswered.get(attemptId)?.filter((other) => other !== id);
    if (waiting === undefined) return;
    if (waiting.length === 0) this.#close(attemptId);
    else this.#unanswered.set(attemptId, waiting);
  }

  #close(attemptId: string): void {
    this.#unanswered.delete(attemptId);
    this.#attemptEpochs.delete(attemptId);
  }
}

/** Whether two pieces of evidence are equal, apart from the instant of the read. */
export function isSameSign(a: Omit<ResultEvidence, 'at'>, b: Omit<ResultEvidence, 'at'>): boolean {
  return a.source === b.source && a.field === b.field && a.value === b.value;
}

/** Where an onboarded device was read back under another ID than that of its discovery. */
function managedAs(
  { task, device }: IntentState,
  { verdict, evidence }: Body<'SETTLED'>,
): Pick<IntentState, 'managedId'> {
  if (task !== TASK_OF.onboarding || verdict !== 'done') return {};
  const id = evidence.find(({ source, field }) => source === 'device' && field === 'id')?.value;
  return id === undefined || id === device ? {} : { managedId: id };
}

/**
 * Outcomes of the earlier attempts. An attempt that was never sent, or was rate-limited, does not
 * count.
 */
function carryEarlier(before: IntentState | undefined): Pick<IntentState, 'earlier'> {
  if (before === undefined) return {};
  const past = [
    ...(before.earlier ?? []),
    ...(before.phase === 'none' ? [] : [toPastAttempt(before)]),
  ];
  return past.length === 0 ? {} : { earlier: past };
}

function toPastAttempt(intent: IntentState): PastAttempt {
  const sent = pick(intent, 'attemptId', 'attemptedAt', 'taskId', 'outcome');
  return { ...sent, ...pick(intent, 'verdict', 'doubtSince', 'settledAt', 'seconds') };
}
