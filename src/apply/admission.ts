import { compileSelector } from '../desired/select.ts';
import { KINDS } from '../kinds/index.ts';
import { Bug } from '../model/bug.ts';
import type { Snapshot } from '../model/snapshot.ts';
import type { Book, Refusal } from '../rollout/book.ts';
import { openBook } from '../rollout/budgets.ts';
import { batchLimit, type Candidate } from './candidate.ts';
import type { Run } from './run.ts';

/**
 * Who may go into the next batch, and who waits for headroom. What is in neither waits for its
 * turn.
 */
export interface Admission {
  readonly batch: readonly Candidate[];
  readonly parked: ReadonlyMap<string, Refusal | 'ours'>;
}

/**
 * Chooses a batch from candidates that may share a POST, on what is known without asking:
 * everything that reads down, every open intent and the whole batch count as dead (apply protocol
 * 3.14). A device with an open intent waits.
 */
export function admit(run: Run, candidates: readonly Candidate[], most: number): Admission {
  const book = openNow(run);
  const batch: Candidate[] = [];
  const parked = new Map<string, Refusal | 'ours'>();
  for (const candidate of candidates) {
    if (batch.length >= Math.min(most, limitOf(run, candidate))) break;
    const refusal = isBusy(run, candidate) ? 'ours' : take(book, candidate);
    if (refusal) parked.set(candidate.change.id, refusal);
    else batch.push(candidate);
  }
  return { batch, parked };
}

/**
 * The book of this moment: the last reading of the fleet, with everything read since laid over it.
 */
export function openNow(run: Run): Book {
  const { documents, clock } = run;
  const snapshot = snapshotOf(run);
  return openBook({
    documents,
    snapshot,
    memory: run.journal.memory,
    now: clock.now(),
    reads: new Map([...run.reads, ...run.down]),
    members: (selector) => compileSelector(selector, { documents, snapshot }),
  });
}

/** Takes the share of one candidate, or says which budget has none left. */
export function take(book: Book, { change, policy, rollout }: Candidate): Refusal | undefined {
  const { task, device } = change;
  const { disruptive } = KINDS[task];
  return book.take({ task, deviceId: device.id, policy: policy.value, rollout, disruptive });
}

function limitOf(run: Run, candidate: Candidate): number {
  const { dialect, journal } = run;
  return batchLimit(candidate, { accepted: journal.memory.accepted, dialect });
}

function isBusy(run: Run, { change }: Candidate): boolean {
  return run.journal.memory
    .intentsOf(change.device.id)
    .some(({ phase }) => phase === 'open' || phase === 'running' || phase === 'inDoubt');
}

function snapshotOf(run: Run): Snapshot {
  if (!run.survey) throw new Bug('the fleet was not read yet');
  return run.survey.snapshot;
}
