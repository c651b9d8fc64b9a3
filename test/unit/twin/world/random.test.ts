import { describe, expect, it } from 'vitest';
import { randomFrom, uuidFrom } from '../../../../src/twin/world/random.ts';

describe('seeded chance', () => {
  it('is the same for the same seed and another for another', () => {
    const draws = (seed: number) =>
      Array.from(
        { length: 5 },
        (
          (r) => () =>
            r.next()
        )(randomFrom(seed)),
      );
    expect(draws(7)).toEqual(draws(7));
    expect(draws(7)).not.toEqual(draws(8));
  });

  it('goes on from a saved state as if it had not stopped', () => {
    const first = randomFrom(7);
    first.next();
    const second = randomFrom(first.state);
    expect(second.next()).toBe(first.next());
  });

  it('stays within both ends and reaches them', () => {
    const random = randomFrom(1);
    const drawn = new Set(Array.from({ length: 200 }, () => random.between(2, 4)));
    expect([...drawn].toSorted()).toEqual([2, 3, 4]);
  });

  it('refuses to pick from nothing', () => {
    expect(() => randomFrom(1).pick([])).toThrow(RangeError);
  });

  it('makes ids that look like random UUIDs', () => {
    expect(uuidFrom(randomFrom(1))).toMatch(
      /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
  });
});
