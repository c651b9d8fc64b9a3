import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedEntries, Layered } from '../../../src/lib/layered.ts';

const key = fc.nat(900).map(String);
const steps = fc.array(
  fc.array(
    fc.tuple(
      key,
      fc.nat().map((n) => ({ n })),
    ),
    { maxLength: 300 },
  ),
  {
    maxLength: 8,
  },
);

test('answers as a map that everything was set in', () => {
  fc.assert(
    fc.property(steps, (steps) => {
      const plain = new Map(steps.flat());
      const layered = steps.reduce(
        (map, step) => map.with(new Map(step)),
        new Layered<{ n: number }>(),
      );
      expect(new Map(layered)).toEqual(plain);
      expect(layered.size).toBe(plain.size);
      expect([...layered.keys()]).toEqual([...plain.keys()]);
      expect([...layered.values()]).toEqual([...plain.values()]);
      for (const [key, value] of plain)
        expect([layered.has(key), layered.get(key)]).toEqual([true, value]);
      expect([layered.has('no'), layered.get('no')]).toEqual([false, undefined]);
    }),
    { numRuns: 50 },
  );
});

test('adding leaves the map before as it was', () => {
  const before = new Layered(new Map([['a', { n: 1 }]]));
  const after = before.with(
    new Map([
      ['a', { n: 2 }],
      ['b', { n: 3 }],
    ]),
  );
  expect([[...before], [...after]]).toEqual([
    [['a', { n: 1 }]],
    [
      ['a', { n: 2 }],
      ['b', { n: 3 }],
    ],
  ]);
});

test('adding nothing gives the same map', () => {
  const map = new Layered(new Map([['a', { n: 1 }]]));
  expect(map.with(new Map())).toBe(map);
});

test('forEach visits in order', () => {
  const seen: string[] = [];
  new Layered(new Map([['a', { n: 1 }]]), new Map([['b', { n: 2 }]])).forEach(({ n }, key) =>
    seen.push(`${key}${n}`),
  );
  expect(seen).toEqual(['a1', 'b2']);
});

test('what changed since an earlier map is what differs, whatever lies between', () => {
  fc.assert(
    fc.property(steps, fc.nat(8), fc.boolean(), (steps, from, isPlain) => {
      const maps = [new Layered<{ n: number }>()];
      for (const step of steps) maps.push((maps.at(-1) ?? new Layered()).with(new Map(step)));
      const before = maps[Math.min(from, maps.length - 1)] ?? new Layered();
      const after = maps.at(-1) ?? before;
      const changed = new Map(changedEntries(before, isPlain ? new Map(after) : after));
      const expected = [...after].filter(([key, value]) => before.get(key) !== value);
      expect(changed).toEqual(new Map(expected));
    }),
    { numRuns: 50 },
  );
});

test('a merge does not cost a comparison of everything', () => {
  const of = (from: number, to: number) =>
    new Map(Array.from({ length: to - from }, (_, at) => [String(from + at), { n: at }]));
  const before = new Layered(of(0, 500));
  const after = before.with(of(450, 1_000)).with(of(990, 1_010));
  const changed = after.changedSince(before) ?? [];
  expect(new Map(changed)).toEqual(new Map([...of(450, 1_000), ...of(990, 1_010)]));
  expect(changed).toHaveLength(560);
  const later = after.with(of(2_000, 2_600));
  expect(later.changedSince(after)).toHaveLength(600);
  expect(later.changedSince(before)).toBeUndefined();
});

test('a key that is gone has changed', () => {
  const base = new Map([['a', { n: 1 }]]);
  const more = new Layered(base).with(new Map([['b', { n: 2 }]]));
  expect(changedEntries(more, new Layered(base))).toEqual([['b', { n: 2 }]]);
  expect(changedEntries(more, new Map(base))).toEqual([['b', { n: 2 }]]);
});
