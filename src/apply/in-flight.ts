import type { Observation } from '../kinds/kind.ts';
import { KINDS } from '../kinds/index.ts';
import type { DiscoveredDevice } from '../model/fleet/device.ts';
import type { IntentState } from '../model/ledger/memory.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import type { Ports } from './ports.ts';

/** When a task was seen to have ended well, by the service's clock unless its answer carried no time. */
export interface Completion {
  readonly completedAt: Instant;
  readonly undated: boolean;
}

/**
 * What this run has seen of one open intent; the ledger keeps the rest, so a new run starts with none
 * of it.
 */
export class Flight {
  #completion: Completion | undefined;
  #onboardedId: string | undefined;
  #steady: { readonly shows: string; readonly since: Milliseconds } | undefined;
  #runningSince: Instant | undefined;
  #absences = 0;
  #absentSince: Instant = 0;
  #badAnswerAt: Milliseconds = 0;
  #isOverdue = false;
  #doubtFrom: Milliseconds | undefined;
  #first: Observation | undefined;
  #unchanged: { readonly reads: number; readonly at: Milliseconds } | undefined;

  /** The answer that last showed `completed` with `succeeded`. */
  get completion(): Completion | undefined {
    return this.#completion;
  }

  /** The id that the service gave the device when it was onboarded, as its device task shows it. */
  get onboardedId(): string | undefined {
    return this.#onboardedId;
  }

  get runningSince(): Instant | undefined {
    return this.#runningSince;
  }

  /** Past its deadline: polled on, but waited for no longer. */
  get isOverdue(): boolean {
    return this.#isOverdue;
  }

  /** When the last poll of its task got a bad answer, or none, on the monotonic clock; 0: a good one. */
  get badAnswerAt(): Milliseconds {
    return this.#badAnswerAt;
  }

  /** What this process saw first of the device while it was in doubt. */
  get first(): Observation | undefined {
    return this.#first;
  }

  noteAnswer(badAt: Milliseconds | undefined): void {
    this.#badAnswerAt = badAt ?? 0;
  }

  /** A poll has shown its task, and this device in it. */
  noteShown(): void {
    this.#absences = 0;
  }

  /** @returns polls in a row that did not show it, this one counted, and the time that they span */
  countAbsence(now: Instant): { readonly absences: number; readonly spanned: Milliseconds } {
    this.#absences += 1;
    if (this.#absences === 1) this.#absentSince = now;
    return { absences: this.#absences, spanned: now - this.#absentSince };
  }

  noteRunning(now: Instant): void {
    this.#runningSince ??= now;
  }

  /** Its task ended well, so that it is waited for again until that shows on the device. */
  complete(completion: Completion, onboardedId?: string): void {
    this.#completion = completion;
    this.#onboardedId = onboardedId ?? this.#onboardedId;
    this.#isOverdue = false;
  }

  passDeadline(): void {
    this.#isOverdue = true;
  }

  /** For how long reads in a row have shown the same since the task ended, on the monotonic clock. */
  steadyFor(shows: string, now: Milliseconds): Milliseconds {
    const since = this.#steady?.shows === shows ? this.#steady.since : now;
    this.#steady = { shows, since };
    return now - since;
  }

  noteObservation(seen: Observation): void {
    this.#first ??= seen;
  }

  /** How long this process has had it in doubt, on the monotonic clock; from `from` on, the first time. */
  doubtedFor(now: Milliseconds, from: () => Milliseconds): Milliseconds {
    this.#doubtFrom ??= from();
    return now - this.#doubtFrom;
  }

  /**
   * Counts a read that showed the device as it was before, where it is far enough from the one before.
   * @returns how many counted in a row; undefined where this one does not count
   */
  countUnchanged(now: Milliseconds, apart: Milliseconds): number | undefined {
    const { reads, at } = this.#unchanged ?? { reads: 0, at: -Infinity };
    const counts = now - at >= apart;
    if (!counts) return undefined;
    this.#unchanged = { reads: reads + 1, at: now };
    return reads + 1;
  }

  /** A read has shown something else. */
  noteChange(): void {
    this.#unchanged = undefined;
  }

  /** A task that was lost can be read again: what was noted while it was in doubt is over. */
  endDoubt(): void {
    this.#doubtFrom = undefined;
    this.#first = undefined;
    this.#unchanged = undefined;
  }
}

/** What this run has under way, or has taken over from earlier runs: one flight for each open intent. */
export class InFlight {
  readonly #ports: Pick<Ports, 'journal' | 'clock' | 'watchesUntil'>;
  readonly #flights = new Map<string, Flight>();
  readonly #sought = new Map<string, DiscoveredDevice>();
  readonly #users = new Map<string, string>();

  constructor(ports: Pick<Ports, 'journal' | 'clock' | 'watchesUntil'>) {
    this.#ports = ports;
  }

  /** What this run knows of an intent; nothing yet where it meets it for the first time. */
  of({ id }: Pick<IntentState, 'id'>): Flight {
    const known = this.#flights.get(id);
    if (known) return known;
    const flight = new Flight();
    this.#flights.set(id, flight);
    return flight;
  }

  /** The intent is closed. */
  end(intentId: string): void {
    this.#flights.delete(intentId);
  }

  /** Intents that this run has met and that are not closed by it. */
  get intentIds(): Iterable<string> {
    return this.#flights.keys();
  }

  /** Open intents whose service task is known and can be polled. */
  running(): readonly IntentState[] {
    return this.#open().filter(({ phase }) => phase === 'running');
  }

  /** Open intents of which nobody knows whether they ran. */
  inDoubt(): readonly IntentState[] {
    return this.#open().filter(({ phase }) => phase === 'inDoubt' || phase === 'open');
  }

  /**
   * How many devices this run still waits for: those whose task is accepted, and neither settled nor past
   * its deadline, and those in doubt, as long as this run watches for evidence.
   */
  awaited(): number {
    const atWork = this.running().filter((intent) => !this.of(intent).isOverdue).length;
    return atWork + this.inDoubt().filter((intent) => this.#isWatched(intent)).length;
  }

  /** A discovered device that this run set out to onboard. */
  seek(device: DiscoveredDevice): void {
    this.#sought.set(device.id, device);
  }

  soughtDevice(deviceId: string): DiscoveredDevice | undefined {
    return this.#sought.get(deviceId);
  }

  /**
   * Notes which user tasks name, under keys that share a user.
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

  /** What shows itself soon or never is watched for so long; anything else as long as the run was asked to. */
  #isWatched({ task, marker, attemptedAt }: IntentState): boolean {
    const { clock, watchesUntil } = this.#ports;
    if (clock.monotonic() < watchesUntil) return true;
    const soon = KINDS[task].showsWithin?.(marker) ?? 0;
    return soon > 0 && clock.now() <= attemptedAt + soon;
  }
}

/**
 * Every task of the service that an intent has been in: a device that failed in one may have another by now, while the
 * rest of the first goes on.
 */
export function taskIdsOf(intent: IntentState): readonly string[] {
  const attempts = [intent, ...(intent.earlier ?? [])];
  return attempts.flatMap(({ taskId }) => (taskId === undefined ? [] : [taskId]));
}
