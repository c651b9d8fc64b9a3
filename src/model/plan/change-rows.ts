import type { Change, ChangeRow } from './change.ts';

export type MaybeColumns = Iterable<Change> & { readonly rows?: Iterable<ChangeRow> };

/** The rows of changes; where they are not in columns, each is a kind of its own. */
export function rowsIn(changes: MaybeColumns): Iterable<ChangeRow> {
  return changes.rows ?? { [Symbol.iterator]: () => plainRows(changes) };
}

/** One change of each kind, the first, with how many there are. */
export function kindsIn(
  changes: MaybeColumns,
): readonly { readonly change: Change; readonly count: number }[] {
  const kinds: { readonly change: Change; count: number }[] = [];
  for (const row of rowsIn(changes))
    (kinds[row.kind] ??= { change: row.change(), count: 0 }).count++;
  return kinds.filter((each) => each !== undefined);
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
      countedFrom: change.countedFrom,
      change: () => change,
    };
    kind += 1;
  }
}
