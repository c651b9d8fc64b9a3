import { KINDS } from '../../kinds/index.ts';
import type { Judgement } from '../../kinds/kind.ts';
import { Bug } from '../../lib/bug.ts';
import { computeOnce } from '../../lib/compute-once.ts';
import { isPassed } from '../../model/documents/passes.ts';
import { policiesByAddress } from '../../model/documents/policies.ts';
import type { Change } from '../../model/plan/change.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { Instant } from '../../lib/time.ts';
import { batchLimit, requestsFor, timeFor } from '../../plan/admit/batch.ts';
import { batchLimits, type BatchPhase } from '../../plan/admit/admission-limits.ts';
import { tooLate } from '../../plan/admit/request-budget.ts';
import { type Basis, findPasser } from '../../plan/decide/decision-input.ts';
import { togetherIn } from '../../plan/decide/decide.ts';
import type { Timing } from '../../plan/decide/schedule.ts';
import { closedBy } from '../../plan/decide/timing.ts';
import type { Rollouts } from '../reading.ts';
import type { Candidate, Looking } from './candidate.ts';
import { basisNow, toCase } from './recheck.ts';
import { readCost } from './last-look.ts';

/**
 * The changes of the next batch, and those before its last one that wait for headroom or that their
 * rollouts block. All other changes wait for a later batch.
 */
export interface Admission {
  readonly batch: readonly Candidate[];
  readonly parked: ReadonlyMap<string, Reason>;
}

/**
 * Chooses a batch from candidates that may share a POST, without new reads. Every down device,
 * every open intent and the whole batch count as down (protocol I6). The rollouts and the limits of a batch decide
 * which candidates wait. A candidate that would delay others past their windows is not added.
 */
export function chooseBatch(
  run: Looking,
  rollouts: Rollouts,
  { candidates, most }: { readonly candidates: readonly Candidate[]; readonly most: number },
): Admission {
  const batch: Candidate[] = [];
  const parked = new Map<string, Reason>();
  const basis = basisNow(run);
  const windows = windowsNow(run, basis);
  const looked = new Map<string, Candidate>();
  const limits = batchLimits(createPhase(run, looked, { basis, windows }));
  let lastStart = Infinity;
  for (const candidate of candidates) {
    const size = batch.length + 1;
    if (size > Math.min(most, sizeLimit(run, candidate))) break;
    const { change } = candidate;
    looked.set(change.id, candidate);
    const held = rollouts.get(change.policy)?.refuses(change.device.id);
    const reason = held?.reason ?? limits.refuses(change, batch.length);
    if (reason) parked.set(change.id, reason);
    else if (windows.readAt(size) >= lastStart) break;
    else {
      batch.push(candidate);
      lastStart = Math.min(lastStart, windows.lastStart(candidate));
      limits.count?.(change);
    }
  }
  return { batch, parked };
}

/**
 * The inputs of the limits. A plan gives no share to a change that waits for a budget, so every
 * limit that applies to both a plan and a batch is counted again.
 */
function createPhase(
  run: Looking,
  looked: ReadonlyMap<string, Candidate>,
  { basis, windows }: { readonly basis: Basis; readonly windows: WindowCheck },
): BatchPhase {
  const { documents } = run;
  const behind = ({ id }: Change): Candidate => {
    const candidate = looked.get(id);
    if (!candidate) throw new Bug(`not a candidate: ${id}`);
    return candidate;
  };
  return {
    documents,
    memory: basis.memory,
    now: basis.now,
    policies: policiesByAddress(documents),
    sitesOf: (deviceId) => run.reading.deviceOf(deviceId)?.sites.map(({ id }) => id) ?? [],
    tracker: run.reading.budgetsNow(),
    isOfUnknownAge: (change) => isOfUnknownAge(run, behind(change), basis),
    closed: (change) => windows.closed(behind(change)),
    late: (change, size) => windows.late(behind(change), size),
  };
}

