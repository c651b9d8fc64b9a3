import { isWanted } from '../model/plan/change.ts';
import { locateValue } from '../model/documents/source.ts';
import type { GuardrailVerdict } from '../model/plan/plan.ts';
import type { Instant } from '../lib/time.ts';
import type { CountInput } from './counted.ts';
import type { Recount } from './recount.ts';

/**
 * The verdict on each incident that has not ended: its `run` and `wait` changes are at most
 * `expect`. No other limit counts them (semantics N60).
 */
export function expectedVerdicts({
  documents,
  changes,
  now,
}: Pick<CountInput, 'documents' | 'changes'> & {
  readonly now: Instant;
}): readonly GuardrailVerdict[] {
  const incidents = [...documents.incidents.values()].filter(
    ({ value }) => value.incident.until > now,
  );
  const left = new Map(incidents.map(({ value }) => [value.address, 0]));
  if (left.size === 0) return [];
  for (const change of changes) {
    const number = left.get(change.policy);
    if (number !== undefined && isWanted(change)) left.set(change.policy, number + 1);
  }
  return incidents.map((entry) => {
    const { address, incident } = entry.value;
    const number = left.get(address) ?? 0;
    const allowed = incident.expect;
    const at = locateValue(entry, '/expect');
    const verdict = {
      guardrail: address,
      limit: 'expect',
      value: allowed,
      number,
      allowed,
    } as const;
    return { ...verdict, passed: number <= allowed, at };
  });
}

/** Whether the verdict on an incident follows from the changes of a saved plan. */
export function followsIncident(
  { guardrail, value, number, allowed, passed }: GuardrailVerdict,
  plan: Recount,
): boolean {
  return allowed === value && number === plan.of(guardrail) && passed === number <= allowed;
}
