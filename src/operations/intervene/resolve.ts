import { intentsMeant, refuseResolution, type Resolution } from '../../ledger/resolution.ts';
import { formatInstant } from '../../lib/time.ts';
import { WorldError } from '../../model/error.ts';
import type { IntentState, Memory } from '../../model/ledger/memory.ts';
import type { Journal } from '../../model/ports.ts';

interface Said {
  readonly resolution: Resolution;
  readonly who: string;
  readonly why: string;
}

/**
 * Records the outcome of intents in doubt under the lease, in one append, on the exact head that was checked; an earlier
 * run may have closed one of them. Throws as `intentsToResolve`.
 */
export async function resolveOn(
  journal: Journal,
  texts: readonly string[],
  { resolution, who, why }: Said,
): Promise<readonly IntentState[]> {
  for (;;) {
    const intents = intentsToResolve(journal.memory, texts, resolution);
    const said = { verdict: resolution, by: 'person', evidence: [], who, why } as const;
    const bodies = intents.map(({ id }) => ({ type: 'SETTLED', intentId: id, ...said }) as const);
    if ((await journal.append(bodies)) === 'acknowledged') return intents;
  }
}

/** The intents that texts name, each once. Throws as `intentMeant` for the first that may not be closed. */
export function intentsToResolve(
  memory: Memory,
  said: readonly string[],
  resolution: Resolution,
): readonly IntentState[] {
  return [...new Set(said.map((text) => intentMeant(memory, text, resolution)))];
}

/**
 * The single intent that the text names, if it may be closed with this outcome. Throws `intentUnknown`,
 * `intentAtWork` and `intentClosed`.
 */
function intentMeant(memory: Memory, said: string, resolution: Resolution): IntentState {
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
