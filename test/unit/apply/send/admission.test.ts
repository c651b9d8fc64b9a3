import { expect, it, vi } from 'vitest';
import { chooseBatch } from '../../../../src/apply/send/admission.ts';
import { batchGroup } from '../../../../src/plan/admit/batch.ts';
import { atWork } from '../../../support/last-look.ts';
import { scenarios } from '../../../support/plan-scenario.ts';

const GROUPED = scenarios().find(({ name }) => name.startsWith('61-B5-'));

it('a batch judges the window of each candidate once, whatever its size', async () => {
  if (!GROUPED) throw new Error('no such scenario');
  const { run, candidates } = await atWork(GROUPED);
  const [first] = candidates;
  const group = candidates.filter((one) => first && batchGroup(one) === batchGroup(first));
  const looked = vi.spyOn(run.reading, 'deviceOf');
  const { batch } = chooseBatch(run, new Map(), { candidates: group, most: Infinity });
  const callsFor = (id: string): number => looked.mock.calls.filter(([of]) => of === id).length;
  const counts = new Set(batch.map(({ change }) => callsFor(change.device.id)));
  expect(batch.length).toBeGreaterThan(4);
  expect([...counts]).toEqual([expect.any(Number)]);
});
