import { expect, test } from 'vitest';
import type { Change } from '../../../src/model/plan/change.ts';
import { planId } from '../../../src/plan/identify.ts';
import { aChange } from '../../support/plan-change.ts';

const id = (fields: Partial<Change> = {}) =>
  planId([aChange('dev-1', fields), aChange('dev-2')], 'here');

const CHANGED: readonly [string, Partial<Change>][] = [
  ['the task', { task: 'rotatePassword' }],
  ['the value before', { before: { firmwareVersion: '11.9.60' } }],
  ['the value after', { after: { firmwareVersion: '12.1.4' } }],
  ['the target', { target: '12.1.4' }],
  ['the generation', { generation: 1 }],
  ['the policy', { at: { ...aChange('dev-1').at, policy: 'firmware.other' } }],
  ['the payload', { payload: 'another' }],
  ['the wave', { wave: 'canary' }],
  ['the window', { window: { name: 'nights' } }],
  ['the zone of the window', { window: { name: 'anytime', zone: 'Europe/Berlin' } }],
  ['that it is wanted at all', { action: 'skip' }],
];

test('the same changes at another service are another plan: a copy of a fleet has its ids', () => {
  expect(planId([aChange('dev-1')], 'copy')).not.toBe(planId([aChange('dev-1')], 'here'));
});

test.each(CHANGED)('X13 another plan is approved when %s differs', (_, fields) => {
  expect(id(fields)).not.toBe(id());
});

const SAME: readonly [string, Partial<Change>][] = [
  ['it waits', { action: 'wait' }],
  ['the reason is another', { reason: { code: 'offline', since: 1, next: 2 } }],
  ['the cause is another', { cause: 'drift' }],
  ['the line moved', { at: { ...aChange('dev-1').at, line: 99 } }],
  ['the window opens later', { window: { name: 'anytime', opens: '2026-11-21T00:00:00Z' } }],
  ['the device was renamed', { device: { id: 'dev-1', name: 'renamed' } }],
];

test.each(SAME)('the plan is the same when %s', (_, fields) => {
  expect(id(fields)).toBe(id());
});

test('the order of changes and what is skipped are no part of it', () => {
  const [a, b] = [aChange('dev-1'), aChange('dev-2')];
  const skipped = aChange('dev-3', { action: 'skip' });
  expect(planId([b, skipped, a], 'here')).toBe(planId([a, b], 'here'));
});
