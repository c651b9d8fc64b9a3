import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { Documents, Policy } from '../../model/documents/policy.ts';
import { locateValue, type Sourced } from '../../model/documents/source.ts';
import { formatInstant, type Instant, type Milliseconds } from '../../lib/time.ts';
import type { Followed } from '../../rollout/progress/followed.ts';
import type { WaveState } from '../../rollout/progress/gates.ts';
import { computeOnce } from '../../lib/compute-once.ts';
import { endOfRounds } from '../../calendar/pacing.ts';
import type { StartSpan } from '../../calendar/starts.ts';
import type { WindowQuery } from '../../calendar/window-state.ts';
import { learnDurations } from '../decide/durations.ts';
import type { PlannerInput } from '../input.ts';
import type { Evaluation } from '../decide/decision-input.ts';
import type { Timing } from '../decide/schedule.ts';
import { findTerm } from './due-terms.ts';
import { approvedUntil } from '../decide/approval.ts';

/** Reports rollouts that cannot finish before the deadlines of their devices, or before their approval expires. */
export interface Forecast {
  readonly observe: (evaluation: Evaluation) => void;
  readonly findings: () => readonly Diagnostic[];
}

/**
 * Creates the forecast of rollouts (semantics L-lateForecast). It assumes that the waves run one
 * after another, each in rounds of `maxInFlight` within its windows and with its soak, without
 * failures and without waiting for budgets. A rollout that still exceeds a deadline, or the time of
 * its approval (semantics N77), is reported early. A stopped rollout has no forecast.
 */
export function createForecast(input: PlannerInput): Forecast {
  const { now } = input;
  const durationOf = learnDurations(input);
  const rollouts = new Map<string, Rollout>();
  const hoursKey = computeOnce((query: WindowQuery | undefined) => JSON.stringify(query));
  const observe: Forecast['observe'] = (evaluation) => {
    const { followed, policy, task, timing, exemption, case: theCase } = evaluation;
    const isFree = exemption.exclude === undefined && exemption.hold === undefined;
    if (!followed || evaluation.judgement.is !== 'due' || !isFree) return;
    const limits = findLimits(evaluation, input);
    if (!limits) return;
    const { address } = policy.value;
    const { id, model } = theCase.device;
    const rollout = rollouts.get(address) ?? { policy, followed, waves: new Map() };
    rollouts.set(address, rollout);
    const { running } = followed.input.spec.timeouts;
    const each = durationOf(task, model) ?? running[task];
    const key = `${each} ${hoursKey(timing?.judged?.query)}`;
    const { wave } = followed.assignment.assignmentOf(id);
    const groups = rollout.waves.get(wave) ?? new Map<string, Group>();
    rollout.waves.set(wave, groups);
    const group = groups.get(key) ?? { starts: listStarts(timing?.judged, now), each, devices: [] };
    groups.set(key, group);
    group.devices.push({ id, ...limits });
  };
  return {
    observe,
    findings: () => [...rollouts.values()].flatMap((rollout) => lateIn(rollout, input)),
  };
}

interface Rollout {
  readonly policy: Sourced<Policy>;
  readonly followed: Followed;
  readonly waves: Map<number, Map<string, Group>>;
}

/** Devices of one wave with the same windows and duration. */
interface Group {
  readonly starts: readonly StartSpan[];
  readonly each: number;
  readonly devices: (Limits & { readonly id: string })[];
}

/** The limits that the end of a change is compared with. */
interface Limits {
  /** Its deadline. */
  readonly before?: Instant;
  /** When its approval expires (semantics N77). */
  readonly approved?: Instant;
}

interface Late {
  readonly count: number;
  readonly device: string;
  readonly wave: string;
  readonly before: Instant;
  readonly end: Instant;
}

/** Undefined for a change that can be late for nothing. */
function findLimits(evaluation: Evaluation, { documents }: PlannerInput): Limits | undefined {
  const approved = approvedUntil(evaluation, documents);
  const until = approved === undefined ? {} : { approved };
  if (isGuarded(evaluation.policy.value)) return approved === undefined ? undefined : until;
  const term = findTerm(evaluation);
  return { ...until, ...(term && { before: term.before }) };
}

