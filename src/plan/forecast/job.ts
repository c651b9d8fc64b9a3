import { countSteps } from '../../model/plan/upgrade-path.ts';
import { KINDS } from '../../kinds/index.ts';
import { computeOnce } from '../../lib/compute-once.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { getOrAdd } from '../../lib/maps.ts';
import type { FrozenSpan } from '../../calendar/calendar.ts';
import type { StartSpan } from '../../calendar/starts.ts';
import type { Change } from '../../model/plan/change.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { Policy } from '../../model/documents/policy.ts';
import { TASKS } from '../../model/fleet/task.ts';
import type { RolloutSpec } from '../../model/documents/rollout.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';
import type { Sourced } from '../../model/documents/source.ts';
import type { BudgetRequest } from '../../rollout/budgets/budget-tracker.ts';
import { approvedUntil } from '../decide/approval.ts';
import type { Evaluation, Prepared } from '../decide/decision-input.ts';
import { learnDurations } from '../decide/durations.ts';
import { notDue } from '../decide/steps.ts';
import {
  insideExpiryGuard,
  passedUntil,
  siteWithoutZone,
  startInsideGuard,
} from '../decide/timing.ts';
import type { PlannerInput } from '../input.ts';
import { findTerm } from './due-terms.ts';

/** What the course of a change depends on, besides its device and its decision. */
export interface Job {
  readonly request: Omit<BudgetRequest, 'deviceId'> & { readonly rollout: RolloutSpec };
  /** When windows and freezes let it start. */
  readonly hours: readonly StartSpan[];
  /** What freezes take from these hours. */
  readonly frozen: readonly FrozenSpan[];
  /** Those because of which it does not start on its own day. */
  readonly moved: readonly FrozenSpan[];
  /** No hours are known, because a site of the device has no zone (semantics K7). */
  readonly zoneless: Reason | undefined;
  /** From this instant on it starts whatever its hours are (semantics M26). */
  readonly free: Instant;
  /** From the start of one of its tasks to the proof on the device. */
  readonly takes: Milliseconds;
  /** The same if the task takes all the time that it may. */
  readonly takesAtMost: Milliseconds;
  /** Tasks that are left: the steps of an upgrade path. */
  readonly steps: number;
  /** Nothing reaches its device now, and the task needs it. */
  readonly isDown: boolean;
  readonly limits: Limits | undefined;
}

/** How long after the poll that comes next a device shows what only its row proves. */
const SHOWING: Milliseconds = 20_000;

const ALWAYS: Pick<Job, 'hours' | 'frozen'> = {
  hours: [{ open: -Infinity, close: Infinity, lastStart: Infinity }],
  frozen: [],
};

/** Half of the ended tasks on a model took no longer. */
const MEDIAN = 0.5;

