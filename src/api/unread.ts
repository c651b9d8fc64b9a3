import { Bug } from '../lib/bug.ts';
import type { Dialect } from '../model/fleet/dialect.ts';
import { listDialectKeys } from '../model/fleet/dialect-keys.ts';
import type { Collection } from '../model/ports.ts';
import type { UnreadField } from '../model/report/checkup.ts';
import { createDecoders } from './decode/decode.ts';
import { createFactReaders } from './decode/facts.ts';
import { Fault, isFault } from './decode/fault.ts';
import { field, known, shownId, type JsonRow } from './decode/fields.ts';
import { decodeVulnerabilities } from './decode/vulnerabilities.ts';
import { idField, PATHS } from './wire.ts';

export const SINGLE_READS = [
  'passwords',
  'certificates',
  'targetFirmware',
  'vulnerabilities',
] as const;
export type SingleRead = (typeof SINGLE_READS)[number];

type Endpoint = Collection | SingleRead | 'firmwarePaths';

/**
 * What of rows and answers fleetform does not understand: each field once, with a value and the
 * number of rows.
 */
export class UnreadTally {
  readonly #dialect: Dialect;
  readonly #decoders: ReturnType<typeof createDecoders>;
  readonly #facts: ReturnType<typeof createFactReaders>;
  readonly #rows = new Map<Endpoint, Set<string>>();
  readonly #found = new Map<string, Omit<UnreadField, 'of' | 'count'> & { ids: Set<string> }>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#decoders = createDecoders(dialect);
    this.#facts = createFactReaders(dialect);
  }

  /** Reads the rows of a list by themselves. A row without an ID is left to the reader of its page. */
  seeRows(list: Collection | 'firmwarePaths', rows: readonly JsonRow[]): void {
    if (list === 'firmwarePaths') {
      for (const row of rows) this.#seeFault(list, JSON.stringify(row), this.#facts[list](row));
      return;
    }
    const idOf = field(idField(list, this.#dialect) ?? 'id');
    const named = rows.flatMap((row) => {
      const id = known(shownId(idOf(row)));
      return id === undefined ? [] : [{ id, row }];
    });
    const page = this.#decoders.pageOf(
      list,
      named.map(({ row }) => row),
      () => failing,
    );
    for (const [nth, { unreadable = [] }] of [...page].entries()) {
      const { id = '', row = {} } = named[nth] ?? {};
      this.#see(list, id);
      for (const name of unreadable) this.#add(list, id, this.#faultOf(name, row, list));
    }
  }

  seeAnswer(read: SingleRead, id: string, answer: unknown): void {
    const found = read === 'vulnerabilities' ? this.#flaws(answer) : this.#facts[read](answer);
    this.#seeFault(read, id, found);
  }

  refuse(endpoint: Endpoint, { at, keys }: Fault): void {
    const found = { endpoint: PATHS[endpoint], field: at, keys, isRefused: true };
    this.#found.set(`${endpoint} ${at}`, { ...found, ids: new Set() });
  }

  fields(): readonly UnreadField[] {
    const sizes = new Map<string, number>();
    for (const [endpoint, rows] of this.#rows) sizes.set(PATHS[endpoint], rows.size);
    return [...this.#found.values()].map(({ ids, ...found }) => ({
      ...found,
      count: ids.size,
      of: sizes.get(found.endpoint) ?? 0,
    }));
  }

  #flaws(answer: unknown): unknown {
    const { vulnerabilitiesListField: list } = this.#dialect;
    const found = decodeVulnerabilities(answer, this.#dialect);
    return found === 'unreadable' ? new Fault(list, ['vulnerabilitiesListField'], answer) : found;
  }

  /** Where a row has a field, and the keys that say so. */
  #faultOf(name: string, row: JsonRow, list: Collection): Fault {
    const isOfDevice = list === 'devices' || list === 'discoveredDevices';
    const keys = isOfDevice ? listDialectKeys(name, list) : [];
    const [key] = keys;
    const isNamed = key?.endsWith('Field') === true || key === 'onboardSecondSource';
    const own = name.replace(/^available(?=\.|$)/, 'availableTask');
    const place = isNamed ? String(this.#dialect[key]) : own;
    return new Fault(place, keys, field(place)(row));
  }

  #seeFault(endpoint: Endpoint, id: string, found: unknown): void {
    this.#see(endpoint, id);
    if (isFault(found)) this.#add(endpoint, id, found);
  }

  #see(endpoint: Endpoint, id: string): void {
    const rows = this.#rows.get(endpoint) ?? new Set();
    this.#rows.set(endpoint, rows.add(id));
  }

  #add(endpoint: Endpoint, id: string, { at, keys, value }: Fault): void {
    const name = `${endpoint} ${at}`;
    const before = this.#found.get(name);
    if (before) return void before.ids.add(id);
    const example = value === undefined ? undefined : JSON.stringify(value);
    const shown = example === undefined ? {} : { example: example.slice(0, LONGEST_EXAMPLE) };
    const found = { endpoint: PATHS[endpoint], field: at, keys, isRefused: false, ...shown };
    this.#found.set(name, { ...found, ids: new Set([id]) });
  }
}

const LONGEST_EXAMPLE = 60;

/** The ID of a row was read before its decoder asks for it. */
function failing(name: string): never {
  throw new Bug(`a row has an ID and no ${name}`);
}
