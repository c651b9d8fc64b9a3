import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import { formatInstant, parseInstant, type Milliseconds } from '../../lib/time.ts';
import { placeIn, type AuthoredFleet } from '../authored.ts';
import { error } from '../findings.ts';

/** The longest time from `since` to `until`. */
export const LONGEST_INCIDENT: Milliseconds = 72 * 3_600_000;

/** An incident ends after it began, and at most 72 hours later (semantics N55). */
export function* incidentsEnd(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('incidents')) {
    const [since, until] = [parseInstant(entry.value.since), parseInstant(entry.value.until)];
    if (since === undefined || until === undefined) continue;
    const at = placeIn(entry, '/until');
    const value = entry.value.until;
    if (until <= since)
      yield error('outOfRange', at, { value, rule: '>', limit: entry.value.since });
    else if (until > since + LONGEST_INCIDENT)
      yield error('outOfRange', at, {
        value,
        rule: '<=',
        limit: formatInstant(since + LONGEST_INCIDENT),
      });
  }
}
