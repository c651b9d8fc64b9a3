import type { Dialect } from '../model/fleet/dialect.ts';
import { WorldError } from '../model/error.ts';
import type { Filter, Pass } from '../model/ports.ts';
import { field, flagOf, idOf, known, type Row } from './fields.ts';
import { filtersOf, queryOf, type Filtered, type KnownFilter } from './filters.ts';

type Rows = AsyncGenerator<readonly Row[], Pass>;

/**
 * Passes rows on and looks whether each is what was asked for, as a service may ignore a filter
 * that it does not know. A row that does not say is taken. Throws `filterNotHonoured` at the
 * first that says otherwise.
 */
export async function* checkHonoured(
  rows: Rows,
  asked: { readonly list: Filtered; readonly filter: Filter; readonly dialect: Dialect },
): Rows {
  const query = queryOf(asked.list, asked.filter, asked.dialect);
  const checks = filtersOf(asked.list, asked.dialect)
    .filter(({ name }) => Object.hasOwn(asked.filter, name))
    .map((each) => checkOf(each, query[each.sent] ?? ''));
  for (;;) {
    const step = await rows.next();
    if (step.done) return step.value;
    for (const row of step.value) for (const check of checks) check(row);
    yield step.value;
  }
}

function checkOf({ name, type, shows = '' }: KnownFilter, wanted: string): (row: Row) => void {
  const read = field(shows);
  return (row) => {
    const value = read(row);
    const found = type === 'flag' ? flagText(value) : value;
    if (typeof found !== 'string' || found === wanted) return;
    const id = known(idOf(row['id'] ?? row['deviceId'])) ?? '';
    throw new WorldError('filterNotHonoured', { filter: `${name}=${wanted}`, id, found });
  };
}

function flagText(value: unknown): string | undefined {
  const flag = known(flagOf(value));
  return flag === undefined ? undefined : String(Number(flag));
}
