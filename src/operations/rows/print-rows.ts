import { OUTPUT_VERSION } from '../../shell/output.ts';
import type { Client } from '../../api/client.ts';
import { field, part, type JsonRow } from '../../api/decode/fields.ts';
import { nearest } from '../../lib/nearest-name.ts';
import type { RawRead } from '../../api/raw.ts';
import { UnreadTally } from '../../api/unread.ts';
import { endpointPath } from '../../api/wire.ts';
import { WorldError, usage, type Params } from '../../model/error.ts';
import type { Dialect } from '../../model/fleet/dialect.ts';
import type { Pass } from '../../model/ports.ts';
import type { UnreadField } from '../../model/report/checkup.ts';
import { jsonText } from '../../lib/json-text.ts';
import { EXIT } from '../../shell/exit.ts';
import { findColumns, resourcesFor, type Resource } from './printed-columns.ts';
import {
  chosenColumns,
  counting,
  printerFor,
  printFields,
  projected,
  requiringFields,
  type Format,
  type Printer,
  type PrintParts,
} from './row-printers.ts';
import { selectedRows, type ListName, type ListSource } from './row-source.ts';
import type { WrittenSelector } from '../../config/selector-flag.ts';
import { isObject } from '../../lib/objects.ts';

export interface GetRequest {
  readonly resource: string;
  readonly id?: string | undefined;
  /** Each one as `name=value`, with the service's names. */
  readonly filters: readonly string[];
  readonly output: Format;
  /** The file of the snapshot, for the next step. */
  readonly snapshot?: string | undefined;
  /** For a task: whether to show its steps, and only device tasks with this status or result. */
  readonly steps?: boolean | undefined;
  readonly status?: string | undefined;
  readonly result?: string | undefined;
  /** A selector as documents have it; only rows that it selects are printed. */
  readonly selection?: WrittenSelector | undefined;
  /** Columns to print, and columns to count rows by: headings or dotted paths. */
  readonly columns?: readonly string[] | undefined;
  readonly countBy?: readonly string[] | undefined;
}

export interface GetIo {
  /** The service, or a saved snapshot, which has lists alone. */
  readonly source: Client | ListSource;
  out(text: string): void;
  err(text: string): void;
  readonly width?: number;
}

interface Job extends Pick<GetIo, 'source' | 'err'> {
  readonly request: GetRequest;
  readonly parts: PrintParts;
  readonly unread: UnreadTally;
}

/** A job on the service: a snapshot has lists alone. */
type ItemJob = Job & { readonly client: Client };

const WIDTH = 80;

/**
 * Reads all pages of a resource. Returns the exit code. Throws `usage` for a
 * request that does not fit the resource, `filterUnknown`, `filterNotHonoured`, `notFound`, and
 * `listTorn` if rows may be missing.
 */
export async function printRows(request: GetRequest, io: GetIo): Promise<number> {
  const { source } = io;
  const resources = resourcesFor(source.dialect);
  const resource = resources[request.resource];
  if (!resource) {
    const names = Object.keys(resources);
    throw usage(`No resource ${request.resource}`, suggesting(nearest(request.resource, names)));
  }
  checkFit(request, resource, resources);
  if (!isClient(source) && request.filters.length > 0)
    throw usage('A snapshot takes no --filter; use --select');
  const all = findColumns(request.resource, source.dialect);
  const columns = request.columns ? chosenColumns(request.columns, all) : all;
  const parts = { columns, width: io.width ?? WIDTH, out: (text: string) => io.out(text) };
  const unread = new UnreadTally(source.dialect);
  const job = { request, source, parts, unread, err: (text: string) => io.err(text) };
  if (resource.how === 'list' && request.id === undefined) await readList(job, resource.list);
  else if (isClient(source)) await readItem({ ...job, client: source }, resource);
  else throw notInSnapshot(request);
  await warnOfUnread(job);
  return EXIT.done;
}

/** Says what of the printed fields no other command understands, and the key to set. */
async function warnOfUnread({ request, parts, unread, err }: Job): Promise<void> {
  const { output, id } = request;
  const { columns } = parts;
  const more = output === 'csv' ? columns.more : [];
  const printed = new Set([...columns.table, ...more].map(([, path]) => path));
  const isWhole = id !== undefined || output === 'json' || output === 'ndjson';
  const isPrinted = ({ field: place }: UnreadField): boolean =>
    isWhole || printed.has(place) || printed.has(place.split('.')[0] ?? '');
  const fields = unread.fields().filter(isPrinted);
  if (fields.length === 0) return;
  const { unreadWords } = await import('../../render/words/doctor/finding-words.ts');
  for (const each of fields) {
    const { says, next } = unreadWords(each);
    err(`warning: ${says}. ${next}`);
  }
}

