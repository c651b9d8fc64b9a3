import { intentsMeant, refuseResolution, type Resolution } from '../../ledger/resolution.ts';
import { formatInstant } from '../../lib/time.ts';
import { WorldError } from '../../model/error.ts';
import type { IntentState, Memory } from '../../model/ledger/memory.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import type { Journal } from '../../model/ports.ts';

interface Said {
  readonly resolution: Resolution;
  readonly who: string;
  readonly why: string;
}

/**
 * Records the outcome of an intent in doubt under the lease, on the exact head that was checked; an earlier run may
 * have closed the intent. Throws as `intentMeant`.
 */
export async function resolveOn(
  journal: Journal,
  said: string,
  { resolution, who, why }: Said,
): Promise<IntentState> {
  for (;;) {
    const intent = intentMeant(journal.memory, said, resolution);
    const body: RecordBody = {
      type: 'SETTLED',
      intentId: intent.id,
      verdict: resolution,
      by: 'person',
      evidence: [],
      who,
      why,
    };
    if ((await journal.append([body])) === 'acknowledged') return intent;
  }
}

/**
 * The single intent that the text names, if it may be closed with this outcome. Throws `intentUnknown`,
 * `intentAtWork` and `intentClosed`.
 */
export function intentMeant(memory: Memory, said: string, resolution: Resolution): IntentState {
  const [intent, ...others] = intentsMeant(memory, said);
  if (!intent || others.length > 0)
    throw new WorldError('intentUnknown', {
      intent: said,
      ...(others.length > 0 && { matches: others.length + 1 }),
    });
  const refusal = refuseResolution(intent, resolution);
  if (refusal === undefined) return intent;
  const { id, task, device, taskId = '', verdict = '', attemptedAt } = intent;
  const since = formatInstant(intent.settledAt ?? attemptedAt);
  const about = { intent: id, task, device, taskId, verdict, since };
  throw new WorldError(refusal === 'atWork' ? 'intentAtWork' : 'intentClosed', about);
}
