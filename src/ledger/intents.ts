import type { IntentState } from '../model/memory.ts';
import type { AttemptedIntent, RecordBody } from '../model/record.ts';
import type { TaskType } from '../model/task.ts';
import type { Instant } from '../model/time.ts';
import type { Parts } from './parts.ts';
import {
  eventOf,
  isOpen,
  next,
  PHASE_OF,
  standingOf,
  type Event,
  type SettledBy,
} from './transitions.ts';

type Body<T extends RecordBody['type']> = Extract<RecordBody, { readonly type: T }>;
type Told = Partial<
  Pick<IntentState, 'outcome' | 'row' | 'taskId' | 'verdict' | 'settledAt' | 'seconds'>
>;

/**
 * The intents of a ledger while records are folded in; what the table of transitions does not allow
 * changes nothing.
 */
export class IntentLog {
  readonly #from: Parts;
  readonly #changed = new Map<string, IntentState>();
  readonly #devices = new Map<string, readonly string[]>();
  readonly #open: Set<string>;
  readonly #unanswered: Map<string, readonly string[]>;
  readonly #attemptEpochs: Map<string, number>;

  constructor(from: Parts) {
    this.#from = from;
    this.#open = new Set(from.open);
    this.#unanswered = new Map(from.unanswered);
    this.#attemptEpochs = new Map(from.attemptEpochs);
  }

  get(id: string): IntentState | undefined {
    return this.#changed.get(id) ?? this.#from.intents.get(id);
  }

  /** Ids of the intents of a device, oldest first. */
  of(device: string): readonly string[] {
    return this.#devices.get(device) ?? this.#from.byDevice.get(device) ?? [];
  }

  /** The open intents that an attempt left behind, answered or not. */
  leftBy(attemptId: string): readonly IntentState[] {
    const ids = this.#unanswered.get(attemptId) ?? this.#open;
    return [...ids]
      .map((id) => this.get(id))
      .filter((intent) => intent !== undefined)
      .filter((intent) => isOpen(intent) && intent.attemptId === attemptId);
  }

  isUnanswered(attemptId: string): boolean {
    return this.#unanswered.has(attemptId);
  }

  /** Attempts without a RESULT that an epoch wrote. */
  unansweredOf(epoch: number): readonly string[] {
    return [...this.#attemptEpochs].filter(([, of]) => of === epoch).map(([id]) => id);
  }

  /**
   * Opens every intent of an attempt, whatever it was before: something may have been sent to these
   * devices.
   */
  attempt(body: Body<'ATTEMPT'>, by: { readonly epoch: number; readonly at: Instant }): void {
    for (const intent of body.intents) {
      const before = this.get(intent.id);
      if (before === undefined) {
        this.#devices.set(intent.device, [...this.of(intent.device), intent.id]);
      }
      const attempts = (before?.attempts ?? 0) + 1;
      this.#put({ ...opened(intent, body), attempts, attemptedAt: by.at });
    }
    const ids = body.intents.map((intent) => intent.id);
    this.#unanswered.set(body.attemptId, ids);
    this.#attemptEpochs.set(body.attemptId, by.epoch);
  }

  /** Takes in a RESULT, however late; returns the task type where it was accepted. */
  answer(body: Body<'RESULT'>): TaskType | undefined {
    const { outcome, row, taskId } = body;
    const left = this.leftBy(body.attemptId);
    for (const intent of left) {
      const told = { outcome, row, ...(taskId === undefined ? {} : { taskId }) };
      this.#move(intent, eventOf(outcome, row), told);
    }
    this.#close(body.attemptId);
    return outcome === 'accepted' ? left[0]?.task : undefined;
  }

  settle(body: Body<'SETTLED'>, settledAt: Instant): void {
    const intent = this.get(body.intentId);
    if (intent === undefined) return;
    const { verdict, by, seconds } = body;
    const told = { verdict, settledAt, ...(seconds === undefined ? {} : { seconds }) };
    this.#move(intent, `settled ${verdict}`, told, by);
    this.#forget(intent);
  }

  loseTask(ids: readonly string[]): void {
    for (const id of ids) {
      const intent = this.get(id);
      if (intent) this.#move(intent, 'taskLost', {});
    }
  }

  /**
   * The runs up to an epoch are gone: an attempt of theirs without a RESULT is in doubt (row P12).
   */
  leave(epoch: number): void {
    for (const [attemptId, of] of this.#attemptEpochs) {
      if (of > epoch) continue;
      for (const intent of this.leftBy(attemptId)) {
        if (intent.phase === 'open')
          this.#move(intent, 'runGone', { outcome: 'inDoubt', row: 'P12' });
      }
    }
  }

  finish(): Pick<Parts, 'intents' | 'byDevice' | 'open' | 'unanswered' | 'attemptEpochs'> {
    return {
      intents: this.#from.intents.with(this.#changed),
      byDevice: this.#from.byDevice.with(this.#devices),
      open: this.#open,
      unanswered: this.#unanswered,
      attemptEpochs: this.#attemptEpochs,
    };
  }

  #move(intent: IntentState, on: Event, told: Told, by?: SettledBy): void {
    const of = { task: intent.task, ...(by === undefined ? {} : { by }) };
    const to = next(standingOf(intent), on, of);
    if (to === undefined) return;
    const attempts = intent.attempts - (on === 'notSent' ? 1 : 0);
    this.#put({ ...intent, ...told, phase: PHASE_OF[to], attempts });
  }

  #put(intent: IntentState): void {
    this.#changed.set(intent.id, intent);
    if (isOpen(intent)) this.#open.add(intent.id);
    else this.#open.delete(intent.id);
  }

  /**
   * A settled intent waits for no RESULT; an attempt whose intents are all settled waits for none
   * either.
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

function opened(
  intent: AttemptedIntent,
  { attemptId, task }: Body<'ATTEMPT'>,
): Omit<IntentState, 'attempts' | 'attemptedAt'> {
  const { id, device, target, generation, policy, sites, marker } = intent;
  return { id, task, device, target, generation, policy, sites, marker, phase: 'open', attemptId };
}
