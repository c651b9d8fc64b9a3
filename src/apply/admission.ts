import { compileSelector } from '../desired/select.ts';
import { KINDS } from '../kinds/index.ts';
import { Bug } from '../model/bug.ts';
import type { Change } from '../model/change.ts';
import type { Reason } from '../model/reason.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { openCaps, type Counter } from '../plan/caps.ts';
import { expeditedBy } from '../plan/cases.ts';
import { openSchedule, type Schedule } from '../plan/schedule.ts';
import { closedBy } from '../plan/timing.ts';
import type { Book, Refusal } from '../rollout/book.ts';
import { openBook } from '../rollout/budgets.ts';
import { findOutages, type Outages } from '../rollout/outage.ts';
import { reasonOf } from '../rollout/refusal.ts';
import { batchLimit, type Candidate } from './candidate.ts';
import type { Run } from './run.ts';

/**
 * Who may go into the next batch, and who waits for headroom. What is in neither waits for its
 * turn.
 */
export interface Admission {
  readonly batch: readonly Candidate[];
  readonly parked: ReadonlyMap<string, Reason>;
}

/**
 * Chooses a batch from candidates that may share a POST, on what is known without asking:
 * everything that reads down, every open intent and the whole batch count as dead (apply protocol
 * 3.14). A device with an open intent waits; so does what its policy allows no more of for now.
 */
export function admit(run: Run, candidates: readonly Candidate[], most: number): Admission {
  const book = openNow(run);
  const batch: Candidate[] = [];
  const parked = new Map<string, Reason>();
  const caps = capsNow(run);
  const schedule = scheduleNow(run);
  for (const candidate of candidates) {
    if (batch.length >= Math.min(most, limitOf(run, candidate))) break;
    const { change } = candidate;
    const reason =
      busy(run, candidate) ??
      closed(run, candidate, schedule) ??
      capped(caps, change) ??
      full(book, candidate);
    if (reason) parked.set(change.id, reason);
    else {
      batch.push(candidate);
      for (const cap of caps) cap.count?.(change);
    }
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

/** The sites that are out by the last look. */
export function outagesNow(run: Run): Outages {
  return findOutages(snapshotOf(run).devices, new Map([...run.reads, ...run.down]));
}

/** Windows and freezes, for the devices of the last reading. */
export function scheduleNow(run: Run): Schedule {
  const { documents, journal, clock } = run;
  const { memory } = journal;
  return openSchedule({ documents, snapshot: snapshotOf(run), memory, now: clock.now() });
}

/** Takes the share of one candidate, or says which budget has none left. */
export function take(book: Book, { change, policy, rollout }: Candidate): Refusal | undefined {
  const { task, device } = change;
  const { disruptive } = KINDS[task];
  return book.take({ task, deviceId: device.id, policy: policy.value, rollout, disruptive });
}

function full(book: Book, candidate: Candidate): Reason | undefined {
  const refusal = take(book, candidate);
  return refusal && reasonOf(refusal);
}

/**
 * A plan gives out no share of a cap to what waits for a budget, so it is counted again when its
 * turn comes.
 */
function capsNow(run: Run): readonly Counter[] {
  const { documents, clock, journal } = run;
  const { devices } = snapshotOf(run);
  const sitesOf = (deviceId: string): readonly string[] => {
    const row = devices.rowOf(deviceId);
    const device = run.reads.get(deviceId) ?? (row === undefined ? undefined : devices.at(row));
    return device?.sites.map(({ id }) => id) ?? [];
  };
  return openCaps({ documents, memory: journal.memory, now: clock.now(), sitesOf });
}

function capped(caps: readonly Counter[], change: Change): Reason | undefined {
  for (const cap of caps) {
    const reason = cap.refuses(change);
    if (reason) return reason;
  }
  return undefined;
}

/**
 * Its window closed while others had their turn: no read is spent on it. What may pass a window is
 * left to the last look.
 */
function closed(
  run: Run,
  { change, policy: { value: policy }, exemption }: Candidate,
  schedule: Schedule,
): Reason | undefined {
  const {
    task,
    device: { id },
  } = change;
  const now = run.clock.now();
  const mayPass = policy.section === 'rotations' && policy.expiryGuard !== undefined;
  const row = snapshotOf(run).devices.rowOf(id);
  if (mayPass || row === undefined || expeditedBy(exemption, now)) return undefined;
  const device = run.reads.get(id) ?? snapshotOf(run).devices.at(row);
  return closedBy(schedule.of({ task, policy, device }, now))?.reason;
}

function limitOf(run: Run, candidate: Candidate): number {
  const { dialect, journal } = run;
  return batchLimit(candidate, { accepted: journal.memory.accepted, dialect });
}

function busy(run: Run, { change }: Candidate): Reason | undefined {
  const isBusy = run.journal.memory
    .intentsOf(change.device.id)
    .some(({ phase }) => phase === 'open' || phase === 'running' || phase === 'inDoubt');
  return isBusy ? { code: 'busy', why: 'ours' } : undefined;
}

function snapshotOf(run: Run): Snapshot {
  if (!run.survey) throw new Bug('the fleet was not read yet');
  return run.survey.snapshot;
}
