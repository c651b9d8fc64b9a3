import type { Change } from '../../src/model/plan/change.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One edit of a change, by the path of what was edited and how. */
export interface ChangeMutation {
  readonly name: string;
  readonly change: Change;
}

/** What tells which change it is, and whether anybody wanted it: not what was approved about it. */
const IDENTITY = new Set(['id', 'task', 'device.id', 'action', 'at.policy']);

/** Every leaf of a change edited in several ways or taken out, and something put into each of its parts. */
export function mutationsOfChange(change: Change): readonly ChangeMutation[] {
  const mutations: ChangeMutation[] = [];
  const edit = (
    path: readonly string[],
    how: string,
    act: (parent: Parent, key: string) => void,
  ) => {
    const name = path.join('.');
    if (IDENTITY.has(name)) return;
    const copy = structuredClone(change) as unknown as Parent;
    let parent = copy;
    for (const key of path.slice(0, -1)) parent = parent[key] as Parent;
    act(parent, path.at(-1) ?? '');
    // As in a file, where it stands in `at` alone.
    (copy['at'] as Parent)['policy'] = copy['policy'] ?? '';
    mutations.push({ name: `${name}: ${how}`, change: copy as unknown as Change });
  };
  const visit = (value: Json, path: readonly string[]): void => {
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (path.length > 0 && !NEEDED.has(path.join('.')))
      edit(path, 'taken out', (parent, key) => delete parent[key]);
    for (const other of othersOf(value))
      edit(path, JSON.stringify(other), (parent, key) => void (parent[key] = other));
    if (!isMap) return;
    edit([...path, 'unknown'], 'put in', (parent, key) => void (parent[key] = 'x'));
    for (const [key, each] of Object.entries(value)) visit(each, [...path, key]);
  };
  visit(change as unknown as Json, []);
  return mutations;
}

type Parent = Record<string, Json>;

/** Without these it is no change. */
const NEEDED = new Set([
  'device',
  'at',
  'policy',
  'reason',
  'before',
  'after',
  'target',
  'generation',
  'marker',
]);

function othersOf(value: Json): readonly Json[] {
  if (typeof value === 'string') return [`${value}x`, ''].filter((other) => other !== value);
  if (typeof value === 'number') return [value + 1];
  if (typeof value === 'boolean') return [!value];
  return value === null ? ['x'] : [];
}
