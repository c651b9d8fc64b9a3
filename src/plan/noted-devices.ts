import type { Change, NoteClass } from '../model/plan/change.ts';
import { type ReasonCode, REASON_CODES, reasonKey } from '../model/plan/reason.ts';
import type { DeviceTable } from '../model/fleet/snapshot.ts';
import { TASK_TYPES, type TaskType } from '../model/fleet/task.ts';
import { compareTexts } from '../lib/text-order.ts';
import { getOrAdd } from '../lib/maps.ts';

/** Devices with a note and without a change: counted by class, and found by device. */
export interface Notes {
  add(note: Pick<Change, 'task' | 'at' | 'reason'> & { readonly deviceId: string }): void;
  /** Adds the device of a row, with a note that many devices share. */
  addRow(note: Pick<Change, 'task' | 'at' | 'reason'>, row: number): void;
  /** Adds an entry of a list that no device matches. */
  addEntry(note: Pick<Change, 'task' | 'at' | 'reason'>): void;
  classes(): readonly NoteClass[];
  of(task: TaskType, deviceId: string): ReasonCode | undefined;
  /** Shows each noted device, once for each task: its row, or its ID where it is not managed. */
  each(visit: (device: number | string, code: ReasonCode) => void): void;
}

/** Starts empty. */
export function createNotes(devices: DeviceTable): Notes {
  const classes = new Map<string, { note: Omit<NoteClass, 'count'>; count: number }>();
  const shared = new Map<object, { count: number }>();
  const noted = createRegister(devices);
  const classFor = ({ task, at, reason }: Pick<Change, 'task' | 'at' | 'reason'>) => {
    const key = `${task} ${at.policy} ${at.line} ${at.column} ${reasonKey(reason)}`;
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
  const count = (note: Pick<Change, 'task' | 'at' | 'reason'>): void =>
    void (classFor(note).count += 1);
  return {
    add(note) {
      noted.put(note.task, note.deviceId, note.reason.code);
      count(note);
    },
    addRow(note, row) {
      const known = getOrAdd(shared, note, () => classFor(note));
      known.count += 1;
      noted.putRow(note.task, row, note.reason.code);
    },
    addEntry: count,
    classes: () =>
      [...classes.values()]
        .map((each) => ({ ...each.note, count: each.count }))
        .sort(byTaskThenPlace),
    of: noted.get,
    each: noted.each,
  };
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
  const byTask = new Map(TASK_TYPES.map((task) => [task, new Uint8Array(devices.length)]));
  const others = new Map<string, ReasonCode>();
  const putRow = (task: TaskType, row: number, code: ReasonCode): void => {
    const codes = byTask.get(task);
    if (codes) codes[row] = REASON_CODES.indexOf(code) + 1;
  };
  return {
    putRow,
    put(task: TaskType, deviceId: string, code: ReasonCode): void {
      const row = devices.rowOf(deviceId);
      if (row === undefined) others.set(`${task}/${deviceId}`, code);
      else putRow(task, row, code);
    },
    get(task: TaskType, deviceId: string): ReasonCode | undefined {
      const row = devices.rowOf(deviceId);
      if (row === undefined) return others.get(`${task}/${deviceId}`);
      return REASON_CODES[(byTask.get(task)?.[row] ?? 0) - 1];
    },
    each(visit: (device: number | string, code: ReasonCode) => void): void {
      for (const codes of byTask.values())
        for (const [row, number] of codes.entries()) {
          const code = REASON_CODES[number - 1];
          if (code !== undefined) visit(row, code);
        }
      for (const [key, code] of others) visit(key.slice(key.indexOf('/') + 1), code);
    },
  };
}
