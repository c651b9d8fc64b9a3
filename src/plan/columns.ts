import {
  type Change,
  type Changes,
  type DeviceLabel,
  type ChangeGroup,
  type Values,
  type WindowRef,
  changeId,
} from '../model/plan/change.ts';
import { ACTIONS, CAUSES, GROUPS, RISKS } from '../model/plan/change.ts';
import type { CountedAs } from '../model/plan/counting.ts';
import type { Interned } from '../lib/intern.ts';
import { internBy, internTexts } from '../lib/intern.ts';
import { growingCodes, growingInstants } from '../lib/growing-array.ts';
import type { Reason } from '../model/plan/reason.ts';
import type { At, SourceLocation } from '../model/documents/source.ts';
import { TASK_TYPES } from '../model/fleet/task.ts';

/** Changes in columns: every repeated value is stored once, a few bytes for each change. */
export interface ChangeColumns {
  readonly length: number;
  add(change: Change): void;
  /** The change in a position, as a new object. */
  at(index: number): Change;
  /** Replaces the decision about a change; the rest of it is unchanged. */
  decide(index: number, decision: Pick<Change, 'action' | 'reason'>): void;
  /** The changes in this order, or in the order of insertion; can be iterated repeatedly. */
  view(order?: Uint32Array): Changes;
}

/** Starts without a change. */
export function createColumns(): ChangeColumns {
  const columns = startColumns();
  const all = Object.values(columns);
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(change) {
      for (const column of all) column.push(change);
      length++;
    },
    at: (index) => changeAt(columns, index),
    decide(index, decision) {
      const decided = { ...changeAt(columns, index), ...decision };
      columns.action.set(index, decided);
      columns.reason.set(index, decided);
    },
    view: (order) =>
      orderedView(columns, order ?? Uint32Array.from({ length }, (_, index) => index)),
  };
}

type Columns = ReturnType<typeof startColumns>;

function orderedView(columns: Columns, order: Uint32Array): Changes {
  return {
    length: order.length,
    *[Symbol.iterator]() {
      for (const index of order) yield changeAt(columns, index);
    },
  };
}

function startColumns() {
  return {
    id: coded(internTexts(), ({ device }) => device.id),
    label: coded(internBy<Label>({}, JSON.stringify), ({ device }) => shortLabel(device)),
    name: coded(internTexts(), ({ device }) => device.name),
    task: coded(internBy(TASK_TYPES[0], String), ({ task }) => task),
    action: coded(internBy(ACTIONS[0], String), ({ action }) => action),
    cause: coded(internBy(CAUSES[0], String), ({ cause }) => cause),
    risk: coded(internBy(RISKS[0], String), ({ risk }) => risk),
    reason: reasons(),
    at: coded(internBy<At>(NOWHERE, JSON.stringify), ({ at }) => at),
    before: coded(internBy<Values>({}, JSON.stringify), ({ before }) => before),
    after: coded(internBy<Values>({}, JSON.stringify), ({ after }) => after),
    target: coded(internTexts(), ({ target }) => target),
    finalTarget: coded(internTexts(), ({ finalTarget }) => finalTarget),
    marker: coded(internTexts(), ({ marker }) => marker),
    generation: coded(internBy(0, String), ({ generation }) => generation),
    payload: coded(internTexts(), ({ payload }) => payload),
    wave: coded(internTexts(), ({ wave }) => wave),
    window: coded(internBy<WindowRef>({ name: '' }, JSON.stringify), ({ window }) => window),
    losers: coded(internBy<readonly At[]>([], JSON.stringify), ({ losers }) => losers),
    outcome: coded(internTexts(), ({ outcome }) => outcome),
    group: coded(internBy<ChangeGroup>(GROUPS[0], String), ({ group }) => group),
    factAt: coded(internTexts(), ({ factAt }) => factAt),
    covered: coded(internBy<true>(true, String), ({ covered }) => covered),
    countedAs: coded(internBy<CountedAs>('full', String), ({ countedAs }) => countedAs),
    countedFrom: instants(({ countedFrom }) => countedFrom),
    lines: coded(internBy<readonly SourceLocation[]>([], JSON.stringify), ({ lines }) => lines),
  };
}

/** The common fields of devices of one model at one site. */
type Label = Omit<DeviceLabel, 'id' | 'name'>;

const NOWHERE: At = { file: '', line: 0, column: 0, policy: '' };

function shortLabel({ id: _id, name: _name, ...label }: DeviceLabel): Label {
  return label;
}

function changeAt(columns: Columns, index: number): Change {
  const task = columns.task.at(index);
  const id = columns.id.at(index);
  const name = columns.name.maybe(index);
  const finalTarget = columns.finalTarget.maybe(index);
  const payload = columns.payload.maybe(index);
  const wave = columns.wave.maybe(index);
  const at = columns.at.at(index);
  const window = columns.window.maybe(index);
  const losers = columns.losers.maybe(index);
  const outcome = columns.outcome.maybe(index);
  const group = columns.group.maybe(index);
  const factAt = columns.factAt.maybe(index);
  const covered = columns.covered.maybe(index);
  const countedAs = columns.countedAs.maybe(index);
  const countedFrom = columns.countedFrom.maybe(index);
  const lines = columns.lines.maybe(index);
  return {
    id: changeId(task, id),
    task,
    device: { id, ...(name !== undefined && { name }), ...columns.label.at(index) },
    action: columns.action.at(index),
    cause: columns.cause.at(index),
    reason: columns.reason.at(index),
    policy: at.policy,
    at,
    before: columns.before.at(index),
    after: columns.after.at(index),
    target: columns.target.at(index),
    ...(finalTarget !== undefined && { finalTarget }),
    generation: columns.generation.at(index),
    marker: columns.marker.at(index),
    ...(payload !== undefined && { payload }),
    ...(wave !== undefined && { wave }),
    ...(window !== undefined && { window }),
    risk: columns.risk.at(index),
    ...(losers !== undefined && { losers }),
    ...(outcome !== undefined && { outcome }),
    ...(factAt !== undefined && { factAt }),
    ...(countedAs && { countedAs }),
    ...(countedFrom !== undefined && { countedFrom }),
    ...(covered && { covered }),
    ...(group !== undefined && { group }),
    ...(lines !== undefined && { lines }),
  };
}

function coded<T>(interned: Interned<T>, read: (change: Change) => T | undefined) {
  const codes = growingCodes();
  const absent = interned.values[0] as T;
  const at = (index: number): T => interned.values[codes.at(index)] ?? absent;
  return {
    push: (change: Change) => codes.push(interned.codeOf(read(change))),
    set: (index: number, change: Change) => codes.set(index, interned.codeOf(read(change))),
    at,
    maybe: (index: number): T | undefined => (codes.at(index) === 0 ? undefined : at(index)),
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
  const reason = coded(internBy<Reason>({ code: 'act' }, JSON.stringify), withoutInstants);
  const since = growingInstants();
  const next = growingInstants();
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
    at(index: number): Reason {
      const { params, ...rest } = reason.at(index);
      const never = next.at(index) === Infinity;
      return {
        ...rest,
        ...(!Number.isNaN(since.at(index)) && { since: since.at(index) }),
        ...(!Number.isNaN(next.at(index)) && { next: never ? ('never' as const) : next.at(index) }),
        ...(params && { params }),
      };
    },
  };
}

function withoutInstants({ reason: { since: _since, next: _next, ...reason } }: Change): Reason {
  return reason;
}

function nextInstant({ next }: Reason): number {
  return next === 'never' ? Infinity : (next ?? Number.NaN);
}