/** A policy that may ignore its window before the expiry cannot be late because of windows. */
function isGuarded(policy: Policy): boolean {
  return policy.section === 'rotations' && policy.expiryGuard !== undefined;
}

function listStarts(judged: Timing['judged'], now: Instant): readonly StartSpan[] {
  if (!judged) return [{ open: now, close: Infinity, lastStart: Infinity }];
  const { calendar, query } = judged;
  return calendar.starts(query, { open: now, close: calendar.span.close });
}

function lateIn(
  { policy, followed, waves }: Rollout,
  { now, documents }: PlannerInput,
): readonly Diagnostic[] {
  const { input, states } = followed;
  if (states.some(({ is: state }) => state === 'paused' || state === 'aborted')) return [];
  let late: Late | undefined;
  let expired: Late | undefined;
  let opens = now;
  for (const [index, { name, soak }] of input.spec.waves.entries()) {
    const state = states[index];
    const from = state?.is === 'passed' ? now : opens;
    let ends = from;
    for (const group of waves.get(index)?.values() ?? []) {
      const count = Math.ceil(group.devices.length / input.spec.maxInFlight);
      const end = endOfRounds(group.starts, from, { count, each: group.each });
      ends = Math.max(ends, end);
      late = addLate(late, group, { wave: name, end, limit: 'before' });
      expired = addLate(expired, group, { wave: name, end, limit: 'approved' });
    }
    opens = nextOpens(state, { opens, ends, soak: waves.has(index) ? soak : 0 });
  }
  return [
    ...(late ? [lateFinding(policy, late)] : []),
    ...(expired ? [expiryFinding(policy, expired, documents)] : []),
  ];
}

/** When the next wave opens. A wave without remaining changes delays no other wave. */
function nextOpens(
  state: WaveState | undefined,
  { opens, ends, soak }: { opens: Instant; ends: Instant; soak: Milliseconds },
): Instant {
  if (state?.is === 'passed') return opens;
  return state?.is === 'soaking' ? Math.max(ends, state.until) : ends + soak;
}

/**
 * Adds the devices of a group that end after a limit. The device with the first limit is the example.
 */
function addLate(
  before: Late | undefined,
  { devices }: Group,
  { limit, ...at }: Pick<Late, 'wave' | 'end'> & { readonly limit: keyof Limits },
): Late | undefined {
  let late = before;
  for (const device of devices) {
    const end = device[limit];
    if (end === undefined || at.end <= end) continue;
    const count = (late?.count ?? 0) + 1;
    const isFirst = late === undefined || end < late.before;
    late = isFirst || !late ? { ...at, count, device: device.id, before: end } : { ...late, count };
  }
  return late;
}

function lateFinding(policy: Sourced<Policy>, late: Late): Diagnostic {
  const isFirmware = policy.value.section === 'firmware';
  const at = locateValue(policy, isFirmware ? '/deadline' : '/rollout');
  return finding('lateForecast', at, { policy, late });
}

function expiryFinding(policy: Sourced<Policy>, late: Late, { service }: Documents): Diagnostic {
  const at = service.places.get('/approval') ?? service.at;
  return finding('approvalTooShort', at, { policy, late });
}

function finding(
  code: 'lateForecast' | 'approvalTooShort',
  at: NonNullable<Diagnostic['at']>,
  { policy, late }: { readonly policy: Sourced<Policy>; readonly late: Late },
): Diagnostic {
  const { end, before, count, device, wave } = late;
  return {
    code,
    severity: 'warning',
    at,
    params: {
      policy: policy.value.address,
      count,
      device,
      wave,
      [code === 'lateForecast' ? 'deadline' : 'expires']: formatInstant(before),
      ...(end !== Infinity && { end: formatInstant(end) }),
    },
  };
}
