import type { Dialect } from '../model/fleet/dialect.ts';
import type { Collection, ServiceFilter, Pass } from '../model/ports.ts';
import { valueOf } from './decode/answer.ts';
import { type JsonRow, field, shownFlag, shownId, known } from './decode/fields.ts';
import { type Filtered, type KnownFilter, filtersOf, queryOf } from './decode/filters.ts';
import { listRows } from './list.ts';
import type { ServiceRead } from './read.ts';
import { type ServiceEndpoint, pathOf } from './wire.ts';
import { WorldError } from '../model/error.ts';

/** Reads by id that answer with one thing. */
export type RawRead = Extract<
  ServiceEndpoint,
  | 'device'
  | 'site'
  | 'deviceSource'
  | 'vulnerabilities'
  | 'passwords'
  | 'certificates'
  | 'targetFirmware'
>;

/** The service's answers as they came, for people to look at. */
export interface RawReads {
  /** The names that the answers are read by. */
  readonly dialect: Dialect;
  /**
   * One pass over a list: its rows, page by page. Throws `filterUnknown` before anything is
   * sent, and `filterNotHonoured` at a row that was not asked for.
   */
  listRaw(
    collection: Collection | 'firmwarePaths',
    filter?: ServiceFilter,
  ): AsyncGenerator<readonly JsonRow[], Pass>;
  /** The whole answer, or undefined on 404. */
  readRaw(endpoint: RawRead, id: string): Promise<unknown>;
  /**
   * The device tasks of a task, page by page. Throws `notFound`, and `filterUnknown` before
   * anything is sent.
   */
  taskRaw(id: string, options?: TaskReadOptions): AsyncGenerator<readonly JsonRow[], Pass>;
}

export interface TaskReadOptions {
  readonly steps?: boolean;
  readonly filter?: ServiceFilter;
  /** Hears each answer, for what it says beside its rows. */
  readonly onPage?: (answer: JsonRow) => void;
}

export function createRawReads(parts: {
  readonly read: ServiceRead;
  readonly dialect: Dialect;
}): RawReads {
  const { read, dialect } = parts;
  return {
    dialect,
    listRaw: (collection, filter = {}) =>
      collection === 'firmwarePaths'
        ? listRows(collection, {}, parts)
        : checkHonoured(
            listRows(collection, { query: queryOf(collection, filter, dialect) }, parts),
            { list: collection, filter, dialect },
          ),
    readRaw: async (endpoint, id) => {
      const response = await read(endpoint, { id });
      return response && valueOf(response, pathOf(endpoint, id));
    },
    taskRaw: (id, { steps = false, filter = {}, onPage } = {}) => {
      const query = { ...queryOf('task', filter, dialect), ...(steps && { includeSteps: 'true' }) };
      const rows = listRows('task', { id, query }, { ...parts, ...(onPage && { onPage }) });
      return checkHonoured(rows, { list: 'task', filter, dialect });
    },
  };
}

type Rows = AsyncGenerator<readonly JsonRow[], Pass>;

/**
 * Passes rows on and looks whether each is what was asked for, as a service may ignore a filter
 * that it does not know. A row that does not say is taken. Throws `filterNotHonoured` at the
 * first that says otherwise.
 */
async function* checkHonoured(
  rows: Rows,
  sent: { readonly list: Filtered; readonly filter: ServiceFilter; readonly dialect: Dialect },
): Rows {
  const query = queryOf(sent.list, sent.filter, sent.dialect);
  const checks = filtersOf(sent.list, sent.dialect)
    .filter(({ name }) => Object.hasOwn(sent.filter, name))
    .map((each) => checkOf(each, query[each.sent] ?? ''));
  for (;;) {
    const step = await rows.next();
    if (step.done) return step.value;
    for (const row of step.value) for (const check of checks) check(row);
    yield step.value;
  }
}

function checkOf({ name, type, shows = '' }: KnownFilter, wanted: string): (row: JsonRow) => void {
  const read = field(shows);
  return (row) => {
    const value = read(row);
    const found = type === 'flag' ? flagText(value) : value;
    if (typeof found !== 'string' || found === wanted) return;
    const id = known(shownId(row['id'] ?? row['deviceId'])) ?? '';
    throw new WorldError('filterNotHonoured', { filter: `${name}=${wanted}`, id, found });
  };
}

function flagText(value: unknown): string | undefined {
  const flag = known(shownFlag(value));
  return flag === undefined ? undefined : String(Number(flag));
}
