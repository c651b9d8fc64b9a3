import { describe, expect, it } from 'vitest';
import { assigner } from '../../../src/rollout/progress/follow.ts';
import { anInput, begun, follow, members, POLICY } from '../../support/rollout-rig.ts';

describe('who is in which wave is worked out once', () => {
  const one = anInput({ members: members(20) });
  const input = { ...one, assign: assigner(one) };

  it('for as long as the same rollout runs', () => {
    const memory = begun(input);
    const [first, again] = [follow(input, memory), follow(input, memory)];
    expect(again.assignment).toBe(first.assignment);
  });

  it('and again where another rollout has begun, or none has any more', () => {
    const fewer = begun(anInput({ members: members(12) }));
    expect(follow(input, begun(input)).assignment.lateJoiners).toEqual([]);
    const followed = follow(input, fewer);
    expect(followed.assignment.waves.flat()).toHaveLength(12);
    expect(followed.assignment.lateJoiners).toHaveLength(8);
    expect(followed.started).toBe(fewer.rollouts?.get(POLICY));
    const rollouts = new Map();
    expect(follow(input, { ...fewer, rollouts }).assignment.waves.flat()).toHaveLength(20);
  });
});
