import { WorldError } from '../../model/error.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { READ_AGE } from '../../plan/admit/batch.ts';
import type { Seen } from '../../plan/decide/decision-input.ts';
import { mayPass } from '../run/service-absence.ts';
import { reasonOf } from '../../rollout/budgets/budget-reason.ts';
import { admit, openNow, outagesNow, take } from './admission.ts';
import type { Candidate } from './candidate.ts';
import { say } from '../watch/settlement.ts';
import type { Command } from '../run/command.ts';
import { waitedFor } from '../watch/flight.ts';
import { countGone } from './missing-devices.ts';
import { isRefusedNow } from '../run/guardrails.ts';
import { beating } from '../run/heartbeat.ts';
import { heldByLedger } from './attempt-gate.ts';
import { scheduleNow } from './window-check.ts';
import { lastLook, type LastLook } from './last-look.ts';
import type { RunEvent } from '../run/run-event.ts';
import { isStoreFailure, oweNotSent } from '../outbox/outbox.ts';
import { isOutgrown } from './stale-snapshot.ts';
import { post, type Posted } from './post.ts';
import type { AttemptEnd } from '../run/reaction.ts';
import { recheck } from './recheck.ts';
import { attemptOf, intentOfChange, requestOf, type Member } from './request.ts';
import { followNow, heldBack, recordStops, type Rollouts } from '../run/rollouts.ts';
import { planRecords, rolloutRecords, setOut } from './plan-record.ts';
import { nextPoll, type Run } from '../run/run.ts';
import { Interrupted } from '../run/stop.ts';

/** What an attempt came to, before the machine hears of it. */
type Came = Pick<RunEvent & { is: 'attempted' }, 'end' | 'done' | 'parked' | 'size'> & {
  readonly retryAfter?: Milliseconds;
};

type Members = readonly [Member, ...Member[]];

/**
 * One attempt: choose a batch, look at it once more, write ATTEMPT, and only then POST (protocol
 * X7, I2). Whatever ends before ATTEMPT leaves the ledger as it was. Throws `Interrupted`, or a
 * `WorldError` that no later try mends.
 */
export async function attempt(
  run: Run,
  command: Command & { do: 'attempt' },
): Promise<RunEvent & { is: 'attempted' }> {
  const held = await heldByLedger(run);
  const came = held ? nothing(held) : await tryCandidates(run, command);
  return { is: 'attempted', ...came, inFlight: waitedFor(run), pollAt: nextPoll(run) };
}

async function tryCandidates(run: Run, command: Command & { do: 'attempt' }): Promise<Came> {
  const rollouts = await recordStops(run);
  const { free, held: heldByRollout } = heldBack(rollouts, command.candidates);
  const admitted = admit(run, free, command.most);
  const { batch } = admitted;
  const parked = new Map([...heldByRollout, ...admitted.parked]);
  for (const [id, reason] of parked) park(run, id, reason);
  const came = batch.length === 0 ? nothing('nothing') : await tryBatch(run, batch, command);
  return { ...came, parked: new Set([...parked.keys(), ...came.parked]) };
}

async function tryBatch(
  run: Run,
  batch: readonly Candidate[],
  { renewToken }: Command & { do: 'attempt' },
): Promise<Came> {
  const look = await readSafely(run, batch);
  if (!look) return { end: 'unread', done: new Set(), parked: new Set(), size: batch.length };
  if (run.stop.requested !== 'no') throw new Interrupted();
  if (isOutgrown(run, batch)) return { ...nothing('outgrown'), size: batch.length };
  const { members, done, parked, lastStart, rollouts } = sift(run, batch, look);
  const [first, ...others] = members;
  const so = { done, parked, size: batch.length };
  if (!first) return { ...so, end: 'nothing' };
  if (isRefusedNow(run)) return { ...so, end: 'refused' };
  const sendBy = sendByOf(run, look, lastStart);
  if (isLate(run, sendBy)) return tooSlow(run, members, so);
  if (!run.journal.mayAttempt()) return { ...so, end: 'held' };
  const sending = { members: [first, ...others], sendBy, done, renewToken, rollouts } as const;
  return { ...so, ...(await send(run, sending)) };
}

/**
 * The reads may not be too old, and at the last start of a window it is too late already: whichever
 * comes first (protocol X6, I11).
 */
function sendByOf(run: Run, { since }: LastLook, lastStart: Instant): Sending['sendBy'] {
  const { clock } = run;
  const untilClosed = lastStart - 1 - clock.now();
  return {
    wall: Math.min(since.wall + READ_AGE, lastStart - 1),
    monotonic: Math.min(since.monotonic + READ_AGE, clock.monotonic() + untilClosed),
  };
}

/** Reads for the last look; undefined where the service was away for a moment, or answered badly. */
async function readSafely(run: Run, batch: readonly Candidate[]): Promise<LastLook | undefined> {
  try {
    return await beating(run, lastLook(run, batch));
  } catch (error) {
    if (!mayPass(error)) throw error;
    run.failure = error;
    return undefined;
  }
}

interface Sifted {
  readonly members: Member[];
  readonly done: Set<string>;
  readonly parked: Set<string>;
  /** The first instant at which it is too late for one of them by its window. */
  readonly lastStart: Instant;
  /** Where every rollout stood when this was decided. */
  readonly rollouts: Rollouts;
}

