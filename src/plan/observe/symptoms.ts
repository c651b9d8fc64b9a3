import {
  GONE,
  isDatedByLastSeen,
  showing,
  SHOWN,
  SYMPTOM,
  symptomOf,
} from '../../kinds/symptom.ts';
import { sightingOf, sightingsOf } from '../../model/ledger/sightings.ts';
import type { Observer, Surveyed } from '../observer.ts';

/**
 * When the symptom of a restart policy began to show on a device, and when it was gone again. What
 * went dark is dated by its `lastSeen` and needs no record (semantics S3, protocol J14).
 */
export const symptoms: Observer = function* (surveyed) {
  const { memory, now: seenAt } = surveyed;
  const shown = symptomsShown(surveyed);
  for (const subject of shown)
    if (sightingOf(memory, SYMPTOM, subject)?.value !== SHOWN)
      yield { what: SYMPTOM, subject, value: SHOWN, seenAt };
  for (const [subject, { value }] of sightingsOf(memory, SYMPTOM))
    if (value === SHOWN && !shown.has(subject))
      yield { what: SYMPTOM, subject, value: GONE, seenAt };
};

/**
 * Every symptom on every device that its policy governs; what shows none is no change of the plan.
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
      shown.add(symptomOf(policy, device.id));
  }
  return shown;
}
