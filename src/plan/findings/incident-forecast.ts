import { isWanted, type Change } from '../../model/plan/change.ts';
import type { IncidentPolicy } from '../../model/documents/policy.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';
import type { ReasonCode } from '../../model/plan/reason.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { BudgetInput } from '../../rollout/budgets/budget-tracker.ts';
import { mostAtOnce } from '../../rollout/budgets/at-once.ts';
import { readsBefore, requestsFor } from '../admit/batch.ts';
import type { PlannerInput } from '../input.ts';

/** When an incident will be done. */
export interface IncidentForecast {
  /** Devices that can be done now. */
  readonly reachable: number;
  /** These, and those that wait for a person or for themselves. */
  readonly left: number;
  /** If tasks take as long as they usually do. */
  readonly end: Instant;
  /** If each takes all the time that it may. */
  readonly worst: Instant;
  readonly running: Milliseconds;
  /** Of the reachable devices, those that do not fit before `until`. */
  readonly late: number;
}

/** The time of a task where the ledger has none, and from its end to the proof on the device. */
const USUAL: Milliseconds = 180_000;
const VERIFYING: Milliseconds = 20_000;

/** Reads of the credential of one device: the last look, and the proof. */
const CREDENTIAL_READS = 2;

/**
 * Forecasts an incident (semantics N62): the devices that can start, at the rate that requests and
 * the devices in flight allow, after the trial. Undefined where nothing of it can start.
 */
export function forecastIncident(
  policy: IncidentPolicy,
  changes: Iterable<Change>,
  input: PlannerInput & Pick<BudgetInput, 'members'>,
): IncidentForecast | undefined {
  const { documents, snapshot, memory, now } = input;
  const { devices } = snapshot;
  const { address, task, incident } = policy;
  if (incident.until <= now) return undefined;
  const wanted = [...changes].filter((change) => change.policy === address && isWanted(change));
  const rows = wanted
    .filter(({ reason }) => !HELD.has(reason.code) && reason.why !== 'maintenanceMode')
    .flatMap(({ device }) => devices.rowOf(device.id) ?? []);
  const spec = rolloutOrDefault(documents.rollouts, policy.rollout);
  const atOnce = Math.min(spec.maxInFlight, mostAtOnce(input, policy, rows));
  if (rows.length === 0 || atOnce === 0) return undefined;
  const { pace } = documents.service.value;
  const { requestsPerSecond, pollEvery } = pace;
  const before = readsBefore({ dialect: input.dialect, devices: devices.length });
  const requests = Math.max(
    CREDENTIAL_READS,
    requestsFor(spec.batch, before, pace) / spec.batch + 1,
  );
  const running = spec.timeouts.running[task];
  const first = Math.min(
    rows.length,
    spec.waves[0]?.slice.is === 'size' ? spec.waves[0].slice.devices : 0,
  );
  const after = (each: Milliseconds): { readonly at: Instant; readonly late: number } => {
    const whole = each + pollEvery + VERIFYING;
    const perMs = Math.min(requestsPerSecond / 1_000 / requests, atOnce / whole);
    const trial = whole + requestsFor(first, before, pace) * (1_000 / requestsPerSecond);
    const rest = rows.length - first;
    const fits = Math.max(0, Math.floor((incident.until - now - trial) * perMs));
    return { at: now + trial + rest / perMs, late: Math.max(0, rest - fits) };
  };
  const usual = after(medianOf(task, memory) ?? USUAL);
  return {
    reachable: rows.length,
    left: wanted.length,
    end: toSeconds(usual.at),
    worst: toSeconds(after(running).at),
    running,
    late: usual.late,
  };
}

/** Reasons that time alone does not end. */
const HELD: ReadonlySet<ReasonCode> = new Set([
  'hold',
  'frozenHard',
  'offline',
  'unknown',
  'rolloutPaused',
]);

/** The median time of settled attempts of this task; undefined without any. */
function medianOf(task: TaskType, { intents }: Memory): Milliseconds | undefined {
  const times: number[] = [];
  for (const intent of intents.values())
    if (intent.task === task && intent.seconds !== undefined) times.push(intent.seconds);
  const middle = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
  return middle === undefined ? undefined : middle * 1_000;
}

function toSeconds(at: Instant): Instant {
  return Math.ceil(at / 1_000) * 1_000;
}
