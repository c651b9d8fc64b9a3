import { WorldError } from '../model/error.ts';
import type { Dialect, DialectKey } from '../model/fleet/dialect.ts';
import { listDialectKeys } from '../model/fleet/dialect-keys.ts';
import type { UnreadField } from '../model/report/checkup.ts';
import { createFactReaders } from './decode/facts.ts';
import { Fault, isFault } from './decode/fault.ts';
import { field, isJsonRow, known, part, shownId, type JsonRow } from './decode/fields.ts';
import { parseAnswerJson } from './decode/parse-json.ts';
import { decodeVulnerabilities } from './decode/vulnerabilities.ts';
import { createReads } from './reads.ts';
import { createListDecoders } from './scan/device-page.ts';
import { BufferedAnswer } from './transport/buffered-answer.ts';
import { idField, PATHS } from './wire.ts';

/** A successful answer to a read, kept to be read again. */
export interface KeptAnswer {
  readonly path: string;
  readonly bytes: Buffer;
  readonly headers: Headers;
}

/**
 * Reads answers again in a dialect, by the code that reads them for every command. Returns what it
 * does not understand: each field once, and each answer that it refuses as a whole. Never throws for
 * what an answer holds.
 */
export async function rereadAnswers(
  answers: readonly KeptAnswer[],
  dialect: Dialect,
): Promise<readonly UnreadField[]> {
  const tally = new Tally();
  const parts = {
    dialect,
    tally,
    lists: createListDecoders(dialect),
    facts: createFactReaders(dialect),
  };
  // Devices refer to sites and sources, whose names come first.
  for (const list of LISTS)
    for (const answer of at(list, answers)) await rereadList(list, answer, parts);
  for (const answer of at('firmwarePaths', answers)) await rereadPaths(answer, parts);
  for (const read of SINGLE_READS)
    for (const answer of at(read, answers)) rereadFacts(read, answer, parts);
  return tally.fields();
}

const LISTS = ['sites', 'deviceSources', 'devices', 'discoveredDevices'] as const;
const SINGLE_READS = ['passwords', 'certificates', 'targetFirmware', 'vulnerabilities'] as const;

type Endpoint = (typeof LISTS)[number] | (typeof SINGLE_READS)[number] | 'firmwarePaths';

interface Parts {
  readonly dialect: Dialect;
  readonly tally: Tally;
  readonly lists: ReturnType<typeof createListDecoders>;
  readonly facts: ReturnType<typeof createFactReaders>;
}

function at(endpoint: Endpoint, answers: readonly KeptAnswer[]): readonly KeptAnswer[] {
  const pattern = new RegExp(`^${PATHS[endpoint].replace('{id}', '[^/]+')}$`);
  return answers.filter(({ path }) => pattern.test(path));
}

async function rereadList(
  list: (typeof LISTS)[number],
  answer: KeptAnswer,
  { dialect, tally, lists, facts }: Parts,
): Promise<void> {
  const read = (): Promise<Response> => Promise.resolve(toResponse(answer));
  const page = await refusal(createReads({ read, dialect, lists, facts }).list(list).next());
  if (isFault(page)) return tally.refuse(list, page);
  const raw = part(list)(valueIn(answer));
  const idOf = field(idField(list, dialect) ?? 'id');
  const rawById = new Map(
    (Array.isArray(raw) ? raw.filter(isJsonRow) : []).map((row) => [
      known(shownId(idOf(row))),
      row,
    ]),
  );
  for (const { id, unreadable = [] } of page.done ? [] : page.value) {
    tally.see(list, id);
    for (const name of unreadable)
      tally.add(list, id, faultOf(name, rawById.get(id), { list, dialect }));
  }
}

/** Where a row has a field of a device, and the keys that say so. */
function faultOf(
  name: string,
  row: JsonRow | undefined,
  { list, dialect }: { readonly list: (typeof LISTS)[number]; readonly dialect: Dialect },
): Fault {
  const keys = listDialectKeys(name, list === 'discoveredDevices' ? list : 'devices');
  const [key] = keys;
  const isNamed = key?.endsWith('Field') === true || key === 'onboardSecondSource';
  const own = name.replace(/^available(?=\.|$)/, 'availableTask');
  const place = isNamed ? String(dialect[key]) : own;
  return new Fault(place, keys, row && field(place)(row));
}

async function rereadPaths(
  answer: KeptAnswer,
  { dialect, tally, lists, facts }: Parts,
): Promise<void> {
  const read = (): Promise<Response> => Promise.resolve(toResponse(answer));
  const paths = await refusal(createReads({ read, dialect, lists, facts }).firmwarePaths());
  if (isFault(paths)) tally.refuse('firmwarePaths', paths);
}

function rereadFacts(
  read: (typeof SINGLE_READS)[number],
  answer: KeptAnswer,
  { dialect, tally, facts }: Parts,
): void {
  const value = valueIn(answer);
  const found = read === 'vulnerabilities' ? flaws(value, dialect) : facts[read](value);
  const { path: id } = answer;
  tally.see(read, id);
  if (isFault(found)) tally.add(read, id, found);
}

function flaws(value: unknown, dialect: Dialect): unknown {
  const { vulnerabilitiesListField: list } = dialect;
  const found = decodeVulnerabilities(value, dialect);
  return found === 'unreadable' ? new Fault(list, ['vulnerabilitiesListField'], value) : found;
}

/** What a read gives, or why it refuses the answer. */
async function refusal<T>(read: Promise<T>): Promise<T | Fault> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    const { at: place = '$', key } = error.params;
    return new Fault(String(place), key === undefined ? [] : [key as DialectKey]);
  }
}

function toResponse({ bytes, headers }: KeptAnswer): Response {
  return new BufferedAnswer(bytes, { status: 200, headers });
}

function valueIn({ bytes }: KeptAnswer): unknown {
  const parsed = parseAnswerJson(bytes);
  return 'problem' in parsed ? undefined : parsed.value;
}

/** Rows by endpoint, and what of them was not understood. */
class Tally {
  readonly #rows = new Map<Endpoint, Set<string>>();
  readonly #found = new Map<string, Omit<UnreadField, 'of' | 'count'> & { ids: Set<string> }>();

  see(endpoint: Endpoint, id: string): void {
    const rows = this.#rows.get(endpoint) ?? new Set();
    this.#rows.set(endpoint, rows.add(id));
  }

  add(endpoint: Endpoint, id: string, { at: place, keys, value }: Fault): void {
    const name = `${endpoint} ${place}`;
    const before = this.#found.get(name);
    if (before) return void before.ids.add(id);
    const example = value === undefined ? undefined : JSON.stringify(value);
    const shown = example === undefined ? {} : { example: example.slice(0, LONGEST_EXAMPLE) };
    const found = { endpoint: PATHS[endpoint], field: place, keys, isRefused: false, ...shown };
    this.#found.set(name, { ...found, ids: new Set([id]) });
  }

  refuse(endpoint: Endpoint, { at: place, keys }: Fault): void {
    const found = { endpoint: PATHS[endpoint], field: place, keys, isRefused: true };
    this.#found.set(`${endpoint} ${place}`, { ...found, ids: new Set() });
  }

  fields(): readonly UnreadField[] {
    const sizes = new Map([...this.#rows].map(([name, rows]) => [PATHS[name], rows.size] as const));
    return [...this.#found.values()].map(({ ids, ...found }) => ({
      ...found,
      count: ids.size,
      of: sizes.get(found.endpoint as (typeof PATHS)[Endpoint]) ?? 0,
    }));
  }
}

const LONGEST_EXAMPLE = 60;
