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

const CLOCK: readonly (readonly [string, Partial<Change>])[] = [
  ['the reason', { reason: { code: 'act', why: 'nextHop' } }],
  ['the cause', { cause: 'drift' }],
  ['the wave', { wave: 'canary' }],
  ['the line of the policy', { at: { ...APPROVED.at, line: 9 } }],
];

test.each(CLOCK)('what was approved is the same where only this moved: %s', (_, fields) => {
  expect(isAsApproved(APPROVED, { ...APPROVED, ...fields })).toBe(true);
});
