import { expect, test } from 'vitest';
import type { Change } from '../../../src/model/plan/change.ts';
import { createColumns } from '../../../src/plan/columns.ts';
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
  ['the vendor', { device: { ...aChange('dev-1').device, vendor: 'Bosch' } }],
  ['the model', { device: { ...aChange('dev-1').device, model: 'P3265-V' } }],
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
  ['the device was renamed', { device: { ...aChange('dev-1').device, name: 'renamed' } }],
  ['the device moved', { device: { ...aChange('dev-1').device, site: 'Campus Munich' } }],
];

test.each(SAME)('the plan is the same when %s', (_, fields) => {
  expect(id(fields)).toBe(id());
});

test('the order of changes and what is skipped are no part of it', () => {
  const [a, b] = [aChange('dev-1'), aChange('dev-2')];
  const skipped = aChange('dev-3', { action: 'skip' });
  expect(planId([b, skipped, a], 'here')).toBe(planId([a, b], 'here'));
});

test('devices that differ in vendor or model alone have their own texts in columns, too', () => {
  const { device } = aChange('dev-2');
  const changes = [
    aChange('dev-1'),
    aChange('dev-2', { device: { ...device, vendor: 'Bosch' } }),
    aChange('dev-3', { device: { id: 'dev-3', model: 'P3265-V' } }),
  ];
  const columns = createColumns();
  for (const change of changes) columns.add(change);
  expect(planId(columns.view(), 'here')).toBe(planId(changes, 'here'));
});
