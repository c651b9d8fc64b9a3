import type { Change, ChangeRow } from './change.ts';

/** Changes, in columns or not. */
export type MaybeColumns = Iterable<Change> & { readonly rows?: Iterable<ChangeRow> };

/** The rows of changes; where they are not in columns, each is a kind of its own. */
export function rowsIn(changes: MaybeColumns): Iterable<ChangeRow> {
  return changes.rows ?? { [Symbol.iterator]: () => plainRows(changes) };
}

function* plainRows(changes: Iterable<Change>): Generator<ChangeRow> {
  let kind = 0;
  for (const change of changes) {
    const { device, reason } = change;
    yield {
      kind,
      deviceId: device.id,
      site: device.site ?? '',
      since: reason.since,
      next: reason.next,
      change: () => change,
    };
    kind += 1;
  }
}
