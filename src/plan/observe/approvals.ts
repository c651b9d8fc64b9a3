import { APPROVED, approvalSubject, firmwareDeadline } from '../../kinds/firmware.ts';
import type { Change } from '../../model/plan/change.ts';
import { type Diagnostic, warning } from '../../model/documents/diagnostic.ts';
import type { Documents, FirmwarePolicy } from '../../model/documents/policy.ts';
import { findSighting } from '../../model/ledger/sightings.ts';
import { locateValue, type Sourced } from '../../model/documents/source.ts';
import { formatInstant, type Instant } from '../../lib/time.ts';
import type { PlannerInput } from '../input.ts';
import type { Observer } from '../observer.ts';

/**
 * The first reading of a version as approved for a model, where a policy counts time from it
 * (semantics F7, protocol J14).
 */
export const approvals: Observer = function* ({ documents, snapshot, memory, now: seenAt }) {
  const policies = [...documents.firmware.values()].map(({ value }) => value);
  if (policies.every(({ deferral, deadline }) => deferral <= 0 && deadline === undefined)) return;
  const said = new Set<string>();
  for (let row = 0; row < snapshot.devices.length; row++) {
    const device = snapshot.devices.at(row);
    const { targetFirmware } = snapshot.facts(device.id);
    if (typeof targetFirmware !== 'object') continue;
    for (const { version } of targetFirmware) {
      const subject = approvalSubject(device, version);
      if (said.has(subject) || findSighting(memory, APPROVED, subject)) continue;
      said.add(subject);
      yield { what: APPROVED, subject, seenAt };
    }
  }
};

/** Policies with devices past their deadline, for any reason. */
export function lateUpgrades(
  input: PlannerInput,
  changes: Iterable<Change>,
): readonly Diagnostic[] {
  const policies = timedPolicies(input.documents);
  if (policies.size === 0) return [];
  const late = new Map<Sourced<FirmwarePolicy>, Late>();
  for (const change of changes) {
    const policy = policies.get(change.policy);
    const deadline = policy && deadlineIn(change, policy.value, input);
    if (!policy || deadline === undefined || deadline >= input.now) continue;
    const before = late.get(policy);
    const isFirst = before === undefined || deadline < before.deadline;
    const count = (before?.count ?? 0) + 1;
    late.set(policy, { ...(isFirst ? { change, deadline } : before), count });
  }
  return [...late].map(([policy, found]) => pastDeadline(policy, found));
}

interface Late {
  readonly count: number;
  /** The change that has been late the longest, and since when. */
  readonly change: Change;
  readonly deadline: Instant;
}

function timedPolicies({ firmware }: Documents): ReadonlyMap<string, Sourced<FirmwarePolicy>> {
  const timed = [...firmware.values()].filter(({ value }) => value.deadline !== undefined);
  return new Map(timed.map((policy) => [policy.value.address, policy]));
}

function deadlineIn(
  { finalTarget, device }: Change,
  policy: FirmwarePolicy,
  { memory: { sightings }, snapshot: { devices } }: PlannerInput,
): Instant | undefined {
  const row = devices.rowOf(device.id);
  const firmwareVersion = row === undefined ? undefined : devices.at(row).firmwareVersion;
  if (finalTarget === undefined || firmwareVersion === undefined) return undefined;
  return firmwareDeadline(
    policy,
    { ...device, firmwareVersion },
    { wanted: finalTarget, sightings },
  );
}

function pastDeadline(
  policy: Sourced<FirmwarePolicy>,
  { count, change, deadline }: Late,
): Diagnostic {
  return warning('pastDeadline', locateValue(policy, '/deadline'), {
    policy: policy.value.address,
    count,
    device: change.device.id,
    version: change.finalTarget ?? '',
    deadline: formatInstant(deadline),
  });
}