/**
 * Decided from the reading of the fleet, because the reason of a change that waits for a budget
 * contains only that budget.
 */
function isOfUnknownAge(run: Looking, candidate: Candidate, basis: Basis): boolean {
  const { value } = candidate.wanted.policy;
  if (value.section !== 'rotations' || value.unknownAge !== 'rotate') return false;
  if (findPasser(candidate.wanted, basis.now)) return false;
  const judgement = judgeListed(run, candidate, basis);
  return judgement?.is === 'due' && judgement.why === 'ageUnknown';
}

/** A candidate as its newest row shows it, with the values of the reading; undefined for one that is not managed. */
function judgeListed(
  { reading }: Looking,
  candidate: Candidate,
  basis: Basis,
): Judgement | undefined {
  const { task, device: known } = candidate.change;
  const device = reading.deviceOf(known.id);
  const seen = device && { device, facts: reading.snapshot.facts(known.id) };
  const theCase = seen && toCase(basis, candidate, seen);
  return theCase && KINDS[task].judge(theCase);
}

/** At least one device, because only a read shows how slow the service is. */
function sizeLimit(run: Looking, candidate: Candidate): number {
  const { dialect, journal, documents } = run;
  const { accepted } = journal.memory;
  const { pace } = documents.service.value;
  return Math.max(1, batchLimit(candidate, { accepted, dialect, pace, reads: readCost(run) }));
}

/** Checks the windows of candidates before any read for them. */
interface WindowCheck {
  /** The reason if the window closed while other changes ran, so that no read is needed. */
  closed(candidate: Candidate): Reason | undefined;
  /** The reason if the window closes before a batch of this size is read. */
  late(candidate: Candidate, size: number): Reason | undefined;
  /** The instant at which a batch of this size has been read. */
  readAt(size: number): Instant;
  /** The last instant to start in the window; Infinity if no window applies. */
  lastStart(candidate: Candidate): Instant;
}

/**
 * Checks windows and freezes now. The last look decides about changes that may ignore a window.
 * Each candidate is judged once, whatever the size of the batch.
 */
function windowsNow(run: Looking, basis: Basis): WindowCheck {
  const { pace } = run.documents.service.value;
  const requests = (size: number): number => requestsFor(size, readCost(run), pace);
  const readAt = (size: number): Instant => run.clock.now() + timeFor(requests(size), pace);
  const timing = computeOnce((candidate: Candidate) => judgeTiming(run, candidate, basis));
  const late: WindowCheck['late'] = (candidate, size) => {
    const { judged, window } = timing(candidate) ?? {};
    const state = judged?.state.window;
    if (state?.is !== 'open' || readAt(size) < state.lastStart) return undefined;
    return tooLate({
      requests: requests(size),
      pace,
      window: window?.name,
      next: judged?.calendar.nextStart(judged.query, state.lastStart),
    });
  };
  return {
    closed(candidate) {
      const known = timing(candidate);
      return known && closedBy(known)?.reason;
    },
    late,
    readAt,
    lastStart(candidate) {
      const state = timing(candidate)?.judged?.state.window;
      return state?.is === 'open' ? state.lastStart : Infinity;
    },
  };
}

function judgeTiming(run: Looking, candidate: Candidate, basis: Basis): Timing | undefined {
  const { task, device: known } = candidate.change;
  const { value } = candidate.wanted.policy;
  const { now } = basis;
  const { schedule, snapshot } = run.reading;
  const device = run.reading.deviceOf(known.id);
  const mayPass = value.section === 'rotations' && value.expiryGuard !== undefined;
  if (mayPass || !device || snapshot.devices.rowOf(known.id) === undefined) return undefined;
  if (isPassed('window', findPasser(candidate.wanted, now))) return undefined;
  const timed = { task, policy: value, device };
  const timing = schedule.of(timed, now);
  const judgement = timing.judged && judgeListed(run, candidate, basis);
  return judgement ? schedule.of({ ...timed, ...togetherIn(judgement) }, now) : timing;
}
