import type { WorldState } from './world/state.ts';
import { isObject } from './dialect/dialect.ts';

/** Returns the error of the value at a place; undefined if there is none. */
type Rule = (value: unknown, place: string) => string | undefined;

/** A rule for each key of a state; the compiler reports a missing one. */
type RulesOf<T> = { readonly [Key in keyof Required<T>]: Rule };

const LATEST = Date.UTC(9999, 11, 31);

export const anyText = expect('a text', (value) => typeof value === 'string');

export const flag = expect('true or false', (value) => typeof value === 'boolean');

export const number = expect('a number', (value) => Number.isFinite(value));

export const whole = expect(
  'a whole number of at least 0',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);

export const time = expect(
  'milliseconds since 1970, up to the year 9999',
  (value) => Number.isFinite(value) && Math.abs(Number(value)) <= LATEST,
);

export const hex = expect(
  'hexadecimal digits',
  (value) => typeof value === 'string' && /^(?:[\da-f]{2})+$/i.test(value),
);

export const anObject = expect('an object', isObject);

export const texts = list(anyText);

/** Finds two items with one ID, or an item at a site that does not exist. */
export function strangerIn({
  sites,
  sources,
  devices,
  discovered,
  tasks,
}: WorldState): string | undefined {
  const everybody = [...devices, ...discovered.map(({ device }) => device)];
  for (const [name, items] of Object.entries({ sites, sources, devices, tasks })) {
    const seen = new Set<unknown>();
    for (const [index, { id }] of items.entries()) {
      if (seen.has(id)) return `${name}[${index}].id is there twice`;
      seen.add(id);
    }
  }
  const places = new Set(sites.map(({ id }) => id));
  const homeless = everybody.findIndex(({ siteId }) => !places.has(siteId));
  if (homeless < 0) return undefined;
  const isManaged = homeless < devices.length;
  const index = isManaged ? homeless : homeless - devices.length;
  return `${isManaged ? `devices[${index}]` : `discovered[${index}].device`}.siteId names no site`;
}

function expect(wanted: string, holds: (value: unknown) => boolean): Rule {
  return (value, place) => {
    if (holds(value)) return undefined;
    return value === undefined
      ? `${place} is missing; it must be ${wanted}`
      : `${place} must be ${wanted}`;
  };
}

export function oneOf(...words: readonly unknown[]): Rule {
  return expect(words.length === 1 ? String(words[0]) : `one of ${words.join(', ')}`, (value) =>
    words.includes(value),
  );
}

export function optional(rule: Rule): Rule {
  return (value, place) => (value === undefined ? undefined : rule(value, place));
}

export function nullable(rule: Rule): Rule {
  return (value, place) => (value === null ? undefined : rule(value, place));
}

export function list(rule: Rule): Rule {
  const aList = expect('a list', Array.isArray);
  return (value, place) => {
    const wrong = aList(value, place);
    if (wrong !== undefined || !Array.isArray(value)) return wrong;
    for (const [index, item] of value.entries()) {
      const flaw = rule(item, `${place}[${index}]`);
      if (flaw !== undefined) return flaw;
    }
    return undefined;
  };
}

export function fields<T>(rules: RulesOf<T>): Rule {
  return (value, place) => {
    if (!isObject(value)) return anObject(value, place || 'the world');
    for (const [key, rule] of Object.entries<Rule>(rules)) {
      const flaw = rule(value[key], place === '' ? key : `${place}.${key}`);
      if (flaw !== undefined) return flaw;
    }
    return undefined;
  };
}
