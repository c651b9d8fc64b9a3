import { expect, it } from 'vitest';
import { findDevice } from '../../../../src/plan/explain/find-device.ts';
import { device, snapshotOf } from '../../../support/desired-documents.ts';

const FLEET = snapshotOf(
  [
    device('d1', { name: 'lobby' }),
    device('d2', { name: 'lobby' }),
    device('d3', { name: 'hall' }),
  ],
  { discovered: [{ id: 'new-1', name: 'gate' }] },
);
const notD1 = (id: string): boolean => id !== 'd1';

it.each([
  ['d1', 'd1'],
  ['new-1', 'new-1'],
  ['hall', 'd3'],
  ['gate', 'new-1'],
])('finds %s', (text, id) => {
  expect(findDevice(FLEET, text)).toBe(id);
});

it('finds the only device of a name in the part', () => {
  expect(findDevice(FLEET, 'lobby', notD1)).toBe('d2');
});

it.each([
  ['lobby', undefined, { matches: 2, ids: 'd1, d2' }],
  ['nothing', undefined, { missing: 'nothing' }],
  ['d1', notD1, { outside: 1, outsideIds: 'd1' }],
  ['lobby', () => false, { outside: 2, outsideIds: 'd1, d2' }],
])('does not take %s', (text, isInPart, params) => {
  const refused = expect.objectContaining({
    code: 'deviceUnknown',
    params: { device: text, ...params },
  }) as Error;
  expect(() => findDevice(FLEET, text, isInPart)).toThrow(refused);
});