/**
 * What the last look leaves of a batch: devices that are exactly as approved, and for which there
 * is still room.
 */
function sift(run: Run, batch: readonly Candidate[], look: LastLook): Sifted {
  const tracker = openNow(run);
  const around = {
    outages: outagesNow(run),
    schedule: scheduleNow(run),
    followed: followNow(run),
  };
  let lastStart = Infinity;
  const members: Member[] = [];
  const done = new Set<string>();
  const parked = new Set<string>();
  for (const candidate of batch) {
    const { id, device } = candidate.change;
    const seen = look.seen.get(device.id);
    const now = recheck(run, candidate, { ...around, ...(seen && { seen }) });
    const refusal = now.is === 'holds' ? take(tracker, candidate) : undefined;
    if (now.is === 'ends') {
      say(run, candidate.change, now.said);
      done.add(id);
      if (now.said.reason?.code === 'gone') countGone(run);
    } else if (refusal) {
      park(run, id, reasonOf(refusal));
      parked.add(id);
    } else {
      members.push({ candidate, change: now.change, ...entryOf(seen) });
      lastStart = Math.min(lastStart, now.lastStart ?? Infinity);
    }
  }
  return { members, done, parked, lastStart, rollouts: around.followed };
}

/** Where a device stands, and what its entry has beside its id. */
function entryOf(seen: Seen | undefined): Pick<Member, 'sites' | 'second'> {
  const { site, second } = seen?.discovered ?? {};
  const sites = seen?.device?.sites ?? (site ? [site] : []);
  return second === undefined ? { sites } : { sites, second };
}

interface Sending {
  readonly members: Members;
  readonly sendBy: { readonly wall: Instant; readonly monotonic: Milliseconds };
  readonly done: ReadonlySet<string>;
  readonly renewToken: boolean;
  readonly rollouts: Rollouts;
}

/** ATTEMPT, acknowledged; then the POST, unless it has become too late for it by either clock. */
async function send(
  run: Run,
  sending: Sending,
): Promise<Pick<Came, 'end' | 'done' | 'retryAfter'>> {
  const { members, sendBy, done, rollouts } = sending;
  const request = requestOf(members, run.dialect);
  const attemptId = `${run.journal.nonce}.${run.attempts + run.unsent.size + 1}`;
  const body = attemptOf(members, {
    attemptId,
    planId: run.answersFor?.id ?? '',
    ledgerId: run.journal.memory.ledgerId,
    request,
    sendBy: sendBy.wall,
  });
  const before: RecordBody[] = [...planRecords(run), ...rolloutRecords(rollouts, members)];
  try {
    if ((await run.journal.append([...before, body])) === 'lost') return { end: 'lost', done };
  } catch (error) {
    if (!isStoreFailure(error)) throw error;
    return unwritten(run, attemptId, { done, error });
  }
  run.attempts += 1;
  run.recordedPlan = body.planId;
  setOut(run, members);
  const devices = body.intents.map((one) => one.device);
  run.progress({ kind: 'attempt', task: request.task, attemptId, devices });
  const posted = await post(run, { request, attemptId, isLate: () => isLate(run, sendBy) });
  return after(run, { ...sending, posted });
}

/** The ledger may have its ATTEMPT all the same; that it was not sent is known here alone (protocol Q1). */
function unwritten(
  run: Run,
  attemptId: string,
  { done, error }: Pick<Sending, 'done'> & { readonly error: WorldError },
): Pick<Came, 'end' | 'done'> {
  oweNotSent(run, attemptId);
  run.failure = error;
  return { end: 'unwritten', done };
}

function after(
  run: Run,
  { members, done, posted, renewToken }: Sending & { readonly posted: Posted },
): Pick<Came, 'end' | 'done' | 'retryAfter'> {
  const { end, said, retryAfter } = posted;
  const isFinal = said !== undefined && (end !== 'renewToken' || renewToken);
  const left = isFinal || end === 'poll';
  for (const { change } of members) {
    const intentId = intentOfChange(change, run.journal.memory.ledgerId);
    if (left) run.tried.add(intentId);
    if (isFinal) say(run, change, { ...said, intentId });
  }
  const gone = left ? members.map(({ change }) => change.id) : [];
  return {
    end,
    done: new Set([...done, ...gone]),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

function isLate(run: Run, sendBy: Sending['sendBy']): boolean {
  const { clock } = run;
  return clock.now() > sendBy.wall || clock.monotonic() > sendBy.monotonic;
}

/**
 * A smaller batch is read faster; a single device that is still too slow is left for another run.
 */
function tooSlow(run: Run, members: readonly Member[], so: Omit<Came, 'end'>): Came {
  if (so.size > 1) return { ...so, end: 'tooSlow' };
  const ids = members.map(({ change }) => change.id);
  for (const id of ids) run.said.set(id, { outcome: 'notStarted', reason: { code: 'apiBudget' } });
  return { ...so, end: 'nothing', done: new Set([...so.done, ...ids]) };
}

function park(run: Run, changeId: string, reason: Reason): void {
  run.said.set(changeId, { outcome: 'notStarted', reason });
}

function nothing(end: AttemptEnd): Came {
  return { end, done: new Set(), parked: new Set(), size: 0 };
}
