import { expect, test } from 'vitest';
import { isAsApproved } from '../../../src/plan/approved-fields.ts';
import type { Change } from '../../../src/model/plan/change.ts';
import { aChange } from '../../support/plan-change.ts';

const APPROVED = aChange('dev-1', { window: { name: 'nights', zone: 'Europe/Berlin' } });

const OTHERS: readonly (readonly [string, Partial<Change>])[] = [
  ['what runs', { before: { firmwareVersion: '11.8.62' } }],
  ['what it becomes', { after: { firmwareVersion: '11.11.74' } }],
  ['the target', { target: '11.11.74' }],
  ['the generation', { generation: 1 }],
  ['the policy', { policy: 'firmware.other' }],
  ['the payload', { payload: 'another' }],
  ['the window', { window: { name: 'days', zone: 'Europe/Berlin' } }],
  ['the zone of the window', { window: { name: 'nights', zone: 'Europe/Warsaw' } }],
  ['that there is a zone', { window: { name: 'nights' } }],
];

test.each(OTHERS)('another approval is needed where it is another: %s', (_, fields) => {
  expect(isAsApproved(APPROVED, { ...APPROVED, ...fields })).toBe(false);
});

test('M26 a change may pass what was shown or less, never more; what a budget allows counts apart', () => {
  const freeze = { what: 'softFreeze', name: 'x-mas', rule: 'expiryGuard' } as const;
  const window = { what: 'window', name: 'nights', rule: 'expiryGuard' } as const;
  const budget = { what: 'budget', name: 'site', rule: 'exceptions.more' } as const;
  const shown = { ...APPROVED, passes: [window] };
  expect(isAsApproved(shown, APPROVED)).toBe(true);
  expect(isAsApproved(shown, { ...APPROVED, passes: [window, budget] })).toBe(true);
  expect(isAsApproved(shown, { ...APPROVED, passes: [window, freeze] })).toBe(false);
  expect(isAsApproved(shown, { ...APPROVED, passes: [{ ...window, rule: 'exceptions.e' }] })).toBe(
    false,
  );
  expect(isAsApproved(APPROVED, shown)).toBe(false);
});

const CLOCK: readonly (readonly [string, Partial<Change>])[] = [
  ['the reason', { reason: { code: 'act', why: 'nextHop' } }],
  ['the cause', { cause: 'drift' }],
  ['the wave', { wave: 'canary' }],
  ['the line of the policy', { at: { ...APPROVED.at, line: 9 } }],
];

test.each(CLOCK)('what was approved is the same where only this moved: %s', (_, fields) => {
  expect(isAsApproved(APPROVED, { ...APPROVED, ...fields })).toBe(true);
});
