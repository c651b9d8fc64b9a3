import type { Dialect, DialectKey } from '../model/fleet/dialect.ts';
import { WorldError } from '../model/error.ts';
import type { Pass } from '../model/ports.ts';
import { readJsonRow, unexpected } from './decode/answer.ts';
import { field, shownId, known, isJsonRow, member, type JsonRow } from './decode/fields.ts';
import { pages, type ListPage } from './pages.ts';
import type { ReadTarget, ServiceRead } from './read.ts';
import { idField, listField, PAGE_LIMIT, endpointPath, type ListEndpoint } from './wire.ts';

export interface ListParts {
  readonly read: ServiceRead;
  readonly dialect: Dialect;
}

/** Receives each page as it came, before its rows are checked. */
export type OnPage = (answer: JsonRow, response: Response) => void;

/**
 * One pass over the raw rows of a list. Throws `notFound` if the list does not exist, and
 * `unexpectedShape` if the answer is no list or a row has no ID.
 */
export function listRows(
  endpoint: ListEndpoint,
  { id, query }: ReadTarget,
  { read, dialect, onPage }: ListParts & { readonly onPage?: OnPage },
): AsyncGenerator<readonly JsonRow[], Pass> {
  const path = endpointPath(endpoint, id);
  const name = listField(endpoint, dialect);
  const idName = idField(endpoint, dialect);
  const isWhole = endpoint === 'firmwarePaths' && dialect.firmwarePathsPages === 'whole';
  return pages({
    limit: isWhole ? Infinity : PAGE_LIMIT,
    fetch: async (offset, limit) => {
      const window = isWhole ? query : { ...query, limit: String(limit), offset: String(offset) };
      const response = await read(endpoint, { id, query: window });
      if (!response) throw new WorldError('notFound', { path, what: name, ...(id && { id }) });
      const answer = await readJsonRow(response, path);
      onPage?.(answer, response);
      return pageIn(answer, { path, name, isCounted: idName !== undefined, key: KEYS[endpoint] });
    },
    keyOf: (row, index) => {
      const key = idName === undefined ? JSON.stringify(row) : keyIn(row, idName);
      if (key === undefined)
        throw unexpected(path, `${name}[${index}].${idName ?? ''}`, KEYS[endpoint]);
      return key;
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
  readonly name: string;
  readonly isCounted: boolean;
  readonly key: DialectKey | undefined;
}

/** A device task is identified by its own ID, else by its device, else by the whole row. */
function keyIn(row: JsonRow, idName: string): string | undefined {
  const shown = field(idName)(row);
  if (shown === '' && idName !== 'deviceTaskId') return JSON.stringify(row);
  const id = known(shownId(shown));
  if (id !== undefined || idName !== 'deviceTaskId') return id;
  return known(shownId(member(row, 'deviceId')));
}

/** A list may be absent only if its total is 0. A list without a promised total counts its rows. */
function pageIn(answer: JsonRow, { path, name, isCounted, key }: Expected): ListPage<JsonRow> {
  const list = field(name)(answer);
  if (!isCounted && !Array.isArray(list)) throw unexpected(path, name, key);
  const counted = member(answer, 'total');
  const isUncounted = counted === undefined && !isCounted && Array.isArray(list);
  const total = isUncounted ? list.length : counted;
  if (typeof total !== 'number' || !Number.isSafeInteger(total) || total < 0) {
    throw unexpected(path, 'total');
  }
  if (list === undefined && total === 0) return { rows: [], total };
  if (!Array.isArray(list)) throw unexpected(path, name);
  const malformed = list.findIndex((row) => !isJsonRow(row));
  if (malformed >= 0) throw unexpected(path, `${name}[${malformed}]`);
  return { rows: list as readonly JsonRow[], total };
}
