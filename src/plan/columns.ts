import {
  ACTIONS,
  type Action,
  CAUSES,
  type Cause,
  type Change,
  type ChangeKind,
  type ChangeRow,
  type Changes,
  type DeviceLabel,
  type ChangeGroup,
  GROUPS,
  type Passed,
  RISKS,
  type Risk,
  type Values,
  type WindowRef,
  changeId,
  passedKey,
} from '../model/plan/change.ts';
import { codedColumn, type GrowingColumn, instantColumn, ownColumn } from '../lib/columns.ts';
import { numberTuples } from '../lib/pair-numbers.ts';
import type { CountedAs } from '../model/plan/counting.ts';
import { flatKey, internBy } from '../lib/intern.ts';
import { type Reason, reasonKey } from '../model/plan/reason.ts';
import type { At, SourceLocation } from '../model/documents/source.ts';
import { computeOnce } from '../lib/compute-once.ts';
import { DEVICE, isOwn, LABEL_FIELDS } from '../model/fleet/device.ts';
import { TASK_TYPES, type TaskType } from '../model/fleet/task.ts';

/** Changes in columns: every repeated value is stored once, a few bytes for each change. */
export interface ChangeColumns {
  readonly length: number;
  add(change: Change): void;
  /** The change in a position, as a new object. */
  at(index: number): Change;
  isRun(index: number): boolean;
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
  const all = Object.entries(columns) as readonly (readonly [keyof Columns, Cells<unknown>])[];
  let length = 0;
  let kinds: Uint32Array | undefined;
  const kindsNow = (): Uint32Array =>
    (kinds ??= numberTuples(
      length,
      all.flatMap(([, { codeAt = [], kinds: codes = codeAt }]) => codes),
    ));
  return {
    get length() {
      return length;
    },
    add(change) {
      for (const [name, column] of all) column.push(change[name]);
      kinds = undefined;
      length++;
    },
    at: (index) => changeAt(columns, index),
    isRun: (index) => columns.action.at(index) === 'run',
    decide(index, decision) {
      kinds = undefined;
      if (decision.action) columns.action.set(index, decision.action);
      if (decision.reason) columns.reason.set(index, decision.reason);
      if ('passes' in decision) columns.passes.set(index, decision.passes);
    },
    view: (order) =>
      orderedView(columns, order ?? Uint32Array.from({ length }, (_, index) => index), kindsNow),
  };
}

type Columns = ReturnType<typeof startColumns>;

function orderedView(columns: Columns, order: Uint32Array, kindsNow: () => Uint32Array): Changes {
  let known: Kinds | undefined;
  const kindsOf = (): Kinds => {
    const numbers = kindsNow();
    if (known?.numbers !== numbers) known = { numbers, found: countKinds(columns, order, numbers) };
    return known;
  };
  return {
    get kinds() {
      return kindsOf().found.filter((each) => each !== undefined);
    },
    length: order.length,
    *[Symbol.iterator]() {
      for (const index of order) yield changeAt(columns, index);
    },
    rows: {
      *[Symbol.iterator]() {
        const kinds = kindsOf();
        for (const index of order) yield new ColumnRow(columns, index, kinds);
      },
    },
  };
}

function countKinds(columns: Columns, order: Uint32Array, kinds: Uint32Array): Kinds['found'] {
  const found: { readonly change: Change; count: number }[] = [];
  for (const index of order)
    (found[kinds[index] ?? 0] ??= { change: changeAt(columns, index), count: 0 }).count += 1;
  return found;
}

/** The number of the kind of each change, and the kinds by their numbers. */
interface Kinds {
  readonly numbers: Uint32Array;
  readonly found: readonly (ChangeKind | undefined)[];
}

/** A row that reads its columns when it is asked. */
class ColumnRow implements ChangeRow {
  readonly kind: number;
  readonly #columns: Columns;
  readonly #index: number;
  readonly #kinds: Kinds;

  constructor(columns: Columns, index: number, kinds: Kinds) {
    this.#columns = columns;
    this.#index = index;
    this.#kinds = kinds;
    this.kind = kinds.numbers[index] ?? 0;
  }

