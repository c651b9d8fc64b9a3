import { KINDS } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { numberPairs, numberTuples } from '../../lib/pair-numbers.ts';
import type { Device } from '../../model/fleet/device.ts';
import type { DeviceTable, TextField } from '../../model/fleet/snapshot.ts';
import { TEXT_FIELDS } from '../../model/fleet/snapshot.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Want } from '../../model/plan/desired-state.ts';
import type { PlannerInput } from '../input.ts';

type JudgedBy = NonNullable<Kind['judgedBy']>;

/**
 * Numbers the devices that nothing tells apart for a judgement: those of one desired state with equal numbers are equal
 * in all that their kind declares (`judgedBy`). Undefined for a device that is judged by itself.
 */
export function findAlike(
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
  const number = numbers.get(value) ?? numbers.size;
  numbers.set(value, number);
  return number;
}

/** The column that tells devices apart by a field; no field with a value of its own for each device is meant. */
function codesOf(devices: DeviceTable, field: keyof Device): Uint32Array {
  if (isText(field)) return devices.text[field].codes;
  if (field === 'sites' || field === 'sources' || field === 'unreadable')
    return devices[field].codes;
  return field === 'storageServer' ? devices.storageServers.codes : devices.traits.codes;
}

function isText(field: keyof Device): field is TextField {
  return (TEXT_FIELDS as readonly string[]).includes(field);
}
