import type { Readback } from '../kinds/kind.ts';
import { KINDS } from '../kinds/index.ts';
import type { DiscoveredDevice } from '../model/fleet/device.ts';
import type { IntentState } from '../model/ledger/memory.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import type { Ports } from './ports.ts';
import type { WorldCode } from '../model/error.ts';
import type { TaskType } from '../model/fleet/task.ts';
import { getOrAdd } from '../lib/maps.ts';

/** When a task was seen to have succeeded, by the service's clock if its answer has a time. */
export interface Completion {
  readonly completedAt: Instant;
  readonly undated: boolean;
}

/**
 * The observations of this run about one open intent. A new run starts without them; everything
 * else is in the ledger.
 */
export class Flight {
  /** The answer that last showed `completed` with `succeeded`. */
  completion: Completion | undefined;
  /** The ID that the service gave the onboarded device, from its device task. */
  onboardedId: string | undefined;
  #steady: { readonly shows: string; readonly since: Milliseconds } | undefined;
  runningSince: Instant | undefined;
  #absences = 0;
  #absentSince: Instant = 0;
  #badAnswer: { readonly at: Milliseconds; readonly code: WorldCode } | undefined;
  /** When its task was polled last; undefined before the first poll. */
  polledAt: Instant | undefined;
  /** Past its deadline: still polled, but the run no longer waits for it. */
  isOverdue = false;
  /** The last answer about this device was not understood. */
  isUnclear = false;
  /** The device was read by its ID after its task had ended. */
  isReadById = false;
  #doubtFrom: Milliseconds | undefined;
  /** The first observation of the device by this process while it was in doubt. */
  first: Readback | undefined;
  #unchanged: { readonly reads: number; readonly at: Milliseconds } | undefined;

  /**
   * When the last poll of its task failed or had a bad answer, on the monotonic clock; 0 after a
   * good one.
   */
  get badAnswerAt(): Milliseconds {
    return this.#badAnswer?.at ?? 0;
  }

  /** Why the last poll did not return its task; undefined if it did, and before the first poll. */
  get unread(): WorldCode | undefined {
    return this.#badAnswer?.code;
  }

  noteAnswer(
    polledAt: Instant,
    bad: { readonly at: Milliseconds; readonly code: WorldCode } | undefined,
  ): void {
    this.polledAt = polledAt;
    this.#badAnswer = bad;
  }

  /** The last poll did not show, or not clearly, how its device stands. */
  get isUnseen(): boolean {
    return this.#badAnswer !== undefined || this.isUnclear || this.#absences > 0;
  }

  /** A poll has returned its task with this device; `isUnclear`: what it says is not understood. */
  noteShown(isUnclear: boolean): void {
    this.#absences = 0;
    this.isUnclear = isUnclear;
  }

