import type { ReasonCode } from '../../../model/plan/reason.ts';
import type {
  PolicyForecast,
  RehearsalReport,
  TaskDuration,
} from '../../../model/report/output.gen.ts';
import type { Milliseconds } from '../../../lib/time.ts';
import { counted, grouped, type Phrase } from '../phrase.ts';
import { span } from '../moment.ts';
import { TASK_WORDS } from '../terms.ts';

export const REHEARSAL_WORDS = {
  title:
    'Rehearsal: {days|day|days} from {from}, {courses|simulation|simulations} from seed {seed}',
  fleet: '{devices|device|devices} on {sites|site|sites}, read {takenAt}',
  ledger:
    '{records|record|records}, {atWork|task|tasks} in progress and {inDoubt|task|tasks} in doubt at the start',
  assumed: 'Not read, so assumed: {what}',
  nothingAssumed: 'All values that decisions need were read',
  approval: 'Every plan counts as approved',
  nothing: 'No policy has work in this time.',
  late: '{late|change does|changes do} not finish in time',
  why: 'At the end: {why}',
  blocked: '{blocked|change is|changes are} blocked',
  failed: '{failed|change fails|changes fail}',
  closed: '{window}: {policy} has work left at {times|close|closes}, at most {left|change|changes}',
  requests: '{p50|request|requests} (p95 {p95}), at most {day} in one day',
  runs: '{runs|run|runs} of apply, {tasks|task|tasks}',
  stop: '{scope} stops in {courses|simulation|simulations} of {all}',
  ended: '{runs|run ends|runs end} early: {why}',
  noOutages: 'No task takes a device down for long enough to show.',
} as const satisfies Record<string, Phrase>;

export const FORECAST_LEGEND =
  'FINISH (UTC): when all is done, in half (p50) and in 95% (p95) of the simulations; `-`: not in this time. LATE: changes that need only more time. BLOCKED: changes that time alone does not finish: the device is down or in doubt, or a person decides.';

export const REHEARSAL_TITLES = {
  policies: 'Policies',
  windows: 'Windows that close with work left',
  outages: 'Devices down at once',
  effort: 'Requests and runs',
  trouble: 'Stops and failed runs',
  faults: 'With and without faults',
} as const;

/** What was made up so that the simulator can answer. */
export const ASSUMED_WORDS = {
  passwords: 'password date',
  certificates: 'certificate date',
  targets: 'firmware target',
} as const;

const GATE_TIMEOUT = '(gate.timeout)';
const STOP_STEPS = {
  gate:
    'End what stops the blocked devices, or write a longer `gate.timeout`: a rollout pauses if a wave does not pass ' +
    'its gate in that time.',
  rule: 'Find out why devices fail: a rollout that a stop rule pauses waits for `fleetform unpause SCOPE`.',
} as const;

/** What a person may do about the stops of a rehearsal, a sentence for each kind of them. */
export function stopSteps(stops: readonly { readonly scope: string }[]): readonly string[] {
  const gates = stops.filter(({ scope }) => scope.endsWith(GATE_TIMEOUT)).length;
  return [
    ...(gates > 0 ? [STOP_STEPS.gate] : []),
    ...(stops.length > gates ? [STOP_STEPS.rule] : []),
  ];
}

export const FORECAST_COLUMNS = {
  policy: 'Policy',
  devices: 'All',
  done: 'Done',
  failed: 'Failed',
  late: 'Late',
  blocked: 'Blocked',
  p50: 'Finish p50',
  p95: 'p95',
  wave: 'Wave',
  faults: 'Faults',
  without: 'without',
  with: 'with',
  site: 'Site',
  most: 'Most',
  mostAt: 'First at',
} as const;

/** The outcome in one sentence: how many changes finish in time, and what becomes of the others. */
export function outcomeWords(policies: readonly PolicyForecast[]): string {
  const sum = (part: 'devices' | 'done' | 'late' | 'blocked' | 'failed'): number =>
    policies.reduce((total, policy) => total + policy[part], 0);
  const [all, late, blocked, failed] = [sum('devices'), sum('late'), sum('blocked'), sum('failed')];
  if (all === 0) return REHEARSAL_WORDS.nothing;
  const others = [
    ...(late > 0 ? [`${grouped(late)} late`] : []),
    ...(blocked > 0 ? [`${grouped(blocked)} blocked`] : []),
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
  ];
  if (others.length === 0) return `${counted(all, 'change')}: all finish in time.`;
  const done = sum('done');
  const inTime = `${grouped(done)} ${done === 1 ? 'finishes' : 'finish'} in time`;
  return `${counted(all, 'change')}: ${inTime}, ${others.join(', ')}.`;
}

export function durationWords(duration: TaskDuration): string {
  const task = TASK_WORDS[duration.task];
  if (duration.from === 'simulator') return `${task}: defaults of the simulator`;
  const { samples, medianSeconds } = duration;
  return `${task}: ${counted(samples, 'ended task')} in the ledger, median ${span(medianSeconds * 1_000)}`;
}

/** What holds late work, for the reason of most of it, and what would end it. */
const CAUSE_WORDS: Readonly<Partial<Record<ReasonCode, string>>> = {
  gatePending:
    'A gate has not passed: it needs `gate.consecutiveOk` good samples, one for each run of `apply`, and `gate.minReached` devices',
  orderPending: 'The devices of a policy in `after` are not done',
  waveNotOpen: 'Earlier waves are not done, or soak (`soak`)',
  frozen: 'A freeze is in force',
  pastCutoff: 'Nothing may start so close to the end of a window (`cutoff`)',
  budgetExhausted: 'A budget (`budgets`) allows no more devices at once',
  apiBudget: 'The pace (`service.pace`) allows no more requests',
  busy: 'Another task runs on the devices',
  notRead: 'Values of the devices were not read in time (`service.pace`)',
};

/** The cause of most of the late work, and what shows more. */
export function causeWords(
  { policy, heldBy }: PolicyForecast,
  { windows }: Pick<RehearsalReport, 'windows'>,
): string {
  const [cause] = heldBy.flatMap(({ code, window = 'of the policy' }) => {
    if (code !== 'windowClosed') return CAUSE_WORDS[code] ?? [];
    const used = windows.find((each) => each.policy === policy && each.window === window);
    if (!used) return `Window ${window} opens next after the end of the rehearsal`;
    const left = counted(used.mostLeft, 'change');
    return `Window ${window} is too short or too rare: it closed ${counted(used.closedWithWork, 'time')} with up to ${left} left`;
  });
  return `${cause === undefined ? '' : `${cause}. `}A longer \`--horizon\` may show when it finishes`;
}

/** One step of the outages: `1 hour`, `6 hours`. */
export function stepWords(step: Milliseconds): string {
  return `maximum of all simulations; one mark is ${hours(step)}`;
}

function hours(ms: Milliseconds): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return counted(minutes, 'minute');
  const rest = minutes % 60;
  return `${counted(Math.floor(minutes / 60), 'hour')}${rest === 0 ? '' : ` ${counted(rest, 'minute')}`}`;
}
