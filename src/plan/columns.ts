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
import { flatKey, internBy } from '../lib/intern.ts';
import { growingCodes, growingInstants } from '../lib/growing-array.ts';
import { type Reason, reasonKey } from '../model/plan/reason.ts';
import type { At, SourceLocation } from '../model/documents/source.ts';
import { computeOnce } from '../lib/compute-once.ts';
import { DEVICE, isOwn, LABEL_FIELDS } from '../model/fleet/device.ts';
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
  const all: readonly FieldColumn<unknown>[] = Object.values(columns);
  let length = 0;
  let kinds: Uint32Array | undefined;
  const kindsNow = (): Uint32Array =>
    (kinds ??= numberTuples(
      length,
      all.flatMap(({ kinds: codes = [] }) => codes),
    ));
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
    return this.#columns.device.idAt(this.#index);
  }

  get site(): string {
    return this.#columns.device.siteAt(this.#index);
  }

  get since(): Reason['since'] {
    return this.#columns.reason.sinceAt(this.#index);
  }

  get next(): Reason['next'] {
    return this.#columns.reason.nextAt(this.#index);
  }

  get countedFrom(): Change['countedFrom'] {
    return this.#columns.countedFrom.at(this.#index);
  }

  change(): Change {
    return changeAt(this.#columns, this.#index);
  }
}

/** One field of all changes. */
interface FieldColumn<T> {
  push(change: Change): void;
  /** Replaces the field of a change. */
  set(index: number, change: Change): void;
  /** Undefined where the change does not have the field. */
  at(index: number): T | undefined;
  /** Numbers that are equal in changes of one kind; absent where these may differ. */
  readonly kinds?: readonly ((index: number) => number)[];
}

/** Fields that follow from others. */
type Derived = 'id' | 'policy';

type FieldColumns = {
  readonly [K in Exclude<keyof Change, Derived>]-?: FieldColumn<NonNullable<Change[K]>>;
};

/** The fields of a change, in the order of a saved plan. */
function startColumns() {
  return {
    task: coded(TASK_TYPES[0], String, ({ task }) => task),
    device: devices(),
    action: coded(ACTIONS[0], String, ({ action }) => action),
    cause: coded(CAUSES[0], String, ({ cause }) => cause),
    reason: reasons(),
    at: coded<At>(NOWHERE, flatKey, ({ at }) => at),
    before: coded<Values>({}, computeOnce(flatKey), ({ before }) => before),
    after: coded<Values>({}, computeOnce(flatKey), ({ after }) => after),
    target: texts(({ target }) => target),
    finalTarget: texts(({ finalTarget }) => finalTarget),
    generation: coded(0, String, ({ generation }) => generation),
    marker: texts(({ marker }) => marker),
    payload: texts(({ payload }) => payload),
    wave: texts(({ wave }) => wave),
    window: coded<WindowRef>({ name: '' }, computeOnce(flatKey), ({ window }) => window),
    passes: coded<readonly Passed[]>(
      [],
      (passes) => passes.map(passedKey).join('\t'),
      ({ passes }) => passes,
    ),
    risk: coded(RISKS[0], String, ({ risk }) => risk),
    losers: coded<readonly At[]>(
      [],
      computeOnce((losers) => JSON.stringify(losers)),
      ({ losers }) => losers,
    ),
    outcome: texts(({ outcome }) => outcome),
    factAt: texts(({ factAt }) => factAt),
    countedAs: coded<CountedAs>('full', String, ({ countedAs }) => countedAs),
    countedFrom: instants(({ countedFrom }) => countedFrom),
    covered: coded<true>(true, String, ({ covered }) => covered),
    group: coded<ChangeGroup>(GROUPS[0], String, ({ group }) => group),
    lines: coded<readonly SourceLocation[]>([], JSON.stringify, ({ lines }) => lines),
  } satisfies FieldColumns;
}

const NOWHERE: At = { file: '', line: 0, column: 0, policy: '' };

function changeAt(columns: Columns, index: number): Change {
  const change: Record<string, unknown> = {
    id: changeId(columns.task.at(index) ?? TASK_TYPES[0], columns.device.idAt(index)),
  };
  for (const name in columns) {
    const value = columns[name as keyof Columns].at(index);
    if (value !== undefined) change[name] = value;
  }
  change['policy'] = columns.at.at(index)?.policy;
  return change as unknown as Change;
}