  /** @returns polls in a row without it, this one included, and the time that they span */
  countAbsence(now: Instant): { readonly absences: number; readonly spanned: Milliseconds } {
    this.#absences += 1;
    if (this.#absences === 1) this.#absentSince = now;
    return { absences: this.#absences, spanned: now - this.#absentSince };
  }

  /** Its task succeeded, so the run waits for it again until the device shows the effect. */
  complete(completion: Completion, onboardedId?: string): void {
    this.completion = completion;
    this.onboardedId = onboardedId ?? this.onboardedId;
    this.isOverdue = false;
  }

  /**
   * How long reads in a row have had the same result since the task ended, on the monotonic clock.
   */
  steadyFor(shows: string, now: Milliseconds): Milliseconds {
    const since = this.#steady?.shows === shows ? this.#steady.since : now;
    this.#steady = { shows, since };
    return now - since;
  }

  /**
   * How long this process has had it in doubt, on the monotonic clock; the first call sets the
   * start to `from`.
   */
  doubtedFor(now: Milliseconds, from: () => Milliseconds): Milliseconds {
    this.#doubtFrom ??= from();
    return now - this.#doubtFrom;
  }

  /**
   * Counts a read with the device unchanged, if enough time has passed since the previous one.
   * @returns how many in a row; undefined where this one does not count
   */
  countUnchanged(now: Milliseconds, apart: Milliseconds): number | undefined {
    const { reads, at } = this.#unchanged ?? { reads: 0, at: -Infinity };
    const counts = now - at >= apart;
    if (!counts) return undefined;
    this.#unchanged = { reads: reads + 1, at: now };
    return reads + 1;
  }

  /** A read had a different result. */
  noteChange(): void {
    this.#unchanged = undefined;
  }

  /** A lost task can be read again, so the observations while it was in doubt are reset. */
  endDoubt(): void {
    this.#doubtFrom = undefined;
    this.first = undefined;
    this.#unchanged = undefined;
  }
}

/** The open intents of this run and of earlier runs, with one flight for each. */
export class InFlight {
  readonly #ports: Pick<Ports, 'journal' | 'clock' | 'watchesUntil'>;
  readonly #flights = new Map<string, Flight>();
  /** The discovered devices that this run tries to onboard. */
  readonly sought = new Map<string, DiscoveredDevice>();
  readonly #users = new Map<string, string>();
  readonly #took = new Map<TaskType, Milliseconds[]>();

  constructor(ports: Pick<Ports, 'journal' | 'clock' | 'watchesUntil'>) {
    this.#ports = ports;
  }

  /** The flight of an intent; a new one at the first call. */
  of({ id }: Pick<IntentState, 'id'>): Flight {
    return getOrAdd(this.#flights, id, () => new Flight());
  }

  /** The intent is closed. */
  end(intentId: string): void {
    this.#flights.delete(intentId);
  }

  /** Intents that this run has handled and not closed. */
  get intentIds(): Iterable<string> {
    return this.#flights.keys();
  }

  /** Open intents whose service task is known and can be polled. */
  running(): readonly IntentState[] {
    return this.#open().filter(({ phase }) => phase === 'running');
  }

  /** Open intents whose outcome is in doubt. */
  inDoubt(): readonly IntentState[] {
    return this.#open().filter(({ phase }) => phase === 'inDoubt' || phase === 'open');
  }

  /**
   * The number of devices that this run still waits for: those whose task is accepted, not closed
   * and not past its deadline, and those in doubt while this run watches for evidence.
   */
  awaited(): number {
    const atWork = this.running().filter((intent) => !this.of(intent).isOverdue).length;
    return atWork + this.inDoubt().filter((intent) => this.#isWatched(intent)).length;
  }

  /** A poll has shown that the task of an intent has ended. */
  noteTook({ task, attemptedAt }: IntentState): void {
    const took = getOrAdd(this.#took, task, () => []);
    const age = this.#ports.clock.now() - attemptedAt;
    if (took.includes(age)) return;
    took.push(age);
    took.sort((a, b) => a - b);
  }

  /** The median of the times after which polls of this run showed ends of such tasks, if above `age`; 0 without any. */
  tookAfter(task: TaskType, age: Milliseconds): Milliseconds {
    const took = this.#took.get(task) ?? [];
    const first = took.findIndex((one) => one > age);
    return first === -1 ? 0 : (took[(first + took.length) >> 1] ?? 0);
  }

  /**
   * Records the user that tasks have, under keys that share a user.
   * @returns whether one of the keys had another user before
   */
  isOtherUser(keys: readonly string[], userName: string): boolean {
    const isOther = keys.some((key) => (this.#users.get(key) ?? userName) !== userName);
    for (const key of keys) if (!this.#users.has(key)) this.#users.set(key, userName);
    return isOther;
  }

  #open(): readonly IntentState[] {
    return this.#ports.journal.memory.open();
  }

  /**
   * A task that shows its effect soon or never is watched only for that time; any other for the
   * requested duration.
   */
  #isWatched({ task, marker, attemptedAt }: IntentState): boolean {
    const { clock, watchesUntil } = this.#ports;
    if (clock.monotonic() < watchesUntil) return true;
    const soon = KINDS[task].showsWithin?.(marker) ?? 0;
    return soon > 0 && clock.now() <= attemptedAt + soon;
  }
}

/**
 * Every service task that an intent has been in: a device that failed in one may already be in
 * another, while other devices of the first are still running.
 */
export function listTaskIds(intent: IntentState): readonly string[] {
  const attempts = [intent, ...(intent.earlier ?? [])];
  return attempts.flatMap(({ taskId }) => (taskId === undefined ? [] : [taskId]));
}

/** Why a running task could not be read, as the detail of its ending; undefined if it could. */
export function findUnreadDetail({ unread }: Pick<Flight, 'unread'>): string | undefined {
  return unread === undefined ? undefined : (UNREAD_DETAILS[unread] ?? 'taskUnread');
}

const UNREAD_DETAILS: Readonly<Partial<Record<WorldCode, string>>> = {
  forbidden: 'taskForbidden',
  notFound: 'taskNotReturned',
};
