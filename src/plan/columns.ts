import {
  type Change,
  type ChangeRow,
  type Changes,
  type DeviceLabel,
  type ChangeGroup,
  type Passed,
  type Values,
  type WindowRef,
  changeId,
  passedKey,
} from '../model/plan/change.ts';
import { numberTuples } from '../lib/pair-numbers.ts';
import { ACTIONS, CAUSES, GROUPS, RISKS } from '../model/plan/change.ts';
import type { CountedAs } from '../model/plan/counting.ts';
import { flatKey, internBy, internTexts, type Interned } from '../lib/intern.ts';
import { growingCodes, growingInstants } from '../lib/growing-array.ts';
import { type Reason, reasonKey } from '../model/plan/reason.ts';
import type { At, SourceLocation } from '../model/documents/source.ts';
import { computeOnce } from '../lib/compute-once.ts';
import { DEVICE, type DeviceField, LABEL_FIELDS } from '../model/fleet/device.ts';
import { TASK_TYPES } from '../model/fleet/task.ts';

/** Changes in columns: every repeated value is stored once, a few bytes for each change. */
export interface ChangeColumns {
  readonly length: number;
  add(change: Change): void;
  /** The change in a position, as a new object. */
  at(index: number): Change;
  /** Replaces the decision about a change, or what it passes; the rest of it is unchanged. */
  decide(index: number, decision: Decision): void;
  /** The changes in this order, or in the order of insertion; can be iterated repeatedly. */
  view(order?: Uint32Array): Changes;
}

/** What is decided of a change again; `passes` is taken away where it is undefined. */
export interface Decision extends Partial<Pick<Change, 'action' | 'reason'>> {
  readonly passes?: Change['passes'] | undefined;
}

/** Starts without a change. */
export function createColumns(): ChangeColumns {
  const columns = startColumns();
  const all = Object.values(columns);
  let length = 0;
  let kinds: Uint32Array | undefined;
  const kindsNow = (): Uint32Array => (kinds ??= numberTuples(length, kindColumns(columns)));
  return {
    get length() {
      return length;
    },
    add(change) {
      for (const column of all) column.push(change);
      kinds = undefined;
      length++;
    },
    at: (index) => changeAt(columns, index),
    decide(index, decision) {
      kinds = undefined;
      const decided = { ...changeAt(columns, index), ...decision } as Change;
      columns.action.set(index, decided);
      columns.reason.set(index, decided);
      columns.passes.set(index, decided);
    },
    view: (order) =>
      orderedView(columns, order ?? Uint32Array.from({ length }, (_, index) => index), kindsNow),
  };
}

/** The columns that changes of one kind share; of a reason all but its instants, whose absence decides who has to act. */
function kindColumns(columns: Columns): readonly ((index: number) => number)[] {
  const { id: _id, name: _name, site: _site, labels, countedFrom: _from, ...shared } = columns;
  const codes = Object.values(shared).map(({ codeAt }) => codeAt);
  return [...codes, ...labels.codes, columns.reason.nextFormAt];
}

type Columns = ReturnType<typeof startColumns>;

function orderedView(columns: Columns, order: Uint32Array, kindsNow: () => Uint32Array): Changes {
  return {
    length: order.length,
    *[Symbol.iterator]() {
      for (const index of order) yield changeAt(columns, index);
    },
    rows: {
      *[Symbol.iterator]() {
        const kinds = kindsNow();
        for (const index of order) yield new ColumnRow(columns, index, kinds[index] ?? 0);
      },
    },
  };
}

/** A row that reads its columns when it is asked. */
class ColumnRow implements ChangeRow {
  readonly kind: number;
  readonly #columns: Columns;
  readonly #index: number;

  constructor(columns: Columns, index: number, kind: number) {
    this.#columns = columns;
    this.#index = index;
    this.kind = kind;
  }

  get deviceId(): string {
    return this.#columns.id.at(this.#index);
  }

  get site(): string {
    return this.#columns.site.at(this.#index);
  }

  get since(): Reason['since'] {
    return this.#columns.reason.sinceAt(this.#index);
  }

  get next(): Reason['next'] {
    return this.#columns.reason.nextAt(this.#index);
  }

  get countedFrom(): Change['countedFrom'] {
    return this.#columns.countedFrom.maybe(this.#index);
  }

