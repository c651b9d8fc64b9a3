import type { Entry, Fleet, Written } from '../authored.ts';

/** A span of a window, and where it stands inside its entry. */
export interface PlacedSpan {
  readonly entry: Entry;
  readonly span: Written['span'];
  readonly below: string;
}

/** Every span of every sound window, open and closed ones. */
export function* spansIn(fleet: Fleet): Generator<PlacedSpan> {
  for (const entry of fleet.of('windows'))
    for (const list of ['allow', 'deny'] as const)
      yield* (entry.value[list] ?? []).map((span, index) => ({
        entry,
        span,
        below: `/${list}/${index}`,
      }));
}
