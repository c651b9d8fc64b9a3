import type { RequestFault } from './fault.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Applies the faults that alter rows, words and `total` of the service's own answer. Refusals stay
 * as they are.
 */
export async function alterAnswer(
  answer: Response,
  faults: readonly RequestFault[],
): Promise<Response> {
  const changes = faults.map(findChange).filter((change) => change !== undefined);
  if (changes.length === 0 || !answer.ok) return answer;
  const truth = JSON.parse(await answer.text()) as Fields;
  const body = changes.reduce((fields, change) => change(fields), truth);
  return Response.json(body, { status: answer.status });
}

function findChange(fault: RequestFault): ((fields: Fields) => Fields) | undefined {
  switch (fault.type) {
    case 'total':
      return (fields) => withTotal(fields, fault.by);
    case 'word':
      return (fields) => withRows(fields, (rows) => rows.map((row) => reworded(row, fault)));
    case 'rows':
      return (fields) => {
        const changed = withRows(fields, (rows) => CHANGES[fault.change](rows, fault.count));
        const added = listRows(changed).length - listRows(fields).length;
        return fault.keepTotal ? changed : withTotal(changed, added);
      };
    default:
      return undefined;
  }
}

const CHANGES: Readonly<
  Record<
    'drop' | 'repeat' | 'foreign',
    (rows: readonly Fields[], count: number) => readonly Fields[]
  >
> = {
  drop: (rows, count) => rows.slice(0, Math.max(0, rows.length - count)),
  repeat: (rows, count) => [...rows, ...rows.slice(0, count)],
  foreign: (rows, count) => [...rows, ...rows.slice(0, count).map(foreign)],
};

/** The same row with IDs that do not exist. */
function foreign(row: Fields): Fields {
  const ids = Object.entries(row).filter(([key]) => /^(id|deviceId|deviceTaskId)$/.test(key));
  return { ...row, ...Object.fromEntries(ids.map(([key, id]) => [key, `${String(id)}-foreign`])) };
}

function reworded(row: Fields, { field, value }: { field: string; value: unknown }): Fields {
  return Object.hasOwn(row, field) ? { ...row, [field]: value } : row;
}

function withTotal(fields: Fields, added: number): Fields {
  const { total } = fields;
  return typeof total === 'number' ? { ...fields, total: Math.max(0, total + added) } : fields;
}

/** Changes the rows of a list; an answer without a list counts as one row. */
function withRows(fields: Fields, change: (rows: readonly Fields[]) => readonly Fields[]): Fields {
  const key = listKey(fields);
  if (key !== undefined) return { ...fields, [key]: change(listRows(fields)) };
  return change([fields])[0] ?? fields;
}

function listRows(fields: Fields): readonly Fields[] {
  const key = listKey(fields);
  return key === undefined ? [fields] : (fields[key] as readonly Fields[]);
}

/**
 * The key of the list in a list answer, which has one list and perhaps a total. A single device has
 * several lists and is no list answer.
 */
function listKey(fields: Fields): string | undefined {
  const isList = Object.hasOwn(fields, 'total') || Object.keys(fields).length === 1;
  return isList ? Object.keys(fields).find((key) => Array.isArray(fields[key])) : undefined;
}