  change(): Change {
    return changeAt(this.#columns, this.#index);
  }
}

function startColumns() {
  return {
    id: own(({ device }) => device.id),
    site: coded(internTexts(), ({ device }) => device.site),
    labels: labels(),
    name: own(({ device }) => device.name),
    task: coded(internBy(TASK_TYPES[0], String), ({ task }) => task),
    action: coded(internBy(ACTIONS[0], String), ({ action }) => action),
    cause: coded(internBy(CAUSES[0], String), ({ cause }) => cause),
    risk: coded(internBy(RISKS[0], String), ({ risk }) => risk),
    reason: reasons(),
    at: coded(internBy<At>(NOWHERE, flatKey), ({ at }) => at),
    before: coded(internBy<Values>({}, flatKey), ({ before }) => before),
    after: coded(internBy<Values>({}, flatKey), ({ after }) => after),
    target: coded(internTexts(), ({ target }) => target),
    finalTarget: coded(internTexts(), ({ finalTarget }) => finalTarget),
    marker: coded(internTexts(), ({ marker }) => marker),
    generation: coded(internBy(0, String), ({ generation }) => generation),
    payload: coded(internTexts(), ({ payload }) => payload),
    wave: coded(internTexts(), ({ wave }) => wave),
    window: coded(internBy<WindowRef>({ name: '' }, flatKey), ({ window }) => window),
    passes: coded(
      internBy<readonly Passed[]>([], (passes) => passes.map(passedKey).join('\t')),
      ({ passes }) => passes,
    ),
    // Devices that the same policies select share one list, which is long where there are many policies.
    losers: coded(
      internBy<readonly At[]>(
        [],
        computeOnce((losers) => JSON.stringify(losers)),
      ),
      ({ losers }) => losers,
    ),
    outcome: coded(internTexts(), ({ outcome }) => outcome),
    group: coded(internBy<ChangeGroup>(GROUPS[0], String), ({ group }) => group),
    factAt: coded(internTexts(), ({ factAt }) => factAt),
    covered: coded(internBy<true>(true, String), ({ covered }) => covered),
    countedAs: coded(internBy<CountedAs>('full', String), ({ countedAs }) => countedAs),
    countedFrom: instants(({ countedFrom }) => countedFrom),
    lines: coded(internBy<readonly SourceLocation[]>([], JSON.stringify), ({ lines }) => lines),
  };
}

const NOWHERE: At = { file: '', line: 0, column: 0, policy: '' };

function changeAt(columns: Columns, index: number): Change {
  const task = columns.task.at(index);
  const id = columns.id.at(index);
  const at = columns.at.at(index);
  // The members are in the order of a saved plan; a list of spreads takes twice as long.
  const change: Partial<Writable> = {
    id: changeId(task, id),
    task,
    device: deviceAt(columns, index),
    action: columns.action.at(index),
    cause: columns.cause.at(index),
    reason: columns.reason.at(index),
    policy: at.policy,
    at,
    before: columns.before.at(index),
    after: columns.after.at(index),
    target: columns.target.at(index),
  };
  put(change, 'finalTarget', columns.finalTarget.maybe(index));
  change.generation = columns.generation.at(index);
  change.marker = columns.marker.at(index);
  put(change, 'payload', columns.payload.maybe(index));
  put(change, 'wave', columns.wave.maybe(index));
  put(change, 'window', columns.window.maybe(index));
  put(change, 'passes', columns.passes.maybe(index));
  change.risk = columns.risk.at(index);
  put(change, 'losers', columns.losers.maybe(index));
  put(change, 'outcome', columns.outcome.maybe(index));
  put(change, 'factAt', columns.factAt.maybe(index));
  put(change, 'countedAs', columns.countedAs.maybe(index));
  put(change, 'countedFrom', columns.countedFrom.maybe(index));
  put(change, 'covered', columns.covered.maybe(index));
  put(change, 'group', columns.group.maybe(index));
  put(change, 'lines', columns.lines.maybe(index));
  return change as Change;
}

function deviceAt(columns: Columns, index: number): DeviceLabel {
  const device: WritableLabel = { id: columns.id.at(index) };
  const name = columns.name.maybe(index);
  if (name !== undefined) device.name = name;
  const site = columns.site.maybe(index);
  if (site !== undefined) device.site = site;
  columns.labels.put(device, index);
  return device;
}

type WritableLabel = { -readonly [K in keyof DeviceLabel]: DeviceLabel[K] };

/** Texts of which each device has its own are in no kind; the ID of a plan has others, so changes of one kind share them. */
function labels() {
  const columns = LABEL_FIELDS.map((field) => {
    const read = ({ device }: Change): string | undefined => device[field];
    return { field, column: isOwn(DEVICE[field]) ? own(read) : coded(internTexts(), read) };
  });
  return {
    push(change: Change) {
      for (const { column } of columns) column.push(change);
    },
    put(device: WritableLabel, index: number) {
      for (const { field, column } of columns) {
        const value = column.maybe(index);
        if (value !== undefined) device[field] = value;
      }
    },
    codes: columns.flatMap(({ column }) => ('codeAt' in column ? [column.codeAt] : [])),
  };
}

/** Whether each device has its own value: a map of them would need more memory than the texts. */
function isOwn({ type }: DeviceField): boolean {
  return type === 'name';
}

type Writable = { -readonly [K in keyof Change]: Change[K] };

function put<K extends keyof Change>(
  change: Partial<Writable>,
  key: K,
  value: Required<Change>[K] | undefined,
): void {
  if (value !== undefined) change[key] = value;
}

function coded<T>(interned: Interned<T>, read: (change: Change) => T | undefined) {
  const codes = growingCodes();
  const absent = interned.values[0] as T;
  const at = (index: number): T => interned.values[codes.at(index)] ?? absent;
  return {
    push: (change: Change) => codes.push(interned.codeOf(read(change))),
    set: (index: number, change: Change) => codes.set(index, interned.codeOf(read(change))),
    at,
    codeAt: (index: number): number => codes.at(index),
    maybe: (index: number): T | undefined => (codes.at(index) === 0 ? undefined : at(index)),
  };
}

/** Texts that few changes share: a map of them would need more memory than the texts. */
function own(read: (change: Change) => string | undefined) {
  const values: (string | undefined)[] = [];
  return {
    push: (change: Change) => void values.push(read(change)),
    at: (index: number): string => values[index] ?? '',
    maybe: (index: number): string | undefined => values[index],
  };
}

function instants(read: (change: Change) => number | undefined) {
  const values = growingInstants();
  return {
    push: (change: Change) => values.push(read(change) ?? Number.NaN),
    maybe: (index: number): number | undefined =>
      Number.isNaN(values.at(index)) ? undefined : values.at(index),
  };
}

/** Only the instants of reasons differ, so these have columns of their own. */
function reasons() {
  const reason = coded(internBy<Reason>({ code: 'act' }, reasonKey), (change) => change.reason);
  const since = growingInstants();
  const next = growingInstants();
  const sinceAt = (index: number): Reason['since'] => {
    const from = since.at(index);
    return Number.isNaN(from) ? undefined : from;
  };
  const nextAt = (index: number): Reason['next'] => {
    const then = next.at(index);
    return Number.isNaN(then) ? undefined : then === Infinity ? 'never' : then;
  };
  return {
    push(change: Change) {
      reason.push(change);
      since.push(change.reason.since ?? Number.NaN);
      next.push(nextInstant(change.reason));
    },
    set(index: number, change: Change) {
      reason.set(index, change);
      since.set(index, change.reason.since ?? Number.NaN);
      next.set(index, nextInstant(change.reason));
    },
    codeAt: reason.codeAt,
    nextFormAt: (index: number): number => NEXT_FORMS.indexOf(typeof nextAt(index)),
    sinceAt,
    nextAt,
    at(index: number): Reason {
      const { code, why, params } = reason.at(index);
      const [from, then] = [sinceAt(index), nextAt(index)];
      return {
        code,
        ...(why !== undefined && { why }),
        ...(from !== undefined && { since: from }),
        ...(then !== undefined && { next: then }),
        ...(params && { params }),
      };
    },
  };
}

const NEXT_FORMS: readonly string[] = ['undefined', 'number', 'string'];

function nextInstant({ next }: Reason): number {
  return next === 'never' ? Infinity : (next ?? Number.NaN);
}
