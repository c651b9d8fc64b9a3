import type { Change, NoteClass } from '../model/plan/change.ts';
import { type ReasonCode, REASON_CODES, reasonKey } from '../model/plan/reason.ts';
import type { DeviceTable } from '../model/fleet/snapshot.ts';
import { TASK_TYPES, type TaskType } from '../model/fleet/task.ts';
import { getOrAdd } from '../lib/maps.ts';
import { compareTexts } from '../lib/text-order.ts';

/** A note on a device, which is no change. */
export type Note = Pick<Change, 'task' | 'at' | 'reason'>;

/** Devices with a note and without a change: counted by class, and found by device. */
export interface Notes {
  add(note: Note & { readonly deviceId: string }): void;
  /** Adds the devices of these rows, which share a note. */
  addRows(note: Note, rows: readonly number[]): void;
  /** Adds an entry of a list that no device matches. */
  addEntry(note: Note): void;
  classes(): readonly NoteClass[];
  of(task: TaskType, deviceId: string): ReasonCode | undefined;
  /** Shows each noted device, once for each task: its row, or its ID where it is not managed. */
  each(visit: (device: number | string, code: ReasonCode) => void): void;
}

/** Starts empty. */
export function createNotes(devices: DeviceTable): Notes {
  const classes = new Map<string, { note: Omit<NoteClass, 'count'>; count: number }>();
  const noted = createRegister(devices);
  const classFor = ({ task, at, reason }: Note) => {
    const key = classKey({ task, at, reason });
    const known = classes.get(key) ?? { note: { task, at, reason }, count: 0 };
    // The reason of a class: instants differ between devices, and only the next one matters to a
    // reader.
    const instants = [reason.next, known.note.reason?.next].filter(
      (next) => typeof next === 'number',
    );
    const next =
      instants.length > 0 ? Math.min(...instants) : (reason.next ?? known.note.reason?.next);
    const { since: _since, next: _next, ...timeless } = reason;
    known.note = { task, at, reason: { ...timeless, ...(next !== undefined && { next }) } };
    classes.set(key, known);
    return known;
  };
  const count = (note: Note, more = 1): void => {
    if (more > 0) classFor(note).count += more;
  };
  return {
    add(note) {
      noted.put(note.task, note.deviceId, note.reason.code);
      count(note);
    },
    addRows(note, rows) {
      count(note, rows.length);
      noted.putRows(note.task, rows, note.reason.code);
    },
    addEntry: (note) => count(note),
    classes: () =>
      [...classes.values()]
        .map((each) => ({ ...each.note, count: each.count }))
        .sort(byTaskThenPlace),
    of: noted.get,
    each: noted.each,
  };
}

/** The class of a note, whatever its instants. */
export function classKey({ task, at, reason }: Omit<NoteClass, 'count'>): string {
  return `${task} ${at.policy} ${at.line} ${at.column} ${reasonKey(reason)}`;
}

function byTaskThenPlace(a: NoteClass, b: NoteClass): number {
  return (
    TASK_TYPES.indexOf(a.task) - TASK_TYPES.indexOf(b.task) ||
    compareTexts(a.at.policy, b.at.policy) ||
    a.at.line - b.at.line ||
    a.at.column - b.at.column ||
    compareTexts(JSON.stringify(a.reason), JSON.stringify(b.reason))
  );
}

/** One byte for each device and task; devices that are not managed are few and are in a map. */
function createRegister(devices: DeviceTable) {
  const byTask = new Map<TaskType, Uint8Array>();
  const others = new Map<string, ReasonCode>();
  const putRows = (task: TaskType, rows: readonly number[], code: ReasonCode): void => {
    const codes = getOrAdd(byTask, task, () => new Uint8Array(devices.length));
    const number = REASON_CODES.indexOf(code) + 1;
    for (const row of rows) codes[row] = number;
  };
  return {
    putRows,
    put(task: TaskType, deviceId: string, code: ReasonCode): void {
      const row = devices.rowOf(deviceId);
      if (row === undefined) others.set(`${task}/${deviceId}`, code);
      else putRows(task, [row], code);
    },
    get(task: TaskType, deviceId: string): ReasonCode | undefined {
      const row = devices.rowOf(deviceId);
      if (row === undefined) return others.get(`${task}/${deviceId}`);
      return REASON_CODES[(byTask.get(task)?.[row] ?? 0) - 1];
    },
    each(visit: (device: number | string, code: ReasonCode) => void): void {
      for (const codes of byTask.values())
        for (let row = 0; row < codes.length; row += 1) {
          const number = codes[row] ?? 0;
          const code = number === 0 ? undefined : REASON_CODES[number - 1];
          if (code !== undefined) visit(row, code);
        }
      for (const [key, code] of others) visit(key.slice(key.indexOf('/') + 1), code);
    },
  };
}
