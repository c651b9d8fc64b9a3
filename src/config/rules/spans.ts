import type { AuthoredEntry, AuthoredFleet, Authored } from '../authored.ts';

/** A span of a window, and where it stands inside its entry. */
export interface AuthoredSpan {
  readonly entry: AuthoredEntry;
  readonly span: Authored['span'];
  readonly below: string;
}

/** Every span of every sound window, open and closed ones. */
export function* spansIn(fleet: AuthoredFleet): Generator<AuthoredSpan> {
  for (const entry of fleet.of('windows'))
    for (const list of ['allow', 'deny'] as const)
      yield* (entry.value[list] ?? []).map((span, index) => ({
        entry,
        span,
        below: `/${list}/${index}`,
      }));
}
