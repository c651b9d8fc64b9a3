import { KINDS } from '../../kinds/index.ts';
import { Bug } from '../../lib/bug.ts';
import { isPassed } from '../../model/documents/passes.ts';
import { policiesByAddress } from '../../model/documents/policies.ts';
import type { Change } from '../../model/plan/change.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { Instant } from '../../lib/time.ts';
import { batchLimit, requestsFor, timeFor } from '../../plan/admit/batch.ts';
import { batchLimits, type BatchPhase } from '../../plan/admit/admission-limits.ts';
import { tooLate } from '../../plan/admit/request-budget.ts';
import { findPasser } from '../../plan/decide/decision-input.ts';
import { togetherIn } from '../../plan/decide/decide.ts';
import type { Schedule, Timing } from '../../plan/decide/schedule.ts';
import { closedBy } from '../../plan/decide/timing.ts';
import type { Rollouts } from '../reading.ts';
import type { Candidate, Looking } from './candidate.ts';
import { toCase } from './recheck.ts';
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
  const windows = windowsNow(run);
  const looked = new Map<string, Candidate>();
  const limits = batchLimits(createPhase(run, looked, windows));
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
  windows: WindowCheck,
): BatchPhase {
  const { documents, clock, journal } = run;
  const behind = ({ id }: Change): Candidate => {
    const candidate = looked.get(id);
    if (!candidate) throw new Bug(`not a candidate: ${id}`);
    return candidate;
  };
  return {
    documents,
    memory: journal.memory,
    now: clock.now(),
    policies: policiesByAddress(documents),
    sitesOf: (deviceId) => run.reading.deviceOf(deviceId)?.sites.map(({ id }) => id) ?? [],
    tracker: run.reading.budgetsNow(),
    isOfUnknownAge: (change) => isOfUnknownAge(run, behind(change)),
    closed: (change) => windows.closed(behind(change)),
    late: (change, size) => windows.late(behind(change), size),
  };
}

/**
 * Decided from the reading of the fleet, because the reason of a change that waits for a budget
 * contains only that budget.
 */
function isOfUnknownAge(run: Looking, candidate: Candidate): boolean {
  const { value } = candidate.policy;
  if (value.section !== 'rotations' || value.unknownAge !== 'rotate') return false;
  const { id } = candidate.change.device;
  const device = run.reading.deviceOf(id);
  const theCase =
    device && toCase(run, candidate, { device, facts: run.reading.snapshot.facts(id) });
  if (!theCase || theCase.passer) return false;
  const judgement = KINDS[value.task].judge(theCase);
  return judgement.is === 'due' && judgement.why === 'ageUnknown';
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
function windowsNow(run: Looking): WindowCheck {
  const schedule = run.reading.schedule;
  const { pace } = run.documents.service.value;
  const requests = (size: number): number => requestsFor(size, readCost(run), pace);
  const readAt = (size: number): Instant => run.clock.now() + timeFor(requests(size), pace);
  const timings = new Map<Candidate, Timing | undefined>();
  const timing = (candidate: Candidate): Timing | undefined => {
    if (!timings.has(candidate)) timings.set(candidate, judgeTiming(run, candidate, schedule));
    return timings.get(candidate);
  };
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

function judgeTiming(run: Looking, candidate: Candidate, schedule: Schedule): Timing | undefined {
  const { change, policy } = candidate;
  const { task, device: known } = change;
  const { value } = policy;
  const now = run.clock.now();
  const mayPass = value.section === 'rotations' && value.expiryGuard !== undefined;
  const row = run.reading.snapshot.devices.rowOf(known.id);
  if (mayPass || row === undefined || isPassed('window', findPasser(candidate, now)))
    return undefined;
  const device = run.reading.deviceOf(known.id) ?? run.reading.snapshot.devices.at(row);
  const facts = run.reading.snapshot.facts(known.id);
  const theCase = toCase(run, candidate, { device, facts });
  const together = theCase ? togetherIn(KINDS[task].judge(theCase)) : {};
  return schedule.of({ task, policy: value, device, ...together }, now);
}
