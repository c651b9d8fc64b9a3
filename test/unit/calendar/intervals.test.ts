import { array, assert, nat, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import type { OpenSpan } from '../../../src/model/documents/window.ts';
import {
  clip,
  intersection,
  minus,
  spanAt,
  union,
  unite,
  type Instants,
} from '../../../src/calendar/intervals.ts';

/** Instants 0 to 39, some in spans that may overlap, touch, be empty and come in any order. */
const LENGTH = 40;
const spans = array(
  tuple(nat(LENGTH), nat(LENGTH)).map(([a, b]) => ({
    open: Math.min(a, b),
    close: Math.max(a, b),
  })),
  { maxLength: 6 },
);
const set = spans.map(union);

const holds = (of: readonly OpenSpan[]): readonly boolean[] =>
  Array.from({ length: LENGTH }, (_, at) => of.some(({ open, close }) => open <= at && at < close));

const isTidy = (of: Instants): boolean =>
  of.every(({ open, close }, index) => open < close && open > (of[index - 1]?.close ?? -Infinity));

test('a union holds what any of its spans holds, in order, and nothing touches', () => {
  assert(
    property(spans, (some) => {
      expect(holds(union(some))).toEqual(holds(some));
      expect(isTidy(union(some))).toBe(true);
    }),
  );
});

test('united sets hold what any of them holds', () => {
  assert(
    property(array(set, { maxLength: 4 }), (sets) => {
      expect(holds(unite(sets))).toEqual(holds(sets.flat()));
      expect(isTidy(unite(sets))).toBe(true);
    }),
  );
});

test('what is left holds what the first set holds and the second does not', () => {
  assert(
    property(set, set, (from, taken) => {
      const [first, second] = [holds(from), holds(taken)];
      expect(holds(minus(from, taken))).toEqual(first.map((is, at) => is && !second[at]));
      expect(isTidy(minus(from, taken))).toBe(true);
    }),
  );
});

test('an intersection holds what every set holds', () => {
  assert(
    property(array(set, { minLength: 1, maxLength: 4 }), (sets) => {
      const each = sets.map(holds);
      const all = Array.from({ length: LENGTH }, (_, at) => each.every((one) => one[at]));
      expect(holds(intersection(sets))).toEqual(all);
    }),
  );
});

test('an intersection of no sets is empty', () => {
  expect(intersection([])).toEqual([]);
});

test('a clip holds what lies inside', () => {
  assert(
    property(set, spans, (some, [within = { open: 3, close: 17 }]) => {
      const inside = holds([within]);
      expect(holds(clip(some, within))).toEqual(holds(some).map((is, at) => is && inside[at]));
    }),
  );
});

test('the span at an instant is the one that holds it', () => {
  assert(
    property(set, nat(LENGTH), (some, at) => {
      expect(spanAt(some, at)).toEqual(some.find(({ open, close }) => open <= at && at < close));
    }),
  );
});
