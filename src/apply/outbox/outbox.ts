import { WorldError } from '../../model/error.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import type { Unrecorded } from '../../model/ledger/run-report.ts';
import type { Health } from '../health.ts';
import type { Ports } from '../ports.ts';
import { changesBetween } from '../../model/ledger/memory-changes.ts';
import { listTaskIds } from '../in-flight.ts';
import { Interrupted, orGrace } from '../stop.ts';
import { pick } from '../../lib/objects.ts';

export type Result = Extract<RecordBody, { readonly type: 'RESULT' }>;

/**
 * Replaces the row where the process that wrote the ATTEMPT knows that it sent no byte (protocol
 * Q1).
 */
export const NOT_TRIED = 'notTried';

/** The row of the outcome table for an accepted task. */
const ACCEPTED = 'P03';

/** A read or a write of the ledger's store failed; its existing records are unchanged. */
export function isStoreFailure(error: unknown): error is WorldError {
  return error instanceof WorldError && error.code === 'storeFailed';
}

/**
 * Appends records that do not depend on the rest of the ledger. If another run appended first, they
 * are appended to the new head, without those that `stillHolds` rejects. Stops are told once they are on record.
 */
export async function record(
  { journal, progress }: Pick<Ports, 'journal' | 'progress'>,
  bodies: readonly RecordBody[],
  stillHolds: (body: RecordBody, memory: Memory) => boolean = () => true,
): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    const left = bodies.filter((body) => stillHolds(body, journal.memory));
    if (left.length > 0 && (await journal.append(left)) !== 'acknowledged') continue;
    for (const body of left)
      if (body.type === 'STOP')
        progress({ ...pick(body, 'scope', 'rule', 'counts'), type: 'stop.tripped' });
    return;
  }
  throw new WorldError('locked', { cause: 'appends lost' });
}

type OutboxPorts = Pick<Ports, 'journal' | 'clock' | 'stop' | 'spool' | 'progress'>;

/**
 * The results that are not in the ledger yet: no attempt is made before it has them all (I14). The
 * local spool keeps acceptances too, for a later run on this machine.
 */
export class Outbox {
  readonly #ports: OutboxPorts;
  readonly #health: Health;
  /** By attempt id. */
  readonly #results = new Map<string, Result>();
  /** The file of the local spool that has the acceptance of an attempt. */
  readonly #files = new Map<string, string>();
  #failure: WorldError | undefined;
  /** The ledger did not answer within the grace period of a signal. */
  #isLate = false;
  /**
   * Attempts whose ATTEMPT could not be written, according to this process, and which it therefore
   * never sent.
   */
  readonly #unsent = new Set<string>();

  /** The service tasks in the ledger, and the state of it that they are from. */
  readonly #tasks = new Set<string>();
  #counted: Memory | undefined;

  constructor(ports: OutboxPorts, health: Health) {
    this.#ports = ports;
    this.#health = health;
  }

  /** The number of results that are not in the ledger yet. */
  get size(): number {
    return this.#results.size;
  }

  /** The number of attempts that were never sent because their ATTEMPT appeared to fail. */
  get unsent(): number {
    return this.#unsent.size;
  }

  /** The service task of an attempt whose acceptance is not in the ledger yet. */
  taskOf(attemptId: string): string | undefined {
    return this.#results.get(attemptId)?.taskId;
  }

  /** The outcomes of sent attempts that are not in the ledger yet, and where else they are. */
  unrecorded(): readonly Unrecorded[] {
    const sent = [...this.#results.values()].filter(
      ({ attemptId }) => !this.#unsent.has(attemptId),
    );
    return sent.map(({ attemptId, row, taskId }) => {
      const file = this.#files.get(attemptId);
      return { attemptId, row, ...(taskId && { taskId }), ...(file && { file }) };
    });
  }

  /** Why the ledger did not take the last result that is held. */
  get failure(): WorldError | undefined {
    return this.size === 0 ? undefined : this.#failure;
  }

