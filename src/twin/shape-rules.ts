import { isObject } from './dialect/dialect.ts';

/** Returns the error of the value at a place; undefined if there is none. The type is what the value then is. */
export type Rule<T = unknown> = ((value: unknown, place: string) => string | undefined) & {
  readonly is?: T;
  /** The values that it accepts, in words. */
  readonly wanted?: string | undefined;
};

/** The type of the values that a rule accepts. */
export type Made<R> = R extends Rule<infer T> ? T : never;

export type Rules = Readonly<Record<string, Rule>>;
type Optional<S> = { [K in keyof S]: undefined extends Made<S[K]> ? K : never }[keyof S];
export type Members<S> = { [K in Exclude<keyof S, Optional<S>>]: Made<S[K]> } & {
  [K in Optional<S>]?: Exclude<Made<S[K]>, undefined>;
};

const LATEST = Date.UTC(9999, 11, 31);

export const anyText: Rule<string> = expect('a text', (value) => typeof value === 'string');

export const flag: Rule<boolean> = expect('true or false', (value) => typeof value === 'boolean');

export const number: Rule<number> = expect('a number', Number.isFinite);

export const whole: Rule<number> = expect(
  'a whole number of at least 0',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);

export const time: Rule<number> = expect(
  'milliseconds since 1970, up to the year 9999',
  (value) => Number.isFinite(value) && Math.abs(Number(value)) <= LATEST,
);

export const hex: Rule<string> = expect(
  'hexadecimal digits',
  (value) => typeof value === 'string' && /^(?:[\da-f]{2})+$/i.test(value),
);

export const anObject: Rule<Readonly<Record<string, unknown>>> = expect('an object', isObject);

export const texts = <T extends string>(): Rule<readonly T[]> =>
  list(anyText) as Rule<readonly T[]>;

export const textsByName: Rule<Record<string, string>> = (value, place) =>
  anObject(value, place) ?? list(anyText)(Object.values(Object(value)), place);

export function expect<T = never>(wanted: string, holds: (value: unknown) => boolean): Rule<T> {
  const rule = (value: unknown, place: string): string | undefined => {
    if (holds(value)) return undefined;
    return value === undefined
      ? `${place} is missing; it must be ${wanted}`
      : `${place} must be ${wanted}`;
  };
  return Object.assign(rule, { wanted });
}

export function oneOf<const T extends string | number>(...words: readonly T[]): Rule<T> {
  return expect(words.length === 1 ? String(words[0]) : `one of ${words.join(', ')}`, (value) =>
    words.some((word) => word === value),
  );
}

export function optional<T>(rule: Rule<T>): Rule<T | undefined> {
  const orAbsent: Rule<T> = (value, place) =>
    value === undefined ? undefined : rule(value, place);
  return Object.assign(orAbsent, { wanted: rule.wanted });
}

export function nullable<T>(rule: Rule<T>): Rule<T | null> {
  return (value, place) => (value === null ? undefined : rule(value, place));
}

export function list<T>(rule: Rule<T>): Rule<readonly T[]> {
  return growing(rule);
}

/** A list that changes in place. */
export function growing<T>(rule: Rule<T>): Rule<T[]> {
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

export function fields<S extends Rules>(rules: S): Rule<Members<S>> {
  return (value, place) => {
    if (!isObject(value)) return anObject(value, place || 'the world');
    for (const [key, rule] of Object.entries<Rule>(rules)) {
      const flaw = rule(value[key], place === '' ? key : `${place}.${key}`);
      if (flaw !== undefined) return flaw;
    }
    return undefined;
  };
}
