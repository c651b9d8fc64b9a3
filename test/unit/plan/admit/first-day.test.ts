import { expect, test } from 'vitest';
import type { Action } from '../../../../src/model/plan/change.ts';
import type { IntentState } from '../../../../src/model/ledger/memory.ts';
import type { TaskType } from '../../../../src/model/fleet/task.ts';
import { firstDay } from '../../../../src/plan/admit/first-day.ts';
import { aChange } from '../../../support/plan-change.ts';
import { ONBOARDING } from '../../../support/plan-decide.ts';
import { NOW, aMemory, anIntent, entries, someDocuments } from '../../../support/plan-fleet.ts';

const HOUR = 3_600_000;
const AFTER = ['upgradeFirmware', 'rotatePassword'] as const;
const onboarded = (fields: Partial<IntentState> = {}) =>
  anIntent('disc-1', {
    task: 'onboardDevice',
    policy: ONBOARDING.address,
    target: 'disc-1',
    attemptedAt: NOW - 3 * HOUR,
    ...fields,
  });
const upgraded = (hours: number, fields: Partial<IntentState> = {}) =>
  anIntent('disc-1', { attemptedAt: NOW - hours * HOUR, ...fields });

interface Given {
  readonly past?: readonly IntentState[];
  readonly wanted?: Readonly<Partial<Record<TaskType, Action>>>;
}

/** What the password of the device waits for. */
function waitsFor({
  past = [onboarded()],
  wanted = { upgradeFirmware: 'run', rotatePassword: 'run' },
}: Given) {
  const documents = someDocuments({
    onboarding: entries({ hq: { ...ONBOARDING, after: AFTER } }),
  });
  const changes = Object.entries(wanted).map(([task, action]) =>
    aChange('disc-1', { id: `${task}/disc-1`, task: task as TaskType, action }),
  );
  const memory = aMemory(past);
  const counter = firstDay({ documents, memory }, changes);
  const refused = counter.refuses(aChange('disc-1', { task: 'rotatePassword' }), 0);
  return refused?.params?.['task'];
}

test('a later duty waits for an earlier one that is wanted, whether it may run now or waits', () => {
  expect(waitsFor({})).toBe('upgradeFirmware');
  expect(waitsFor({ wanted: { upgradeFirmware: 'wait' } })).toBe('upgradeFirmware');
});

test('it never waits for what nobody wants, or what cannot be done', () => {
  expect(waitsFor({ wanted: { rotatePassword: 'run' } })).toBeUndefined();
  expect(waitsFor({ wanted: { upgradeFirmware: 'skip' } })).toBeUndefined();
});

test('once done since it was onboarded, an earlier duty holds nothing up any more', () => {
  expect(waitsFor({ past: [onboarded(), upgraded(2)] })).toBeUndefined();
  expect(waitsFor({ past: [onboarded(), upgraded(4)] })).toBe('upgradeFirmware');
  expect(waitsFor({ past: [onboarded(), upgraded(2, { verdict: 'failed' })] })).toBe(
    'upgradeFirmware',
  );
});

test('only devices that this policy onboarded have an order', () => {
  expect(waitsFor({ past: [] })).toBeUndefined();
  expect(waitsFor({ past: [onboarded({ verdict: 'failed' })] })).toBeUndefined();
  expect(waitsFor({ past: [onboarded({ policy: 'onboarding.gone' })] })).toBeUndefined();
});

test('a device that has another id once it is onboarded keeps the order', () => {
  const past = [onboarded({ device: 'found-1', target: 'found-1', managedId: 'disc-1' })];
  expect(waitsFor({ past })).toBe('upgradeFirmware');
});

test('the first duty waits for none, and a task outside the list neither', () => {
  const documents = someDocuments({ onboarding: entries({ hq: { ...ONBOARDING, after: AFTER } }) });
  const changes = AFTER.map((task) => aChange('disc-1', { id: `${task}/disc-1`, task }));
  const counter = firstDay({ documents, memory: aMemory([onboarded()]) }, changes);
  expect(counter.refuses(aChange('disc-1', { task: 'upgradeFirmware' }), 0)).toBeUndefined();
  expect(counter.refuses(aChange('disc-1', { task: 'restartDevice' }), 0)).toBeUndefined();
});
