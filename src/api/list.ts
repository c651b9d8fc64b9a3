import { isObject } from '../lib/objects.ts';
import { countIn } from '../lib/count.ts';
import type { Dialect, DialectKey } from '../model/fleet/dialect.ts';
import { WorldError } from '../model/error.ts';
import type { HttpAnswer, Pass } from '../model/ports.ts';
import { asRow, readJsonValue, unexpected } from './decode/answer.ts';
import { field, shownId, known, member, part, type JsonRow } from './decode/fields.ts';
import { pages, type ListPage } from './pages.ts';
import type { ReadTarget, ServiceRead } from './read.ts';
import { idField, listField, PAGE_LIMIT, endpointPath, type ListEndpoint } from './wire.ts';

export interface ListParts {
  readonly read: ServiceRead;
  readonly dialect: Dialect;
}

/** What of the answers of a list its reader looks at besides the rows. */
export interface ListListeners {
  readonly onAnswer?: (answer: HttpAnswer) => void;
  /** Receives each page as it came, before its rows are checked. */
  readonly onPage?: (page: JsonRow, answer: HttpAnswer) => void;
}

/**
 * One pass over the rows of a list, page by page. Throws `notFound` if the list does not exist, and
 * `unexpectedShape` if the answer is no list or a row has no ID.
 */
export function listRows(
  endpoint: ListEndpoint,
  { id, query }: ReadTarget,
  { read, dialect, onPage, onAnswer }: ListParts & ListListeners,
): AsyncGenerator<readonly JsonRow[], Pass> {
  const path = endpointPath(endpoint, id);
  const name = listField(endpoint, dialect);
  const idName = idField(endpoint, dialect);
  const isWhole = endpoint === 'firmwarePaths' && dialect.firmwarePathsPages !== 'paged';
  const keyOf = keyReader(idName);
  const isTask = endpoint === 'task';
  const toKey = (row: JsonRow, index: number): string => {
    const key = keyOf(row);
    if (key !== undefined) return key;
    // A task without this row is still a task: its reader counts the row as one it cannot read.
    if (isTask) return `#${index}`;
    throw unexpected(path, `${name}[${index}].${idName ?? ''}`, KEYS[endpoint]);
  };
  return pages({
    limit: isWhole ? Infinity : PAGE_LIMIT,
    // A run knows how many devices its tasks have, and polls them often.
    isCounted: endpoint === 'task',
    fetch: async (offset, limit) => {
      const window = isWhole ? query : { ...query, limit: String(limit), offset: String(offset) };
      const answer = await read(endpoint, { id, query: window });
      if (!answer) throw new WorldError('notFound', { path, what: name, ...(id && { id }) });
      onAnswer?.(answer);
      const value = readJsonValue(answer, path);
      // A list alone has no count and no members beside it.
      const page = name === '' && Array.isArray(value) ? {} : asRow(value, path);
      onPage?.(page, answer);
      const key = KEYS[endpoint];
      const expected = { path, name, isCounted: idName !== undefined, key, isTask };
      const { rows, total } = pageIn(page, { ...expected, list: part(name)(value) });
      return { rows, keys: rows.map(toKey), total };
    },
  });
}

/** The dialect key for the name of a list, or for the ID of its rows, where the name is a guess. */
const KEYS: Readonly<Partial<Record<ListEndpoint, DialectKey>>> = {
  firmwarePaths: 'firmwarePathsListField',
  discoveredDevices: 'discoveredIdField',
};

interface Expected {
  readonly path: string;
  /** What the answer has at the name; it is a list, if all is well. */
  readonly list: unknown;
  readonly name: string;
  readonly isCounted: boolean;
  readonly key: DialectKey | undefined;
  /** A row that is no object stays in its place, without members. */
  readonly isTask: boolean;
}

/**
 * A row is identified by its ID, else by all of it. The rows of a task are one where they say the same of one device: those that
 * contradict each other are both read (protocol X9).
 */
function keyReader(idName: string | undefined): (row: JsonRow) => string | undefined {
  if (idName === undefined) return (row) => JSON.stringify(row);
  const read = field(idName);
  if (idName !== 'deviceTaskId')
    return (row) => {
      const shown = read(row);
      return shown === '' ? JSON.stringify(row) : known(shownId(shown));
    };
  return (row) => {
    const [id, device] = [read(row), member(row, 'deviceId')].map((each) => known(shownId(each)));
    const says = [member(row, 'status'), member(row, 'result')];
    return (id ?? device) === undefined ? undefined : JSON.stringify([id, device, ...says]);
  };
}

type RawPage = Omit<ListPage<JsonRow>, 'keys'>;

/** A list may be absent only if its total is 0. A list without a promised total counts its rows. */
function pageIn(answer: JsonRow, expected: Expected): RawPage {
  const { path, name, list, isCounted, key, isTask } = expected;
  if (!isCounted && !Array.isArray(list)) throw unexpected(path, name, key);
  const counted = member(answer, 'total');
  const isUncounted = counted === undefined && !isCounted && Array.isArray(list);
  const total = isUncounted ? list.length : countIn(counted);
  if (total === undefined) throw unexpected(path, 'total');
  if (list === undefined && total === 0) return { rows: [], total };
  if (!Array.isArray(list)) throw unexpected(path, name);
  if (isTask) return { rows: list.map((row) => (isObject(row) ? row : {})), total };
  const malformed = list.findIndex((row) => !isObject(row));
  if (malformed >= 0) throw unexpected(path, `${name}[${malformed}]`);
  return { rows: list as readonly JsonRow[], total };
}
