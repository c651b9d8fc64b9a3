import { KINDS } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Codes } from '../../lib/growing-array.ts';
import { numberPairs, numberTuples } from '../../lib/pair-numbers.ts';
import { getOrAdd } from '../../lib/maps.ts';
import type { Device } from '../../model/fleet/device.ts';
import { type DeviceTable, type TextField, TEXT_FIELDS } from '../../model/fleet/snapshot.ts';
import { TASK_TYPES, type TaskType } from '../../model/fleet/task.ts';
import type { Want, Wanted } from '../../model/plan/desired-state.ts';
import type { PlannerInput } from '../input.ts';

type JudgedBy = NonNullable<Kind['judgedBy']>;

/**
 * Computes once what depends on nothing but the policy and exceptions of a device, and on what its kind declares
 * (`judgedBy`): devices that nothing tells apart share the result. Undefined for a device that shares with none. A plan
 * asks several times for each device, which has one desired state a task.
 */
export function shareAlike<T>(
  input: Pick<PlannerInput, 'snapshot' | 'memory'>,
  compute: (want: Want) => T,
): (want: Want) => T | undefined {
  const numberOf = numberAlike(input);
  const results: T[] = [];
  const placesOf = new Map<object, Map<number, number>>();
  const places = new Map(
    TASK_TYPES.map((task) => [task, new Uint32Array(input.snapshot.devices.length)]),
  );
  const place = (want: Want): number | undefined => {
    const number = numberOf(want);
    if (number === undefined) return undefined;
    const key = isUsual(want.wanted) ? want.wanted.policy : want.wanted;
    const known = getOrAdd(placesOf, key, () => new Map<number, number>());
    return getOrAdd(known, number, () => results.push(compute(want)));
  };
  return (want) => {
    const column = places.get(want.wanted.task) ?? new Uint32Array();
    const found = column[want.row] || place(want);
    if (found === undefined) return undefined;
    column[want.row] = found;
    return results[found - 1];
  };
}

/** Whether no exception and no incident has a part in a desired state: its policy alone decides. */
export function isUsual({ policy: { value }, exemption, leftBy }: Wanted): boolean {
  const isIncident = value.section === 'rotations' && value.incident !== undefined;
  return Object.keys(exemption).length === 0 && !leftBy && !isIncident;
}

function numberAlike(
  input: Pick<PlannerInput, 'snapshot' | 'memory'>,
): (want: Want) => number | undefined {
  const byTask = new Map<TaskType, ((row: number) => number | undefined) | undefined>();
  return ({ row, wanted: { task }, unclear }) => {
    if (!byTask.has(task)) {
      const { judgedBy } = KINDS[task];
      byTask.set(task, judgedBy && numberRows(task, judgedBy, input));
    }
    return unclear ? undefined : byTask.get(task)?.(row);
  };
}

/** Rows with equal numbers are equal in all that a kind declares; undefined for a row that no other may equal. */
function numberRows(
  task: TaskType,
  { fields, past, read }: JudgedBy,
  { snapshot: { devices, facts }, memory }: Pick<PlannerInput, 'snapshot' | 'memory'>,
): (row: number) => number | undefined {
  const columns = new Set(fields.map((field) => codesOf(devices, field)));
  const tuples = numberTuples(
    devices.length,
    [...columns].map((codes) => (row) => codes[row] ?? 0),
  );
  const numberPair = numberPairs();
  const answers = new Map<unknown, number>([[undefined, 0]]);
  const histories = new Map<string, number>();
  const { values, codes } = devices.text.id;
  return (row) => {
    const id = values[codes[row] ?? 0] ?? '';
    const { [read]: answer, sampled } = facts(id);
    if (sampled) return undefined;
    const intents = memory.intentsOf(id, task);
    if (intents.length === 0 && answer === undefined) return tuples[row];
    const history = JSON.stringify(intents.map((intent) => past.map((name) => intent[name])));
    const more = numberPair(numberIn(answers, answer), numberIn(histories, history));
    return devices.length + numberPair(tuples[row] ?? 0, more);
  };
}

/** The number of a value, by its first use. */
function numberIn<T>(numbers: Map<T, number>, value: T): number {
  return getOrAdd(numbers, value, () => numbers.size);
}

/** The column that tells devices apart by a field; no field with a value of its own for each device is meant. */
function codesOf(devices: DeviceTable, field: keyof Device): Codes {
  if (isText(field)) return devices.text[field].codes;
  if (field === 'sites' || field === 'sources' || field === 'unreadable')
    return devices[field].codes;
  return field === 'storageServer' ? devices.storageServers.codes : devices.traits.codes;
}

function isText(field: keyof Device): field is TextField {
  return (TEXT_FIELDS as readonly string[]).includes(field);
}
