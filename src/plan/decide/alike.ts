import { KINDS } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { numberPairs, numberTuples } from '../../lib/pair-numbers.ts';
import { computeOnce } from '../../lib/compute-once.ts';
import { getOrAdd } from '../../lib/maps.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Want, Wanted } from '../../model/plan/desired-state.ts';
import type { PlannerInput } from '../input.ts';

type JudgedBy = NonNullable<Kind['judgedBy']>;

/** The devices, and the ledger where intents tell them apart. */
type Told = Pick<PlannerInput, 'snapshot'> & Partial<Pick<PlannerInput, 'memory'>>;

/**
 * Computes once what depends on nothing but the policy and exceptions of a device, and on what its kind declares
 * (`judgedBy`): devices that nothing tells apart share the result. Undefined for a device that shares with none. A plan
 * asks several times for each device, which has one desired state a task.
 */
export function shareAlike<T>(
  input: Told,
  compute: (want: Want) => T,
): (want: Want) => T | undefined {
  const results: T[] = [];
  const placesOf = new Map<object, Map<number, number>>();
  const ofTask = computeOnce((task: TaskType) => {
    const { judgedBy } = KINDS[task];
    if (!judgedBy) return undefined;
    const places = new Uint32Array(input.snapshot.devices.length);
    return { numberOf: numberRows(task, judgedBy, input), places };
  });
  return (want) => {
    const { row, wanted, unclear } = want;
    const alike = unclear ? undefined : ofTask(wanted.task);
    if (!alike) return undefined;
    const { numberOf, places } = alike;
    if (places[row] === 0) {
      const number = numberOf(row);
      if (number === undefined) return undefined;
      const key = isUsual(wanted) ? wanted.policy : wanted;
      const known = getOrAdd(placesOf, key, () => new Map<number, number>());
      places[row] = getOrAdd(known, number, () => results.push(compute(want)));
    }
    return results[(places[row] ?? 0) - 1];
  };
}

/** Whether no exception, no incident and no tie has a part in a desired state: its policy alone decides. */
export function isUsual({ policy: { value }, exemption, leftBy, tied }: Wanted): boolean {
  const isIncident = value.section === 'rotations' && value.incident !== undefined;
  return Object.keys(exemption).length === 0 && !leftBy && !tied && !isIncident;
}

/** Rows with equal numbers are equal in all that a kind declares; undefined for a row that no other may equal. */
function numberRows(
  task: TaskType,
  { fields, past, read }: JudgedBy,
  { snapshot: { devices, facts }, memory }: Told,
): (row: number) => number | undefined {
  const tuples = numberTuples(
    devices.length,
    fields.map((field) => {
      const fieldCodes = devices.codesOf(field);
      return (row) => fieldCodes[row] ?? 0;
    }),
  );
  const numberPair = numberPairs();
  const answers = new Map<unknown, number>([[undefined, 0]]);
  const terms = new Map<unknown, number>();
  return (row) => {
    const id = devices.idAt(row);
    const { [read]: answer, sampled } = facts(id);
    if (sampled) return undefined;
    const intents = memory?.intentsOf(id, task) ?? [];
    if (intents.length === 0 && answer === undefined) return tuples[row];
    let history = 0;
    for (const intent of intents)
      for (const name of past) history = numberPair(history, numberIn(terms, intent[name]));
    const more = numberPair(numberIn(answers, answer), history);
    return devices.length + numberPair(tuples[row] ?? 0, more);
  };
}

/** The number of a value, by its first use. */
function numberIn<T>(numbers: Map<T, number>, value: T): number {
  return getOrAdd(numbers, value, () => numbers.size);
}