/** Makes the jobs of a plan while its changes are decided: equal ones are one object, as are equal hours. */
export function createJobs(input: Prepared): (change: Change, evaluation: Evaluation) => Job {
  const { documents, now } = input;
  const durationOf = learnDurations(input, MEDIAN);
  const { pollEvery } = documents.service.value.pace;
  const jobs = new Map<string, Job>();
  const byText = new Map<string, typeof ALWAYS>();
  const hoursAfter = computeOnce((passed: Instant) =>
    computeOnce((judged: NonNullable<Evaluation['timing']>['judged']) => {
      if (!judged || passed === Infinity) return ALWAYS;
      const { calendar, query } = judged;
      const span = { open: passed, close: calendar.span.close };
      const free = passed > now ? [{ open: -Infinity, close: passed, lastStart: passed }] : [];
      return getOrAdd(byText, `${passed} ${JSON.stringify(query)}`, () => {
        const hours = [...free, ...calendar.starts(query, span)];
        return { hours, frozen: calendar.frozenStarts(query, span) };
      });
    }),
  );
  const numbers = new Map<readonly StartSpan[], number>();
  return (change, evaluation) => {
    const { task, policy, timing, case: theCase } = evaluation;
    const { value } = policy;
    const rollout = rolloutOrDefault(documents.rollouts, value.rollout);
    const most = rollout.timeouts.running[task];
    // A recorded time lasts until a poll saw the end. What a read of its own proves is read with that poll.
    const recorded = durationOf(task, theCase.device.model);
    const usual = Math.min(TASKS[task].usual, most);
    const proof = KINDS[task].proofReads.length > 0 ? 0 : pollEvery + SHOWING;
    const takes = (recorded === undefined ? usual : Math.max(0, recorded - pollEvery / 2)) + proof;
    const passed = insideExpiryGuard(evaluation) ? Infinity : passedUntil(evaluation);
    const { hours, frozen } = hoursAfter(Math.max(now, passed))(timing?.judged);
    const free = startInsideGuard(evaluation, now);
    const steps = countSteps(change);
    const limits = findLimits(evaluation, input);
    const isUnreached = isDown(evaluation);
    const { before, approved } = limits ?? {};
    const late = limits ? `${before ?? ''} ${approved ?? ''}` : 'never';
    const number = getOrAdd(numbers, hours, () => numbers.size);
    const moved = movedBy(frozen, evaluation, change);
    const names = moved.map(({ freeze }) => freeze).join(' ');
    const key = `${value.address} ${number} ${free} ${takes} ${steps} ${Number(isUnreached)} ${late} ${names}`;
    return getOrAdd(jobs, key, () => ({
      request: { task, policy: value, rollout, disruptive: KINDS[task].disruptive },
      hours,
      frozen,
      moved,
      zoneless: siteWithoutZone(evaluation)?.reason,
      free,
      takes,
      takesAtMost: most + proof,
      steps,
      isDown: isUnreached,
      limits,
    }));
  };
}

/** What freezes take between two instants of the hours in which a change may start. */
export function frozenIn(
  frozen: readonly FrozenSpan[],
  from: Instant,
  to: Instant,
): readonly FrozenSpan[] {
  return frozen.filter(({ open, close }) => open < to && close > from);
}

/** What freezes take between the own day of a change that is not due, and the start that its hours allow. */
function movedBy(
  frozen: readonly FrozenSpan[],
  evaluation: Evaluation,
  { reason: { code, next } }: Change,
): readonly FrozenSpan[] {
  if (frozen.length === 0 || code !== 'notDue') return [];
  const day = notDue(evaluation)?.reason.next;
  return typeof day === 'number' && typeof next === 'number' ? frozenIn(frozen, day, next) : [];
}

/** Also of what is not due yet: that its device is down is decided only when it is. */
function isDown({ kind, policy, case: { device, discovered } }: Evaluation): boolean {
  if (discovered || policy.value.section === 'restarts' || kind.actsOffline) return false;
  const isReached = device.status === 'online' || device.status === 'partial';
  return device.maintenanceMode === true || !isReached;
}

/** The limits that the end of a change is compared with. */
export interface Limits {
  readonly policy: Sourced<Policy>;
  /** Its deadline. */
  readonly before?: Instant;
  /** When its approval expires (semantics N77). */
  readonly approved?: Instant;
}

/** Undefined for a change that can be late for nothing. */
export function findLimits(
  evaluation: Evaluation,
  { documents }: PlannerInput,
): Limits | undefined {
  const { followed, judgement, policy, exemption } = evaluation;
  const isFree = exemption.exclude === undefined && exemption.hold === undefined;
  if (!followed || judgement.is !== 'due' || !isFree) return undefined;
  const approved = approvedUntil(evaluation, documents);
  const before = findTerm(evaluation)?.before;
  if (approved === undefined && before === undefined) return undefined;
  return {
    policy,
    ...(approved !== undefined && { approved }),
    ...(before !== undefined && { before }),
  };
}
