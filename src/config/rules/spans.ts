import type { AuthoredEntry, AuthoredFleet, Authored } from '../authored.ts';

/** A window span and its pointer inside the entry. */
export interface AuthoredSpan {
  readonly entry: AuthoredEntry;
  readonly span: Authored['span'];
  readonly below: string;
}

/** Every span of the sound windows, allow and deny. */
export function* spansIn(fleet: AuthoredFleet): Generator<AuthoredSpan> {
  for (const entry of fleet.of('windows'))
    for (const list of ['allow', 'deny'] as const)
      yield* (entry.value[list] ?? []).map((span, index) => ({
        entry,
        span,
        below: `/${list}/${index}`,
      }));
}
