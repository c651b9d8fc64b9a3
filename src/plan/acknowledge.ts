import { ACKNOWLEDGED, findActor } from '../model/plan/actor.ts';
import type { Exemption } from '../model/plan/desired-state.ts';
import type { Reason } from '../model/plan/reason.ts';
import { formatInstant } from '../lib/time.ts';
import type { ChangeColumns } from './columns.ts';

/** What is acknowledged of a change, by its index in the columns. */
export type Acknowledged = ReadonlyMap<number, NonNullable<Exemption['acknowledged']>>;

/**
 * Marks the changes that need a person for a reason that an exception acknowledges (semantics M33).
 * Nothing else about them changes: what can start, starts.
 */
export function acknowledge(columns: ChangeColumns, acknowledged: Acknowledged): void {
  for (const [index, exceptions] of acknowledged) {
    const { action, reason } = columns.at(index);
    if (action === 'run' || findActor(reason) !== 'person') continue;
    const covering = exceptions.find(({ value }) => covers(value.reasons, reason));
    if (!covering) continue;
    const { name, value } = covering;
    const params = {
      ...reason.params,
      [ACKNOWLEDGED]: name,
      acknowledgedUntil: formatInstant(value.until),
    };
    columns.decide(index, { action, reason: { ...reason, params } });
  }
}

function covers(reasons: readonly string[], { code, why }: Reason): boolean {
  return reasons.includes(code) || (why !== undefined && reasons.includes(why));
}
