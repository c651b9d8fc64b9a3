import { KINDS } from '../../kinds/index.ts';
import { Bug } from '../../lib/bug.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { Instant } from '../../lib/time.ts';
import { listsBefore, requestsFor, timeFor } from '../../plan/admit/batch.ts';
import { expeditedBy } from '../../plan/decide/decision-input.ts';
import { togetherIn } from '../../plan/decide/decide.ts';
import { openSchedule, type Schedule, type Timing } from '../../plan/decide/schedule.ts';
import { closedBy } from '../../plan/decide/timing.ts';
import { tooLate } from '../../plan/admit/request-budget.ts';
import type { Candidate } from './candidate.ts';
import { caseOf } from './recheck.ts';
import type { Run } from '../run/run.ts';

/** What the windows say of candidates before anything is read for them. */
export interface InTime {
  /** Its window closed while others had their turn: no read is spent on it. */
  closed(candidate: Candidate): Reason | undefined;
  /** Its window closes before a batch of this size is read. */
  late(candidate: Candidate, size: number): Reason | undefined;
  /** Whether all of them may still start once a batch of this size is read. */
  allowAll(batch: readonly Candidate[], size: number): boolean;
}

/** Asks windows and freezes at this moment. What may pass a window is left to the last look. */
export function inTimeNow(run: Run): InTime {
  const schedule = scheduleNow(run);
  const lists = listsOf(run);
  const readAt = (size: number): Instant =>
    run.clock.now() + timeFor(requestsFor(size, lists), run.documents.service.value.pace);
  const late: InTime['late'] = (candidate, size) => {
    const { judged, window } = timingOf(run, candidate, schedule) ?? {};
    const state = judged?.standing.window;
    if (state?.is !== 'open' || readAt(size) < state.lastStart) return undefined;
    return tooLate({
      requests: requestsFor(size, lists),
      pace: run.documents.service.value.pace,
      window: window?.name,
      next: judged?.calendar.nextStart(judged.asked, state.lastStart),
    });
  };
  return {
    closed(candidate) {
      const timing = timingOf(run, candidate, schedule);
      return timing && closedBy(timing)?.reason;
    },
    late,
    allowAll: (batch, size) => batch.every((candidate) => !late(candidate, size)),
  };
}

/** Windows and freezes, for the devices of the last reading. */
export function scheduleNow(run: Run): Schedule {
  const { documents, journal, clock } = run;
  const { memory } = journal;
  return openSchedule({ documents, snapshot: snapshotOf(run), memory, now: clock.now() });
}

/** Requests for the lists of what is down, as this run has to ask for them. */
export function listsOf(run: Run): number {
  const { dialect, unfiltered } = run;
  return listsBefore({ dialect, devices: snapshotOf(run).devices.length, unfiltered });
}

/** The last reading of the fleet. */
export function snapshotOf(run: Run): Snapshot {
  if (!run.survey) throw new Bug('the fleet was not read yet');
  return run.survey.snapshot;
}

function timingOf(run: Run, candidate: Candidate, schedule: Schedule): Timing | undefined {
  const { change, policy, exemption } = candidate;
  const { task, device: known } = change;
  const { value } = policy;
  const now = run.clock.now();
  const mayPass = value.section === 'rotations' && value.expiryGuard !== undefined;
  const row = snapshotOf(run).devices.rowOf(known.id);
  if (mayPass || row === undefined || expeditedBy(exemption, now)) return undefined;
  const device = run.reads.get(known.id)?.device ?? snapshotOf(run).devices.at(row);
  const facts = snapshotOf(run).facts(known.id);
  const theCase = caseOf(run, candidate, { device, facts });
  const together = theCase ? togetherIn(KINDS[task].judge(theCase)) : {};
  return schedule.of({ task, policy: value, device, ...together }, now);
}