/** A snapshot has rows and no answers for single items; a device can be selected among its rows. */
function notInSnapshot({ resource, id, snapshot }: GetRequest): WorldError {
  const message = `A snapshot is read by lists, not by \`get ${resource}\``;
  const file = snapshot === undefined ? '' : ` --snapshot ${snapshot}`;
  const suggestion = `get devices${file} --select 'device: ${id}'`;
  return usage(message, suggesting(resource === 'device' && suggestion));
}

function isClient(source: Client | ListSource): source is Client {
  return 'readRaw' in source;
}

async function readItem(job: ItemJob, resource: Resource): Promise<void> {
  const { id } = job.request;
  switch (resource.how) {
    case 'list':
    case 'one':
      return resource.one && readOne(job, resource.one, id ?? '');
    case 'sub':
      return readSub(job, resource, id ?? '');
    case 'task':
      return readTask(job, id ?? '');
  }
}

async function readList(job: Job, list: ListName): Promise<void> {
  const { request, source, parts, unread, err } = job;
  const { selection } = request;
  const filter = Object.fromEntries(
    request.filters.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw usage(`A filter is name=value, such as vendor=Axis, not ${text}`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
  let unclear: readonly string[] = [];
  const rows =
    selection && (list === 'devices' || list === 'discoveredDevices')
      ? selectedRows(source, list, { ...selection, filter }, (ids) => (unclear = ids))
      : source.listRaw(list, filter);
  const printer = listPrinter(request, parts, source.dialect);
  let printed = 0;
  const counted: Printer = {
    ...printer,
    rows: (more) => {
      printed += more.length;
      // A snapshot has only what was understood.
      if (isClient(source)) unread.seeRows(list, more);
      printer.rows(more);
    },
  };
  const pass = await drain(rows, { what: list, printer: counted });
  const isNarrowed = selection !== undefined || request.filters.length > 0;
  if (unclear.length === 0 && (printed > 0 || !isNarrowed)) return;
  const { noMatchWords, unclearMatchWords } = await import('../../render/words/commands.ts');
  if (unclear.length > 0) err(unclearMatchWords(unclear));
  if (printed === 0) err(noMatchWords(list, selection === undefined ? undefined : pass.rows));
}

function listPrinter(request: GetRequest, parts: PrintParts, dialect: Dialect): Printer {
  const { resource, output, columns, countBy } = request;
  const all = findColumns(resource, dialect);
  if (countBy) {
    const chosen = chosenColumns(countBy, all);
    return requiringFields(chosen, all, counting(output, { ...parts, columns: chosen }));
  }
  const printer = printerFor(output, parts);
  if (!columns) return printer;
  const isWhole = output !== 'table' && output !== 'csv';
  const shown = isWhole ? projected(parts.columns, printer) : printer;
  return requiringFields(parts.columns, all, shown);
}

async function readOne(
  { request, client, parts, unread }: ItemJob,
  one: RawRead,
  id: string,
): Promise<void> {
  const value = await client.readRaw(one, id);
  if (value === undefined) throw new WorldError('notFound', { what: one, id });
  if (!isObject(value))
    throw new WorldError('unexpectedShape', { path: endpointPath(one, id), at: '$' });
  if (one === 'device') unread.seeRows('devices', [value]);
  if (request.output === 'table') return printFields(value, parts);
  if (request.output === 'json') return parts.out(itemText(value));
  printAll([value], printerFor(request.output, parts));
}

/**
 * The lists of a device come in one answer; json shows the whole answer, the other formats its
 * list.
 */
async function readSub(
  { request, client, parts, unread }: ItemJob,
  { one, list, key }: Extract<Resource, { how: 'sub' }>,
  id: string,
): Promise<void> {
  const answer = await client.readRaw(one, id);
  if (answer === undefined) throw new WorldError('notFound', { what: one, id });
  unread.seeAnswer(one, id, answer);
  if (request.output === 'json') return parts.out(itemText(answer));
  const found = Array.isArray(answer) ? answer : part(list)(answer);
  if (found === undefined)
    throw new WorldError('unexpectedShape', {
      path: endpointPath(one, id),
      at: list === '' ? '$' : list,
      ...(key && { key }),
    });
  const rows: readonly unknown[] = Array.isArray(found) ? found : found === null ? [] : [found];
  // A list of plain values, such as versions, appears as if each were an object.
  const shown = rows.map((row): JsonRow => (isObject(row) ? row : { version: row }));
  printAll(shown, printerFor(request.output, parts));
}

/** The unchanged answer of the service, with the version of the surrounding document. */
function itemText(item: unknown): string {
  return `${jsonText({ version: OUTPUT_VERSION, item })}\n`;
}

/** json shows the task as one object; a table or csv with steps has a line for each step. */
async function readTask({ request, client, parts }: ItemJob, id: string): Promise<void> {
  const { output, status, result, steps = false } = request;
  let head: JsonRow = {};
  const pass = client.taskRaw(id, {
    steps,
    filter: { ...(status && { status }), ...(result && { result }) },
    onPage: (answer) => (head = answer),
  });
  const found: JsonRow[] = [];
  await drain(pass, { what: 'task', printer: { rows: (rows) => found.push(...rows), end } });
  if (output === 'json') {
    const { userName, total } = head;
    return parts.out(itemText({ taskId: id, userName, total, deviceTasks: found }));
  }
  const isBySteps = steps && output !== 'ndjson';
  const columns = isBySteps ? findColumns('steps', client.dialect) : parts.columns;
  printAll(
    isBySteps ? found.flatMap(stepRows(client.dialect.stepsField)) : found,
    printerFor(output, { ...parts, columns }),
  );
}

const end = (): void => undefined;

/** An inconsistent read may lack rows: the rows are printed before the error. */
async function drain(
  pass: AsyncGenerator<readonly JsonRow[], Pass>,
  { what, printer }: { readonly what: string; readonly printer: Printer },
): Promise<Pass> {
  let step = await pass.next();
  for (; !step.done; step = await pass.next()) printer.rows(step.value);
  printer.end();
  const { torn } = step.value;
  if (torn) throw new WorldError('listTorn', { collection: what, why: torn }, { retry: 'safe' });
  return step.value;
}

function printAll(rows: readonly JsonRow[], printer: Printer): void {
  if (rows.length > 0) printer.rows(rows);
  printer.end();
}

function stepRows(path: string): (row: JsonRow) => readonly JsonRow[] {
  const stepsOf = field(path);
  return (row) => {
    const steps = stepsOf(row);
    if (!Array.isArray(steps) || steps.length === 0) return [row];
    return steps.map((step) => ({ ...row, step }));
  };
}

/** Refuses every filter, ID or flag that does not fit, so that none is ignored. */
function checkFit(
  request: GetRequest,
  resource: Resource,
  resources: Readonly<Record<string, Resource>>,
): void {
  const { resource: name, id, filters, steps, status, result } = request;
  const takesFilters = resource.how === 'list' && resource.list !== 'firmwarePaths' && !id;
  const takesId = resource.how !== 'list' || resource.one !== undefined;
  if (resource.how !== 'list' && !id) throw usage(`\`get ${name}\` requires an ID`);
  if (id && !takesId) {
    const one = Object.keys(resources).find((each) => `${each}s` === name);
    throw usage(`\`get ${name}\` takes no ID`, suggesting(one && `get ${one} ${id}`));
  }
  if (filters.length > 0 && !takesFilters) throw usage(`\`get ${name}\` takes no filter here`);
  checkListFlags(request, resource);
  if (resource.how === 'task') return;
  if (steps || status || result) {
    throw usage('--steps, --status and --result require `get task`');
  }
}

/** `--select`, `--columns` and `--count-by` work on the rows of lists. */
function checkListFlags(request: GetRequest, resource: Resource): void {
  const { resource: name, id, selection, columns, countBy } = request;
  const list = resource.how === 'list' && id === undefined ? resource.list : undefined;
  const isDevices = list === 'devices' || list === 'discoveredDevices';
  if (selection && !isDevices) throw usage('--select requires `get devices` or `get discovered`');
  if ((columns ?? countBy) && list === undefined)
    throw usage(`--columns and --count-by require a list; \`get ${name}\` reads one item`);
  if (columns && countBy) throw usage('--count-by already names its columns; omit --columns');
}

function suggesting(suggestion: string | false | undefined): Params {
  return suggestion ? { suggestion } : {};
}