  get like(): Change {
    return this.#kinds.found[this.kind]?.change ?? this.change();
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

  get reason(): Reason {
    return this.#columns.reason.at(this.#index) ?? this.like.reason;
  }

  get countedFrom(): Change['countedFrom'] {
    return this.#columns.countedFrom.at(this.#index);
  }

  change(): Change {
    return changeAt(this.#columns, this.#index);
  }
}

/** One field of all changes. */
interface Cells<T> extends Pick<GrowingColumn<T>, 'push' | 'at' | 'codeAt'> {
  /** Numbers that are equal in changes of one kind, where the field has several columns. */
  readonly kinds?: readonly ((row: number) => number)[];
}

/** Fields that follow from others. */
type Derived = 'id' | 'policy';

type FieldColumns = {
  readonly [K in Exclude<keyof Change, Derived>]-?: Cells<NonNullable<Change[K]>>;
};

/** The fields of a change, in the order of a saved plan. */
function startColumns() {
  const places = internBy<At>(NOWHERE, computeOnce(flatKey));
  return {
    task: codedColumn<TaskType>(TASK_TYPES[0], String),
    device: devices(),
    action: codedColumn<Action>(ACTIONS[0], String),
    cause: codedColumn<Cause>(CAUSES[0], String),
    reason: reasons(),
    at: codedColumn<At>(NOWHERE, computeOnce(flatKey)),
    before: codedColumn<Values>({}, computeOnce(flatKey)),
    after: codedColumn<Values>({}, computeOnce(flatKey)),
    target: texts(),
    finalTarget: texts(),
    generation: codedColumn(0, String),
    marker: texts(),
    payload: texts(),
    wave: texts(),
    window: codedColumn<WindowRef>({ name: '' }, computeOnce(flatKey)),
    order: codedColumn<readonly string[]>([], (all) => all.join('\t')),
    passes: codedColumn<readonly Passed[]>([], (all) => all.map(passedKey).join('\t')),
    risk: codedColumn<Risk>(RISKS[0], String),
    losers: codedColumn<readonly At[]>(
      [],
      computeOnce((losers) => losers.map(places.codeOf).join(' ')),
    ),
    outcome: texts(),
    factAt: texts(),
    countedAs: codedColumn<CountedAs>('full', String),
    countedFrom: instantColumn(),
    covered: codedColumn<true>(true, String),
    group: codedColumn<ChangeGroup>(GROUPS[0], String),
    lines: codedColumn<readonly SourceLocation[]>([], JSON.stringify),
  } satisfies FieldColumns;
}

const NOWHERE: At = { file: '', line: 0, column: 0, policy: '' };

function texts(): GrowingColumn<string> {
  return codedColumn('', String);
}

function changeAt(columns: Columns, index: number): Change {
  const id = changeId(columns.task.at(index) ?? TASK_TYPES[0], columns.device.idAt(index));
  const members: [name: string, value: unknown][] = [['id', id]];
  for (const name in columns) {
    const value = columns[name as keyof Columns].at(index);
    if (value !== undefined) members.push([name, value]);
  }
  members.push(['policy', columns.at.at(index)?.policy]);
  return Object.fromEntries(members) as unknown as Change;
}

/** Changes of one kind are of devices of one kind: their names and sites differ, and what else each has of its own. */
function devices() {
  const labels = LABEL_FIELDS.map(
    (field) => [field, isOwn(DEVICE[field]) ? ownColumn() : texts()] as const,
  );
  const [id, name, site] = [ownColumn(), ownColumn(), texts()];
  const all = [['id', id], ['name', name], ['site', site], ...labels] as const;
  return {
    push(device: DeviceLabel | undefined) {
      for (const [field, column] of all) column.push(device?.[field]);
    },
    idAt: (index: number): string => id.at(index) ?? '',
    siteAt: (index: number): string => site.at(index) ?? '',
    at(index: number): DeviceLabel {
      const device: { -readonly [K in keyof DeviceLabel]: DeviceLabel[K] } = { id: '' };
      for (const [field, column] of all) {
        const value = column.at(index);
        if (value !== undefined) device[field] = value;
      }
      return device;
    },
    kinds: labels.flatMap(([, { codeAt }]) => codeAt ?? []),
  };
}

/**
 * Only the instants of reasons differ, so these have columns of their own. Whether there is one decides who has to act, so
 * that is the same in changes of one kind.
 */
function reasons() {
  const reason = codedColumn<Reason>({ code: 'act' }, reasonKey);
  const [since, next] = [instantColumn(), instantColumn()];
  const nextAt = (index: number): Reason['next'] => {
    const then = next.at(index);
    return then === Infinity ? 'never' : then;
  };
  const instantOf = (then: Reason['next']) => (then === 'never' ? Infinity : then);
  return {
    push(value: Reason | undefined) {
      reason.push(value);
      since.push(value?.since);
      next.push(instantOf(value?.next));
    },
    set(index: number, value: Reason | undefined) {
      reason.set(index, value);
      since.set(index, value?.since);
      next.set(index, instantOf(value?.next));
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
    kinds: [
      reason.codeAt ?? [],
      (index: number) => NEXT_FORMS.indexOf(typeof nextAt(index)),
    ].flat(),
  };
}

const NEXT_FORMS: readonly string[] = ['undefined', 'number', 'string'];
