import { describe, expect, test } from 'vitest';
import { asksToLift } from '../../../src/cli/lift.ts';

describe('letting a paused rollout go on', () => {
  test('is asked for with a ticket and a reason', () => {
    expect(asksToLift({ ticket: 'CHG-1', reason: 'looked at it' })).toBe(true);
    expect(asksToLift({})).toBe(false);
  });

  test.each([
    ['a ticket alone', { ticket: 'CHG-1' }],
    ['a reason alone', { reason: 'looked at it' }],
    ['an empty ticket', { ticket: ' ', reason: 'looked at it' }],
    ['a rollout alone', { rollout: 'careful' }],
  ])('needs more than %s', (_, flags) => {
    expect(() => asksToLift(flags)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});
