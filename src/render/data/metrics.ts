import { isFuture } from '../../model/fleet/change-date.ts';
import type { Device } from '../../model/fleet/device.ts';
import type { Facts, Snapshot } from '../../model/fleet/snapshot.ts';
import type { RequestCounts } from '../../model/ledger/run-requests.ts';
import type { RunReport } from '../../model/ledger/run-report.ts';
import { RUN_CLASSES } from '../../model/ledger/run-sums.ts';
import { countOutcomes } from '../../model/ledger/run-table.ts';
import { FLEET, policyOfScope } from '../../model/ledger/scopes.ts';
import { findColumn, tabulatePlan } from '../../model/plan/actor.ts';
import { kindsIn } from '../../model/plan/change-rows.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { StatusView } from '../../model/report/status.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Sample } from './prometheus.ts';

/** What a command knows of itself and of the fleet. */
export interface Measured {
  /** Of a run that sends or finishes tasks. */
  readonly report?: RunReport;
  readonly requests?: RequestCounts;
  /** What it found, where its job ends with another code. */
  readonly exit?: number;
  readonly fleet?: () => Promise<MeasuredFleet>;
}

/** A reading with its plan and its status. */
interface MeasuredFleet {
  readonly plan: Plan;
  readonly status: StatusView;
  readonly snapshot: Pick<Snapshot, 'devices' | 'facts'>;
}

export type Ended = Measured &
  Readonly<{ command: string; exit: number; endedAt: Instant; took: Milliseconds }>;

/** The series of a run. What is not known of it has none, which is no 0. */
export function* runSamples({ command, exit, endedAt, took, ...run }: Ended): Generator<Sample> {
  yield ['run_end_timestamp_seconds', endedAt / 1_000, command];
  yield ['run_duration_seconds', Math.round(took) / 1_000, command];
  yield ['run_exit_code', exit, command];
  const { report, requests = report?.requests?.made } = run;
  for (const [purpose, count] of Object.entries(requests ?? {}))
    yield ['run_requests', count, command, purpose];
  if (!report) return;
  yield ['run_attempts', report.attempts, command];
  for (const counts of Object.values(countOutcomes(report)))
    for (const name of RUN_CLASSES) yield ['run_changes', counts[name] ?? 0, command, name];
}

/**
 * The series of a fleet, by the columns of its plan (semantics N85). Those of policies need a plan of the whole fleet
 * and a whole ledger; those of devices, a consistent reading.
 */
export function* fleetSamples(fleet: MeasuredFleet): Generator<Sample> {
  const { part, ledgerLost, torn } = fleet.status;
  if (!torn) yield* deviceSamples(fleet);
  if (part || ledgerLost) return;
  yield* policySamples(fleet);
  yield* statusSamples(fleet);
}

function* policySamples({ plan }: MeasuredFleet): Generator<Sample> {
  for (const by of ['person', 'rule']) yield ['paused', 0, FLEET, by];
  for (const { policy, columns } of tabulatePlan(plan)) {
    for (const [column, count] of Object.entries(columns))
      yield ['policy_devices', count, policy, column === 'person' ? 'needs_you' : column];
    for (const by of ['person', 'rule']) yield ['paused', 0, policy, by];
    for (const name of ['overdue', 'in_doubt', 'quarantined'] as const)
      yield [`policy_${name}`, 0, policy];
  }
  const notes = plan.notes.map(({ at, reason, count }) => {
    return { change: { policy: at.policy, action: 'note' as const, reason }, count };
  });
  for (const { change, count } of [...kindsIn(plan.changes), ...notes]) {
    const { code } = change.reason;
    if (code === 'quarantined') yield ['policy_quarantined', count, change.policy];
    if (['later', 'person'].includes(findColumn(change))) yield ['waiting', count, code];
  }
}

function* statusSamples({ status }: MeasuredFleet): Generator<Sample> {
  for (const { policy } of status.inDoubt) yield ['policy_in_doubt', 1, policy];
  for (const { scope } of status.pauses) yield ['paused', 1, policyOfScope(scope), 'person'];
  for (const { scope } of status.paused) yield ['paused', 1, policyOfScope(scope), 'rule'];
  for (const { at, debt, startedAt, waves } of status.policies) {
    if (debt) yield ['policy_overdue', debt.devices, at.policy];
    const begun = startedAt === undefined ? [] : waves.filter(({ is }) => is !== 'plain');
    const open = begun.findIndex(({ is }) => is !== 'passed');
    const number = open < 0 ? begun.length : open + 1;
    const wave = begun[number - 1];
    if (wave) yield ['rollout_wave', number, at.policy, wave.name];
  }
}

const UNKNOWN = 'unknown';

function* deviceSamples({ snapshot, status: { at } }: MeasuredFleet): Generator<Sample> {
  for (let row = 0; row < snapshot.devices.length; row += 1) {
    const device = snapshot.devices.at(row);
    const { deviceType = UNKNOWN, status = UNKNOWN, vendor = UNKNOWN, model = UNKNOWN } = device;
    // A device of several sites counts at the first of them, as it does in coverage.
    const [first] = device.sites.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const site = first?.name ?? first?.id ?? '-';
    yield ['devices', 1, site, deviceType, status];
    yield ['firmware_devices', 1, vendor, model, device.firmwareVersion ?? UNKNOWN];
    yield* credentialSamples(device, snapshot.facts(device.id), site, at);
  }
}

/** What a read of a credential shows stands before the row of its device. */
function* credentialSamples(
  device: Device,
  { passwords, certificates }: Facts,
  site: string,
  at: Instant,
): Generator<Sample> {
  const password = typeof passwords === 'object' ? passwords : undefined;
  const certificate = typeof certificates === 'object' ? certificates : undefined;
  const changes = {
    rotatePassword: password?.changedAt ?? device.passwordChangedAt,
    rotateSslCertificate: certificate?.notBefore,
  };
  const ends = {
    rotatePassword: password?.expiresAt ?? device.passwordExpiresAt,
    rotateSslCertificate: certificate?.notAfter ?? device.sslCertificateExpiresAt,
    rotate8021xCertificate: device.dot1xCertificateExpiresAt,
  };
  for (const [task, changed] of Object.entries(changes))
    if (changed !== undefined && !isFuture(changed, at))
      yield ['credential_age_max_seconds', Math.max(0, at - changed) / 1_000, site, task];
  for (const [task, end] of Object.entries(ends))
    if (end !== undefined) yield ['expiry_min_timestamp_seconds', end / 1_000, site, task];
}
