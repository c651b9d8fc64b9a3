import type { Change, ChangeKind, ChangeRow, Changes } from './change.ts';

export type MaybeColumns = Iterable<Change> & Pick<Changes, 'rows' | 'kinds'>;

/** The rows of changes; where they are not in columns, each is a kind of its own. */
export function rowsIn(changes: MaybeColumns): Iterable<ChangeRow> {
  return changes.rows ?? { [Symbol.iterator]: () => plainRows(changes) };
}

/** The kinds of changes; where they are not in columns, each is a kind of its own. */
export function kindsIn(changes: MaybeColumns): readonly ChangeKind[] {
  return changes.kinds ?? Array.from(changes, (change) => ({ change, count: 1 }));
}

function* plainRows(changes: Iterable<Change>): Generator<ChangeRow> {
  let kind = 0;
  for (const change of changes) {
    const { device, reason } = change;
    yield {
      kind,
      like: change,
      deviceId: device.id,
      site: device.site ?? '',
      since: reason.since,
      next: reason.next,
      reason,
      countedFrom: change.countedFrom,
      change: () => change,
    };
    kind += 1;
  }
}