  /** Whether an attempt in the ledger has this service task. It costs what came since the last call. */
  hasTask(taskId: string): boolean {
    const { memory } = this.#ports.journal;
    const intents = this.#counted
      ? changesBetween(this.#counted, memory).intents
      : memory.intents.values();
    for (const intent of intents) for (const id of listTaskIds(intent)) this.#tasks.add(id);
    this.#counted = memory;
    return this.#tasks.has(taskId);
  }

  /** This process knows the outcome of the attempt, even if the ledger does not. */
  knows(attemptId: string): boolean {
    return this.#results.has(attemptId) || this.#unsent.has(attemptId);
  }

  /**
   * Writes a RESULT, or holds it while the ledger cannot take it. After a request to stop, the run
   * tries only for the grace period of a signal, and throws the failure; `Interrupted` at the second
   * request.
   */
  async write(result: Result): Promise<void> {
    const { stop } = this.#ports;
    if (stop.requested === 'now') return;
    try {
      await this.#append(result);
    } catch (error) {
      await this.#spool(result);
      this.hold(result);
      this.#note(error);
      if (!isStoreFailure(error) || stop.requested !== 'no') throw error;
      this.#health.failure = error;
    }
  }

  /** Holds a result until the ledger takes it. */
  hold(result: Result): void {
    this.#results.set(result.attemptId, result);
  }

  /**
   * Holds a `notSent` for an ATTEMPT that could not be written, according to this process. It is
   * written only once the ledger turns out to have the ATTEMPT; no other process can write it.
   */
  holdNotSent(attemptId: string): void {
    this.#unsent.add(attemptId);
    this.hold({ type: 'RESULT', attemptId, outcome: 'notSent', row: NOT_TRIED });
  }

  /**
   * Tries again to write the held results. Throws the failure once the lease has ended (protocol
   * X16): the next run finds the local spool, or an attempt in doubt.
   * @returns whether none is held any more
   */
  async flush(): Promise<boolean> {
    const { journal } = this.#ports;
    for (const attemptId of this.#unsent)
      if (journal.memory.unanswered.has(attemptId)) this.holdNotSent(attemptId);
    for (const result of this.#results.values()) {
      const { attemptId } = result;
      try {
        if (await this.#isAttempted(attemptId)) await this.#append(result);
      } catch (error) {
        this.#note(error);
        if (!isStoreFailure(error) || !journal.isHeld()) throw error;
        this.#health.failure = error;
        return false;
      }
      this.#results.delete(attemptId);
      await this.#unspool(attemptId);
    }
    return true;
  }

  /**
   * The last try at the end of a run; the next run finishes what fails here. A ledger that has used
   * up the grace period of a signal is not asked again.
   */
  async flushAtEnd(): Promise<void> {
    if (this.#isLate || this.#results.size + this.#unsent.size === 0) return;
    try {
      await this.#refresh();
      await this.flush();
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      this.#note(error);
    }
  }

  /**
   * Records the acceptances that an earlier run on this machine could not record, before their
   * attempts become in doubt. The spool deletes those that the ledger has closed meanwhile.
   */
  async recordSpooled(): Promise<void> {
    const spooled = (await this.#ports.spool?.all()) ?? [];
    for (const { attemptId, taskId } of spooled) {
      const result = {
        type: 'RESULT',
        attemptId,
        outcome: 'accepted',
        row: ACCEPTED,
        taskId,
      } as const;
      await record(this.#ports, [result], (_, memory) =>
        memory
          .open()
          .some((intent) => intent.attemptId === attemptId && intent.taskId === undefined),
      );
      await this.#unspool(attemptId);
    }
  }

  /**
   * Saves the ID of an accepted task in the local spool and reports that. Without it the attempt
   * would be in doubt although the service answered. Never fails.
   */
  async #spool({ attemptId, taskId, outcome }: Result): Promise<void> {
    if (outcome !== 'accepted' || taskId === undefined) return;
    const { spool, progress } = this.#ports;
    const place = await spool?.keep({ attemptId, taskId }).catch(() => undefined);
    if (place !== undefined) this.#files.set(attemptId, place);
    const parameters = { attemptId, taskId, ...(place !== undefined && { place }) };
    progress({ type: 'warning', code: 'unrecorded', parameters });
  }

  #note(error: unknown): void {
    if (error instanceof WorldError) this.#failure = error;
  }

  /** The ledger has the result after all. */
  async #unspool(attemptId: string): Promise<void> {
    await this.#ports.spool?.forget(attemptId).catch(() => undefined);
  }

  /** Whether the ledger has the ATTEMPT; one that arrives later gets its result then. */
  async #isAttempted(attemptId: string): Promise<boolean> {
    const { journal } = this.#ports;
    if (!this.#unsent.has(attemptId) || journal.memory.unanswered.has(attemptId)) return true;
    await this.#refresh();
    return journal.memory.unanswered.has(attemptId);
  }

  async #append(result: Result): Promise<void> {
    await this.#inGrace(record(this.#ports, [result], isUnrecorded));
  }

  async #refresh(): Promise<void> {
    await this.#inGrace(this.#ports.journal.refresh());
  }

  /** A person who stops a run must not wait long for a ledger; one who leaves it says nothing about the ledger. */
  async #inGrace(work: Promise<void>): Promise<void> {
    const done = await orGrace(work, this.#ports);
    this.#isLate = done === 'late';
    if (!this.#isLate) return;
    if (this.#ports.stop.requested === 'now') throw new Interrupted();
    throw new WorldError('storeFailed', {}, { retry: 'safe' });
  }
}

/**
 * An append that appeared to fail may have succeeded, and another run may have closed the attempt
 * since.
 */
function isUnrecorded(body: RecordBody, memory: Memory): boolean {
  if (body.type !== 'RESULT') return false;
  return memory
    .open()
    .filter(({ attemptId }) => attemptId === body.attemptId)
    .some(({ taskId, row }) => taskId === undefined && row !== body.row);
}
