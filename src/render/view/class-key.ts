import { passedKey, type Change, type Values } from '../../model/plan/change.ts';
import type { At } from '../../model/documents/source.ts';
import { computeOnce } from '../../lib/compute-once.ts';
import { parseInstant } from '../../lib/time.ts';

type Value = Values[string];

/** With more distinct values of a field in one group, the class shows their range. */
const DISTINCT_VALUES = 20;

/** The parts of a change that contain fields. */
const PARTS = ['before', 'after', 'params'] as const;
type Part = (typeof PARTS)[number];

/** Receives each field that may differ between devices of one class. */
type Visit = (name: string, value: Value) => void;

/** Full names of fields, built once each: `before.firmwareVersion`. */
const NAMES: Readonly<Record<Part, Map<string, string>>> = {
  before: new Map(),
  after: new Map(),
  params: new Map(),
};

/** Visits every such field of a change by its full name, always in one order. */
export function eachFacet({ before, after, reason }: Change, visit: Visit): void {
  visitValues('before', before, visit);
  visitValues('after', after, visit);
  if (reason.params) visitValues('params', reason.params, visit);
}

function visitValues(part: Part, values: Values, visit: Visit): void {
  for (const field of Object.keys(values)) visit(facetName(part, field), values[field] ?? null);
}

function facetName(part: Part, field: string): string {
  const known = NAMES[part].get(field);
  if (known !== undefined) return known;
  const name = `${part}.${field}`;
  NAMES[part].set(field, name);
  return name;
}

/** The identity of a class: equal changes share one key object. */
export interface ClassKey {
  /** Sorts the classes, the same for equal plans. */
  readonly text: string;
}

/** A step in the lookup from the fields of a change to its group or its class. */
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

/** Changes with equal fixed parts; each field keeps up to `DISTINCT_VALUES` values. */
interface Group {
  readonly fixed: string;
  /** The value in a key for each value of a field; `many` if there are too many. */
  readonly byField: Map<string, Map<Value, Value> | 'many'>;
  readonly classes: Step<ClassKey>;
}

/**
 * Returns a function from a change to the key of its class. Walks the changes once to find the
 * fields with too many values for classes; it builds a text for each class only.
 */
export function classKeys(changes: Iterable<Change>): (change: Change) => ClassKey {
  const groups = new Step<Group>();
  // Changes of a plan share their lists of losers, which are long where there are many policies.
  const losersText = computeOnce((losers: readonly At[]) =>
    losers.map(({ policy }) => policy).join('\n'),
  );
  const groupOf = (change: Change): Group =>
    findGroup(groups, change, change.losers ? losersText(change.losers) : '');
  for (const change of changes) {
    const { byField } = groupOf(change);
    eachFacet(change, (name, value) => learn(byField, name, value));
  }
  return (change) => findClassKey(groupOf(change), change);
}

function learn(byField: Group['byField'], name: string, value: Value): void {
  const known = byField.get(name);
  if (known === 'many' || known?.has(value)) return;
  const values = known ?? new Map<Value, Value>();
  values.set(value, isOwn(name, value) ? '' : value);
  byField.set(name, values.size > DISTINCT_VALUES ? 'many' : values);
}

function findClassKey({ fixed, byField, classes }: Group, change: Change): ClassKey {
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

/** Instants, fingerprints and numbers in reasons differ by device and never form a class. */
function isOwn(name: string, value: Value): boolean {
  if (typeof value === 'number') return name.startsWith('params.');
  if (typeof value !== 'string') return false;
  return parseInstant(value) !== undefined || /^[\da-f:]{32,}$/i.test(value);
}

function findGroup(groups: Step<Group>, change: Change, losers: string): Group {
  let step = groups;
  for (const field of fixedFacets(change)) step = step.to(field);
  step = step.to(losers);
  step.end ??= { fixed: fixedText(change), byField: new Map(), classes: new Step() };
  return step.end;
}

function fixedFacets(change: Change): readonly unknown[] {
  const { task, action, cause, risk, at, wave, window, reason, group, passes } = change;
  const { name, zone } = window ?? {};
  const what = [group, task, action, cause, risk, at.policy, at.file];
  const passed = passes?.map(passedKey).join('\t');
  return [...what, wave, name, zone, reason.code, reason.why, passed];
}

function fixedText(change: Change): string {
  const fixed = fixedFacets(change);
  const losers = (change.losers ?? []).map((loser) => loser.policy);
  return JSON.stringify([fixed.slice(0, 7), fixed.slice(7), losers]);
}
