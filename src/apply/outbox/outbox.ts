import { WorldError } from '../../model/error.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import type { Health } from '../health.ts';
import type { Ports } from '../ports.ts';
import { orGrace } from '../stop.ts';

export type Result = Extract<RecordBody, { readonly type: 'RESULT' }>;

/**
 * In the place of a row: the process that wrote the ATTEMPT knows that it wrote no byte (protocol Q1).
 */
export const NOT_TRIED = 'notTried';

/** The row of the outcome table that took a task. */
const ACCEPTED = 'P03';

/** The store of the ledger did not take or give something; what was there before still is. */
export function isStoreFailure(error: unknown): error is WorldError {
  return error instanceof WorldError && error.code === 'storeFailed';
}

/**
 * Appends records that do not depend on what the ledger holds besides. Where somebody else appended
 * first they go onto the new head, but for those that `stillHolds` says no longer belong there.
 */
export async function record(
  { journal }: Pick<Ports, 'journal'>,
  bodies: readonly RecordBody[],
  stillHolds: (body: RecordBody, memory: Memory) => boolean = () => true,
): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    const left = bodies.filter((body) => stillHolds(body, journal.memory));
    if (left.length === 0 || (await journal.append(left)) === 'acknowledged') return;
  }
  throw new WorldError('locked', { cause: 'appends lost' });
}

type OutboxPorts = Pick<Ports, 'journal' | 'clock' | 'stop' | 'kept' | 'progress'>;

/**
 * The results that the ledger still has to take: nothing is attempted before it has them all (I14). An
 * acceptance also goes to the local spool meanwhile, for a later run on this machine to find.
 */
export class Outbox {
  readonly #ports: OutboxPorts;
  readonly #health: Health;
  /** By attempt id. */
  readonly #results = new Map<string, Result>();
  /**
   * Attempts whose ATTEMPT could not be written, as far as this process was told, and that it
   * therefore never sent.
   */
  readonly #unsent = new Set<string>();

  constructor(ports: OutboxPorts, health: Health) {
    this.#ports = ports;
    this.#health = health;
  }

  /** How many results wait for the ledger. */
  get size(): number {
    return this.#results.size;
  }

  /** How many attempts were never sent, since the ledger seemed not to take their ATTEMPT. */
  get unsent(): number {
    return this.#unsent.size;
  }

  /** The service task of an attempt whose acceptance the ledger does not have yet. */
  taskOf(attemptId: string): string | undefined {
    return this.#results.get(attemptId)?.taskId;
  }

  /** This process knows what came of the attempt, whatever the ledger says. */
  knows(attemptId: string): boolean {
    return this.#results.has(attemptId) || this.#unsent.has(attemptId);
  }

  /**
   * Writes a RESULT, or holds it for a ledger that cannot take it for now. Told to stop, the run tries
   * for the grace of a signal, and throws the failure.
   */
  async write(result: Result): Promise<void> {
    const { stop } = this.#ports;
    if (stop.requested === 'now') return;
    try {
      await this.#append(result);
    } catch (error) {
      await this.#spool(result);
      if (!isStoreFailure(error) || stop.requested !== 'no') throw error;
      this.#health.fail(error);
      this.hold(result);
    }
  }

  /** Holds a result until the ledger takes it. */
  hold(result: Result): void {
    this.#results.set(result.attemptId, result);
  }

  /**
   * An ATTEMPT could not be written, as far as we were told, and was never sent, which this process alone
   * may say: it says so once it is known that the ledger has the ATTEMPT all the same.
   */
  holdNotSent(attemptId: string): void {
    this.#unsent.add(attemptId);
    this.hold({ type: 'RESULT', attemptId, outcome: 'notSent', row: NOT_TRIED });
  }

  /**
   * Tries again to write down what is held. Throws the failure once the lease has ended (protocol X16): the
   * next run finds the local spool, or an attempt in doubt.
   * @returns whether nothing is held any more
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
        if (!isStoreFailure(error) || !journal.isHeld()) throw error;
        this.#health.fail(error);
        return false;
      }
      this.#results.delete(attemptId);
      await this.#unspool(attemptId);
    }
    return true;
  }

  /** The last try of a run that ends: what still fails is left for the next one. */
  async flushAtEnd(): Promise<void> {
    if (this.#results.size + this.#unsent.size === 0) return;
    try {
      await this.#refresh();
      await this.flush();
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
    }
  }

  /**
   * Records what an earlier run on this machine knew and could not record: its acceptances, before anybody
   * calls their attempts in doubt. The spool forgets what the ledger has settled meanwhile.
   */
  async recordSpooled(): Promise<void> {
    const spooled = (await this.#ports.kept?.all()) ?? [];
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
   * Puts the id of an accepted task on the local spool, and says so: without it the attempt would be in
   * doubt, though the service has told what became of it. Never fails.
   */
  async #spool({ attemptId, taskId, outcome }: Result): Promise<void> {
    if (outcome !== 'accepted' || taskId === undefined) return;
    const { kept, progress } = this.#ports;
    const isKept = await kept?.keep({ attemptId, taskId }).then(
      () => true,
      () => false,
    );
    const { place } = kept ?? {};
    progress({
      kind: 'unrecorded',
      attemptId,
      taskId,
      ...(isKept === true && place !== undefined && { place }),
    });
  }

  /** The ledger has it after all. */
  async #unspool(attemptId: string): Promise<void> {
    await this.#ports.kept?.forget(attemptId).catch(() => undefined);
  }

  /** Whether the ledger holds the ATTEMPT; one that comes through later is answered for then. */
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

  /** Nobody who wants to stop waits long for a ledger. */
  async #inGrace(work: Promise<void>): Promise<void> {
    const done = await orGrace(work, this.#ports);
    if (done === 'late') throw new WorldError('storeFailed', {}, { retry: 'safe' });
  }
}

/** An append that seemed to fail may have been taken; and another run may have settled it since. */
function isUnrecorded(body: RecordBody, memory: Memory): boolean {
  if (body.type !== 'RESULT') return false;
  return memory
    .open()
    .filter(({ attemptId }) => attemptId === body.attemptId)
    .some(({ taskId, row }) => taskId === undefined && row !== body.row);
}
