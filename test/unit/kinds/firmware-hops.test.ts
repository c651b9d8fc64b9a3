import { expect, test } from 'vitest';
import { hopsTogether } from '../../../src/kinds/firmware.ts';
import { afterHop } from '../../../src/model/plan/upgrade-path.ts';
import type { IntentState } from '../../../src/model/ledger/memory.ts';
import { intent } from '../../support/kinds-case.ts';

const FORBID = { restAtIntermediate: 'forbid' } as const;
const WAY = {
  running: { vendor: 'Axis', firmwareVersion: '10.12.236' },
  hops: ['11.8.61', '11.11.73'],
  begun: false,
};
const TO_HERE: Partial<IntentState> = { target: '10.12.236', towards: '11.11.73' };

test('what is between the next hop and the version in the end is named', () => {
  expect(afterHop(['3'])).toEqual({ firmwareVersion: '3' });
  expect(afterHop(['2', '3'])).toEqual({ firmwareVersion: '2', finalVersion: '3' });
  expect(afterHop(['0', '1', '2', '3'])).toEqual({
    firmwareVersion: '0',
    via: '1, 2',
    finalVersion: '3',
  });
});

test.each<readonly [string, readonly Partial<IntentState>[], number | undefined]>([
  ['at the begin of its way', [], 2],
  ['where our last hop brought it', [TO_HERE], undefined],
  ['there, in another spelling', [{ ...TO_HERE, target: '10.12.236.0' }], undefined],
  [
    'there, though the next hop failed',
    [TO_HERE, { target: '11.8.61', verdict: 'failed' }],
    undefined,
  ],
  ['there, before it was verified', [{ ...TO_HERE, verdict: 'unverified' }], undefined],
  ['at what was its target once', [{ target: '10.12.236' }], 2],
  ['at a hop that it left since', [TO_HERE, { target: '11.11.73' }], 2],
  ['elsewhere, as the hop failed', [{ ...TO_HERE, target: '10.9', verdict: 'failed' }], 2],
])('a device %s', (_where, past, together) => {
  const found = hopsTogether(
    FORBID,
    WAY,
    past.map((fields) => intent(fields)),
  );
  expect(found.together).toBe(together);
});

test.each([
  ['the policy lets it rest', { restAtIntermediate: 'allow' } as const, WAY],
  ['one hop is left', FORBID, { ...WAY, hops: ['11.11.73'] }],
  ['the service counts its version among the hops', FORBID, { ...WAY, begun: true }],
])('no more than the next hop has to fit where %s', (_why, policy, way) => {
  expect(hopsTogether(policy, way, [])).toEqual({});
});
