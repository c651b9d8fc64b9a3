import { expect, test } from 'vitest';
import type { Reason } from '../../../../src/model/plan/reason.ts';
import type { ChangeClass } from '../../../../src/render/view/classes.ts';
import { foldRuns } from '../../../../src/render/view/runs.ts';
import type { PlanView } from '../../../../src/render/view/view.ts';

const POLICY = 'incidents.leak';

function waiting(count: number, reason: Reason): ChangeClass {
  const at = { policy: POLICY, file: 'fleet/a.yaml', line: 1, column: 1 };
  const shown = { before: {}, after: {}, sites: [], devices: [] };
  const task = 'rotatePassword';
  return { action: 'wait', task, at, wave: 'rest', count, reason, ...shown } as never;
}

test('N58 a hold and a hard freeze have lines of their own in a wave that is not open', () => {
  const view = {
    review: { policies: [{ policy: POLICY }] },
    classes: [
      waiting(300, { code: 'waveNotOpen', next: 5 }),
      waiting(2, { code: 'gatePending', next: 6 }),
      waiting(110, { code: 'hold', next: 90 }),
      waiting(70, { code: 'frozenHard', next: 80 }),
    ],
    waves: [{ policy: POLICY, name: 'rest', after: 'trial', devices: 482 }],
  } as unknown as PlanView;
  const [run] = foldRuns(view);
  expect(
    run?.lines.map(({ count, shut, largest }) => [count, shut?.name, largest.reason.code]),
  ).toEqual([
    [302, 'rest', 'waveNotOpen'],
    [70, undefined, 'frozenHard'],
    [110, undefined, 'hold'],
  ]);
});

test('what only its own device keeps in a wave that is not open says so, where no other waits for the wave', () => {
  const maintenance = waiting(1, { code: 'busy', why: 'maintenanceMode' });
  const shown = (classes: readonly ChangeClass[]) => {
    const waves = [{ policy: POLICY, name: 'rest', after: 'trial', devices: 2 }];
    const view = { review: { policies: [{ policy: POLICY }] }, classes, waves };
    const [run] = foldRuns(view as unknown as PlanView);
    return run?.lines.map(({ count, shut }) => [count, shut?.name]);
  };
  expect(shown([maintenance])).toEqual([[1, undefined]]);
  expect(shown([maintenance, waiting(3, { code: 'waveNotOpen' })])).toEqual([[4, 'rest']]);
});
