import type { Change } from '../model/plan/change.ts';
import type { PlannerInput } from './input.ts';
import { policiesOf } from '../model/documents/policies.ts';
import { idsIn } from './known-devices.ts';

/** One entry of a note, of a policy that names a device which is not there. */
type Unmanaged = Pick<Change, 'task' | 'at' | 'reason'>;

/**
 * Devices that a policy selects by their very id and that are not managed: step K1 of the decision
 * order. A pattern names nobody in particular.
 */
export function* unmanagedDevices({ documents, snapshot }: PlannerInput): Iterable<Unmanaged> {
  const isSure = snapshot.confidence === 'one page' || snapshot.confidence === 'two equal passes';
  const absent = new Set(snapshot.repair?.absent);
  for (const { at, value } of policiesOf(documents)) {
    if (value.section === 'onboarding') continue;
    for (const entry of new Set(idsIn(value.select))) {
      if (snapshot.devices.rowOf(entry) !== undefined) continue;
      const params = {
        entry,
        ...(!isSure && !absent.has(entry) && { confidence: snapshot.confidence }),
      };
      const place = { ...at, policy: value.address };
      yield { task: value.task, at: place, reason: { code: 'unmanaged', params } };
    }
  }
}
