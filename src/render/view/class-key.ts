import type { Change, Values } from '../../model/plan/change.ts';
import { parseInstant } from '../../lib/time.ts';

type Value = Values[string];

/**
 * Above this many different values of a field in one group, the values are byField as a spread, not as
 * classes.
 */
const DISTINCT_VALUES = 20;

/** Where a field of a change stands. */
const PARTS = ['before', 'after', 'params'] as const;
type Part = (typeof PARTS)[number];

/** Hears each field that may differ between devices although a reviewer calls the change the same. */
export type Visit = (name: string, value: Value) => void;

/** Full names of fields, made once each: `before.firmwareVersion`. */
const NAMES: Readonly<Record<Part, Map<string, string>>> = {
  before: new Map(),
  after: new Map(),
  params: new Map(),
};

/** Visits every such field of a change by its full name, always in one order. */
export function eachFacet({ before, after, reason }: Change, visit: Visit): void {
  eachOf('before', before, visit);
  eachOf('after', after, visit);
  if (reason.params) eachOf('params', reason.params, visit);
}

function eachOf(part: Part, values: Values, visit: Visit): void {
  for (const field of Object.keys(values)) visit(nameOf(part, field), values[field] ?? null);
}

function nameOf(part: Part, field: string): string {
  const known = NAMES[part].get(field);
  if (known !== undefined) return known;
  const name = `${part}.${field}`;
  NAMES[part].set(field, name);
  return name;
}

/** What makes two changes the same to a reviewer: equal changes have the very same key. */
export interface ClassKey {
  /** Tells the order of classes, the same for equal plans. */
  readonly text: string;
}

/** A step on the way from the fields of a change to its group or its class. */
class Step<T> {
  end: T | undefined;
  readonly #next = new Map<unknown, Step<T>>();

  to(value: unknown): Step<T> {
    const known = this.#next.get(value);
    if (known) return known;
    const made = new Step<T>();
    this.#next.set(value, made);
    return made;
  }
}

/** Changes with the same fixed part: the values of each field, up to as many as are byField apart. */
interface Group {
  readonly fixed: string;
  /** What stands for each value in a key; `many` where there are too many. */
  readonly byField: Map<string, Map<Value, Value> | 'many'>;
  readonly classes: Step<ClassKey>;
}

/**
 * The keys of the classes of these changes. Walks them once to learn which fields have too many
 * values to make classes of; no text is made for a change, only for a class.
 */
export function classKeys(changes: Iterable<Change>): (change: Change) => ClassKey {
  const groups = new Step<Group>();
  for (const change of changes) {
    const { byField } = groupOf(groups, change);
    eachFacet(change, (name, value) => learn(byField, name, value));
  }
  return (change) => keyOf(groupOf(groups, change), change);
}

function learn(byField: Group['byField'], name: string, value: Value): void {
  const known = byField.get(name);
  if (known === 'many' || known?.has(value)) return;
  const values = known ?? new Map<Value, Value>();
  values.set(value, isOwn(name, value) ? '' : value);
  byField.set(name, values.size > DISTINCT_VALUES ? 'many' : values);
}

function keyOf({ fixed, byField, classes }: Group, change: Change): ClassKey {
  let step = classes;
  const parts: (readonly [string, Value])[] = [];
  eachFacet(change, (name, value) => {
    const values = byField.get(name);
    const shown = values === undefined || values === 'many' ? '' : (values.get(value) ?? null);
    parts.push([name, shown]);
    step = step.to(name).to(shown);
  });
  step.end ??= { text: JSON.stringify([fixed, parts]) };
  return step.end;
}

/** Instants, fingerprints and numbers in reasons are each device's own and never make a class. */
function isOwn(name: string, value: Value): boolean {
  if (typeof value === 'number') return name.startsWith('params.');
  if (typeof value !== 'string') return false;
  return parseInstant(value) !== undefined || /^[\da-f:]{32,}$/i.test(value);
}

function groupOf(groups: Step<Group>, change: Change): Group {
  let step = groups;
  for (const field of fixedOf(change)) step = step.to(field);
  for (const { policy } of change.losers ?? []) step = step.to(policy);
  step.end ??= { fixed: fixedText(change), byField: new Map(), classes: new Step() };
  return step.end;
}

function fixedOf(change: Change): readonly unknown[] {
  const { task, action, cause, risk, at, wave, window, reason, group } = change;
  const { name, zone } = window ?? {};
  const what = [group, task, action, cause, risk, at.policy, at.file];
  return [...what, wave, name, zone, reason.code, reason.why];
}

function fixedText(change: Change): string {
  const fixed = fixedOf(change);
  const losers = (change.losers ?? []).map((loser) => loser.policy);
  return JSON.stringify([fixed.slice(0, 7), fixed.slice(7), losers]);
}
