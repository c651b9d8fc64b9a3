import { InvalidDocuments } from '../model/documents/quoted.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { StatusView } from '../model/report/status.ts';
import { hasError } from './documents.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { PlannedSurvey } from './plan.ts';

/** Reports the state of every policy. Throws `InvalidDocuments`. */
export async function readStatus(
  documents: Documents,
  { plan, input, diagnostics, follow }: PlannedSurvey,
  memory: Memory,
): Promise<StatusView> {
  if (hasError(diagnostics)) throw new InvalidDocuments(diagnostics, documents.files);
  const [{ outlooks }, { findTimeouts: timeoutsOf }, { fleetStatus }, { partMembership }] =
    await Promise.all([
      import('../plan/explain/outlook.ts'),
      import('../apply/watch/timeouts.ts'),
      import('../report/status.ts'),
      import('../plan/part/membership.ts'),
    ]);
  const members = input.part && partMembership(input.part, input.snapshot);
  const followed = follow?.({ memory, now: input.now });
  return fleetStatus({
    plan,
    outlooks: outlooks(input),
    memory,
    ...(followed && { followed }),
    ...(members && { isInPart: members.has }),
    lostAfter: (intent) => timeoutsOf(documents, intent).lost,
    now: input.now,
  });
}
