import { InvalidDocuments } from '../model/documents/quoted.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { StatusView } from '../model/report/status.ts';
import { hasError } from './documents.ts';
import { survey, type SurveyParts } from './survey.ts';

/** Reads the fleet and reports the state of every policy. Throws `InvalidDocuments`. */
export async function readStatus(parts: SurveyParts, memory: Memory): Promise<StatusView> {
  const { documents } = parts;
  const { plan, input, diagnostics, follow } = await survey(parts, memory);
  if (hasError(diagnostics)) throw new InvalidDocuments(diagnostics, documents.files);
  const [{ outlooks }, { findTimeouts: timeoutsOf }, { fleetStatus }] = await Promise.all([
    import('../plan/explain/outlook.ts'),
    import('../apply/watch/timeouts.ts'),
    import('../report/status.ts'),
  ]);
  const followed = follow?.({ memory, now: input.now });
  return fleetStatus({
    plan,
    outlooks: outlooks(input),
    memory,
    ...(followed && { followed }),
    lostAfter: (intent) => timeoutsOf(documents, intent).lost,
    now: input.now,
  });
}
