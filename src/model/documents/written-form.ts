import { canonical, type Json } from '../../lib/canonical.ts';
import { isObject } from '../../lib/objects.ts';
import { formatDuration, formatInstant } from '../../lib/time.ts';
import type { PlanBase } from '../plan/plan.ts';
import type { DueRule, Policy } from './policy.ts';
import { UNITS } from './units.gen.ts';

/** What a policy says. The priority of an incident is its `since`. */
export function policyForm(policy: Policy): object {
  if (policy.section !== 'rotations') return policy;
  const { due, incident, priority, ...said } = policy;
  return { ...said, ...(incident ?? { priority }), ...dueForm(due) };
}

function dueForm(due: DueRule): object {
  if (due.is === 'never') return { maxAge: due.is };
  if (due.is === 'maxAge') return { ...due, is: undefined };
  const renewBefore = due.is === 'renewBefore' ? due.before : { percent: due.percent };
  return { renewBefore, spread: due.spread };
}

/** Lists whose order says something, as that of the tasks in `after`; every other list is a set. */
const ORDERED = /^\.(?:order|renamedFrom|waves|stopOn|payload|dialect)|\.days$/;

/** A value without places, with sets in one order. Its tasks are called `task`, as in documents. */
export function meant(value: unknown, at = ''): Json {
  if (Array.isArray(value)) {
    const members = value.map((each) => meant(each, at));
    const isOrder = ORDERED.test(at) || (at === '.after' && typeof value[0] === 'string');
    if (at === '' || isOrder) return members;
    const byText = new Map(members.map((each) => [canonical(each), each]));
    return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  }
  if (!isObject(value)) return value as Json;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const isPlace = name === 'at' && Object(member).line !== undefined;
    const key = at === '' && name === 'tasks' ? 'task' : name;
    return member === undefined || isPlace ? [] : [[key, meant(member, `${at}.${key}`)] as const];
  });
  return Object.fromEntries(members);
}

/** The values in a meaning by their paths, such as `.when.for`. A list is one, but where it may hold variables. */
export function* leavesOf(value: Json, at = ''): Generator<readonly [path: string, value: Json]> {
  const isFree = /^$|^\.(?:payload|dialect)\b/.test(at);
  if (Array.isArray(value) ? !isFree || (at !== '' && !value.some(isObject)) : !isObject(value))
    yield [at, value];
  else
    for (const [key, member] of Object.entries(Object(value)) as [string, Json][])
      if (!isFree && (key === 'percent' || key === 'builtIn')) yield [at, { [key]: member }];
      else
        yield* leavesOf(member, !isFree && (key === 'count' || key === 'is') ? at : `${at}.${key}`);
}

/** A number as documents write it, with the unit of its field (`restarts.when.for`). */
export function writtenNumber(value: number, field: string): string {
  const unit = UNITS[field];
  if (unit === 'duration') return formatDuration(value);
  if (unit === 'instant') return formatInstant(value);
  return unit === 'percent' ? `${value}%` : `${value}`;
}

/** A setting that a request changes, with what documents mean in place of words. */
export type ChangedSetting = Omit<NonNullable<PlanBase['settings']>[number], 'before' | 'after'> &
  Readonly<Record<'before' | 'after', Json | undefined>>;
