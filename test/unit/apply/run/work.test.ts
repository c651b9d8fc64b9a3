import { afterEach, describe, expect, it, vi } from 'vitest';
import { Outcomes } from '../../../../src/apply/outcomes.ts';
import { atWork } from '../../../support/last-look.ts';
import { readScenario } from '../../../support/plan-scenario.ts';

describe('the number of changes that progress expects', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each([
    ['a running task, what starts now and what follows', '10-K21-max-in-flight-of-a-rollout', 5],
    [
      'nothing that waits until a person brings a device up',
      '11-B13-maintenance-mode-waits-and-counts-as-down',
      0,
    ],
  ])('counts %s', async (_, name, count) => {
    const expectMore = vi.spyOn(Outcomes.prototype, 'expectMore');
    await atWork(readScenario(name));
    expect(expectMore).toHaveBeenLastCalledWith(count);
  });
});
