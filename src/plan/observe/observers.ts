import { absences, adoptions, returns } from '../decide/rotations.ts';
import { approvals } from './approvals.ts';
import { listings } from './listings.ts';
import { unavailable } from '../decide/unavailable.ts';
import type { Observer, Surveyed } from '../observer.ts';
import { findSighting, sightingsToAdd } from '../../model/ledger/sightings.ts';
import {
  ONLINE_AGAIN,
  ONLINE_APART,
  judgeCoverage,
  unverifiedOn,
} from '../../rollout/budgets/down.ts';
import {
  CLEARED,
  SHOWN,
  SYMPTOM,
  isDatedByLastSeen,
  showing,
  symptomSubject,
} from '../../kinds/symptom.ts';

/** All observations of apply at each reading of the fleet (protocol J14). */
export const OBSERVERS: readonly Observer[] = [
  adoptions,
  approvals,
  listings,
  symptoms,
  absences,
  returns,
  onlineAgain,
  unavailable,
];

/**
 * Devices with an unverified intent that read online again: coverage needs them up, twice and ten
 * minutes apart; the stop rules handle the missing target (semantics B8).
 */
export function* onlineAgain({
  snapshot: { devices, takenAt },
  memory,
}: Surveyed): ReturnType<Observer> {
  for (const intent of memory.intents.values()) {
    const row = intent.verdict === 'unverified' ? devices.rowOf(intent.device) : undefined;
    if (row === undefined || unverifiedOn(memory, intent.device) !== intent) continue;
    if (takenAt < (intent.settledAt ?? takenAt) || judgeCoverage(devices.at(row), takenAt) !== 'up')
      continue;
    const seen = findSighting(memory, ONLINE_AGAIN, intent.id);
    const sighting = { what: ONLINE_AGAIN, subject: intent.id, seenAt: takenAt } as const;
    if (!seen) yield { ...sighting, value: 'once' };
    else if (seen.value === 'once' && takenAt - seen.firstAt >= ONLINE_APART)
      yield { ...sighting, value: 'twice' };
  }
}

/**
 * When the symptom of a restart policy started on a device, and when it ended. A device that went
 * offline is dated by its `lastSeen` and needs no record (semantics S3, protocol J14).
 */
export function* symptoms(surveyed: Surveyed): ReturnType<Observer> {
  const { memory, now: seenAt } = surveyed;
  const shown = symptomsShown(surveyed);
  for (const seen of sightingsToAdd(memory, SYMPTOM, shown, [SHOWN, CLEARED]))
    yield { ...seen, seenAt };
}

/**
 * Every symptom on every device that its policy applies to; a device without one has no change in
 * the plan.
 */
function symptomsShown({ documents, snapshot, changes }: Surveyed): ReadonlySet<string> {
  const policies = new Map(
    [...documents.restarts.values()].map(({ value }) => [value.address, value]),
  );
  const shown = new Set<string>();
  if (policies.size === 0) return shown;
  for (const { policy: address, device: label } of changes) {
    const policy = policies.get(address);
    const row = policy && snapshot.devices.rowOf(label.id);
    if (!policy || row === undefined) continue;
    const device = snapshot.devices.at(row);
    if (showing(policy, device).is === 'shown' && !isDatedByLastSeen(policy, device))
      shown.add(symptomSubject(policy, device.id));
  }
  return shown;
}
