import { isObject } from './objects.ts';
import { parseInstant } from './time.ts';

/** Whether a value that was read is valid for its field, which then has this type. */
export type Check<T> = (value: unknown) => value is T;
export type Shape = Readonly<Record<string, Check<unknown>>>;

/** The type of values that a check or a shape accepts; a field that is optional may be absent. */
export type Checked<C> = C extends Check<infer T> ? T : never;
export type Shaped<S> = Flat<
  { readonly [K in Exclude<keyof S, Optional<S>>]: Checked<S[K]> } & {
    readonly [K in Optional<S>]?: Exclude<Checked<S[K]>, undefined>;
  }
>;
type Optional<S> = { [K in keyof S]: undefined extends Checked<S[K]> ? K : never }[keyof S];
type Flat<T> = { [K in keyof T]: T[K] };

export const text: Check<string> = (value) => typeof value === 'string';
export const flag: Check<boolean> = (value) => typeof value === 'boolean';
export const yes: Check<true> = (value) => value === true;
export const instant: Check<string> = (value): value is string =>
  text(value) && parseInstant(value) !== undefined;
export const amount: Check<number> = (value): value is number =>
  typeof value === 'number' && value >= 0;
export const whole: Check<number> = (value): value is number =>
  Number.isSafeInteger(value) && amount(value);
export const number: Check<number> = (value): value is number => Number.isFinite(value);
export const integer: Check<number> = (value): value is number => Number.isSafeInteger(value);
/** A word of ours; another version may have more, so that any text passes. */
export const word = <T extends string>(): Check<T> => text as Check<T>;

export const oneOf =
  <T extends string>(...words: readonly T[]): Check<T> =>
  (value): value is T =>
    words.some((each) => each === value);

export const optional =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || check(value);

export const listOf =
  <T>(check: Check<T>): Check<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) && value.every(check);

export const allOf =
  <T>(check: Check<T>): Check<Readonly<Record<string, T>>> =>
  (value): value is Readonly<Record<string, T>> =>
    isObject(value) && Object.values(value).every(check);

export const counts = allOf(whole);

export const either =
  <A, B>(one: Check<A>, other: Check<B>): Check<A | B> =>
  (value): value is A | B =>
    one(value) || other(value);

export const pair: Check<readonly [string, string]> = (value): value is readonly [string, string] =>
  listOf(text)(value) && value.length === 2;

export const shaped =
  <S extends Shape>(shape: S): Check<Shaped<S>> =>
  (value): value is Shaped<S> =>
    wrongField(value, shape) === undefined;

/** The first invalid field of a value; the empty text if the value is not an object. */
export function wrongField(value: unknown, shape: Shape): string | undefined {
  if (!isObject(value)) return '';
  return Object.keys(shape).find((field) => shape[field]?.(value[field]) !== true);
}
