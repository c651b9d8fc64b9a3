import { expect, test } from 'vitest';
import { isLate } from '../../../../src/apply/send/post.ts';
import type { Ports } from '../../../../src/apply/ports.ts';

test.each([
  ['not at either instant', 100, 50, false],
  ['by the clock of the wall alone, as after a suspended machine', 101, 50, true],
  ['by the time that has passed alone, as where the clock was set back', 100, 51, true],
])('I13 a POST is late %s', (_, wall, monotonic, late) => {
  const clock = { now: () => wall, monotonic: () => monotonic } as Ports['clock'];
  expect(isLate({ clock } as Ports, { wall: 100, monotonic: 50 })).toBe(late);
});