/** Values that changes share: equal ones, by their key, are stored once. */
function coded<T>(absent: T, keyOf: (value: T) => string, read: (change: Change) => T | undefined) {
  const { values, codeOf } = internBy(absent, keyOf);
  const codes = growingCodes();
  return {
    push: (change: Change) => codes.push(codeOf(read(change))),
    set: (index: number, change: Change) => codes.set(index, codeOf(read(change))),
    at(index: number): T | undefined {
      const code = codes.at(index);
      return code === 0 ? undefined : values[code];
    },
    kinds: [(index: number): number => codes.at(index)],
  };
}

function texts(read: (change: Change) => string | undefined) {
  return coded('', String, read);
}

/** Texts that few changes share: a map of them would need more memory than the texts. */
function own(read: (change: Change) => string | undefined) {
  const values: (string | undefined)[] = [];
  return {
    push: (change: Change) => void values.push(read(change)),
    set: (index: number, change: Change) => void (values[index] = read(change)),
    at: (index: number): string | undefined => values[index],
  };
}

function instants(read: (change: Change) => number | undefined) {
  const values = growingInstants();
  return {
    push: (change: Change) => values.push(read(change) ?? Number.NaN),
    set: (index: number, change: Change) => values.set(index, read(change) ?? Number.NaN),
    at: (index: number): number | undefined =>
      Number.isNaN(values.at(index)) ? undefined : values.at(index),
  };
}

/** Changes of one kind are of devices of one kind: their names and sites differ, and what else each has of its own. */
function devices() {
  const id = own(({ device }) => device.id);
  const name = own(({ device }) => device.name);
  const site = texts(({ device }) => device.site);
  const labels = LABEL_FIELDS.map((field) => {
    const read = ({ device }: Change): string | undefined => device[field];
    return { field, column: isOwn(DEVICE[field]) ? own(read) : texts(read) };
  });
  const all = [id, name, site, ...labels.map(({ column }) => column)];
  const idAt = (index: number): string => id.at(index) ?? '';
  return {
    push(change: Change) {
      for (const column of all) column.push(change);
    },
    set(index: number, change: Change) {
      for (const column of all) column.set(index, change);
    },
    idAt,
    siteAt: (index: number): string => site.at(index) ?? '',
    at(index: number): DeviceLabel {
      const device: { -readonly [K in keyof DeviceLabel]: DeviceLabel[K] } = { id: idAt(index) };
      const [named, at] = [name.at(index), site.at(index)];
      if (named !== undefined) device.name = named;
      if (at !== undefined) device.site = at;
      for (const { field, column } of labels) {
        const value = column.at(index);
        if (value !== undefined) device[field] = value;
      }
      return device;
    },
    kinds: labels.flatMap(({ column }) => ('kinds' in column ? column.kinds : [])),
  };
}

/**
 * Only the instants of reasons differ, so these have columns of their own. Whether there is one decides who has to act, so
 * that is the same in changes of one kind.
 */
function reasons() {
  const reason = coded<Reason>({ code: 'act' }, reasonKey, (change) => change.reason);
  const since = instants((change) => change.reason.since);
  const next = instants(({ reason: { next: then } }) => (then === 'never' ? Infinity : then));
  const all = [reason, since, next];
  const nextAt = (index: number): Reason['next'] => {
    const then = next.at(index);
    return then === Infinity ? 'never' : then;
  };
  return {
    push(change: Change) {
      for (const column of all) column.push(change);
    },
    set(index: number, change: Change) {
      for (const column of all) column.set(index, change);
    },
    sinceAt: since.at,
    nextAt,
    at(index: number): Reason | undefined {
      const found = reason.at(index);
      if (!found) return undefined;
      const { code, why, params } = found;
      const [from, then] = [since.at(index), nextAt(index)];
      return {
        code,
        ...(why !== undefined && { why }),
        ...(from !== undefined && { since: from }),
        ...(then !== undefined && { next: then }),
        ...(params && { params }),
      };
    },
    kinds: [...reason.kinds, (index: number) => NEXT_FORMS.indexOf(typeof nextAt(index))],
  };
}

const NEXT_FORMS: readonly string[] = ['undefined', 'number', 'string'];
