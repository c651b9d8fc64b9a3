import type { Dialect } from '../model/fleet/dialect.ts';
import type { Collection, ServiceFilter, Pass } from '../model/ports.ts';
import { readJsonValue } from './decode/answer.ts';
import { type JsonRow, field, shownFlag, shownId, known } from './decode/fields.ts';
import { type Filtered, type KnownFilter, listFilters, buildQuery } from './decode/filters.ts';
import { listRows } from './list.ts';
import type { ServiceRead } from './read.ts';
import { type ServiceEndpoint, endpointPath } from './wire.ts';
import { asRefused, WorldError } from '../model/error.ts';

/** Endpoints that return one object by ID. */
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

export interface RawReads {
  readonly dialect: Dialect;
  /**
   * One pass over a list, page by page. Throws `filterUnknown` before anything is sent,
   * `filterRefused` where the service answers a filter with a client error, and
   * `filterNotHonoured` at a row that does not match.
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

interface TaskReadOptions {
  readonly steps?: boolean;
  readonly filter?: ServiceFilter;
  /** Receives each answer, for the fields beside its rows. */
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
            listRows(collection, { query: buildQuery(collection, filter, dialect) }, parts),
            { list: collection, filter, dialect },
          ),
    readRaw: async (endpoint, id) => {
      const answer = await read(endpoint, { id });
      return answer && readJsonValue(answer, endpointPath(endpoint, id));
    },
    taskRaw: (id, { steps = false, filter = {}, onPage } = {}) => {
      const query = {
        ...buildQuery('task', filter, dialect),
        ...(steps && { includeSteps: 'true' }),
      };
      const rows = listRows('task', { id, query }, { ...parts, ...(onPage && { onPage }) });
      return checkHonoured(rows, { list: 'task', filter, dialect });
    },
  };
}

interface SentFilter {
  readonly list: Filtered;
  readonly filter: ServiceFilter;
  readonly dialect: Dialect;
}

type Rows = AsyncGenerator<readonly JsonRow[], Pass>;

/**
 * Passes rows through and checks that each matches the filter, since a service may ignore an
 * unknown one. A row that does not show the field is accepted. Throws `filterNotHonoured` at the
 * first row that does not match.
 */
async function* checkHonoured(rows: Rows, sent: SentFilter): Rows {
  const query = buildQuery(sent.list, sent.filter, sent.dialect);
  const checks = listFilters(sent.list, sent.dialect)
    .filter(({ name }) => Object.hasOwn(sent.filter, name))
    .map((each) => createRowCheck(each, query[each.sent] ?? ''));
  for (;;) {
    const step = await rows.next().catch(asFilterRefused(sent));
    if (step.done) return step.value;
    for (const row of step.value) for (const check of checks) check(row);
    yield step.value;
  }
}

/**
 * A client error that the service gives to a request with filters concerns them: they are the only
 * part of it that a user chose. Dates have a form of their own, which a key of the dialect sets.
 */
function asFilterRefused({ list, filter, dialect }: SentFilter): (error: unknown) => never {
  return (error) => {
    const names = Object.keys(filter);
    const isUnexpected = error instanceof WorldError && error.code === 'unexpectedStatus';
    if (names.length > 0 && asRefused(error) === undefined && isUnexpected) {
      const dated = listFilters(list, dialect)
        .filter(({ type }) => type === 'instant')
        .map(({ name }) => name);
      const isDated = names.some((name) => dated.includes(name));
      throw new WorldError('filterRefused', {
        status: error.params['status'] ?? '',
        filter: names.map((name) => `${name}=${String(filter[name])}`).join(', '),
        ...(isDated && { key: 'filterDateForm', form: dialect.filterDateForm }),
      });
    }
    throw error;
  };
}

function createRowCheck(
  { name, type, shows = '' }: KnownFilter,
  wanted: string,
): (row: JsonRow) => void {
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
