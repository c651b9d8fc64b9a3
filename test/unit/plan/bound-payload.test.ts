import { expect, test } from 'vitest';
import { loadTexts } from '../../../src/config/load.ts';
import { resolveDialect, type Dialect } from '../../../src/model/fleet/dialect.ts';
import { plan } from '../../../src/plan/plan.ts';
import { NOW, aDevice, aMemory, aSnapshot } from '../../support/plan-fleet.ts';
import { INPUTS } from '../../support/plan-change.ts';

/** A rotation with this payload and an upgrade, of one camera each, as they would be approved. */
function planned(payload: string, dialect: Partial<Dialect> = {}) {
  const text = `service: {baseUrl: https://api.example.com, organization: acme}
rotations:
  passwords:
    {task: rotatePassword, select: {device: [cam-1]}, generation: 2, payload: ${payload}, windows: anytime}
firmware:
  axis: {select: {device: [cam-2]}, version: 11.11.73, windows: anytime}
`;
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/fleet.yaml', text }]);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  const devices = ['cam-1', 'cam-2'].map((id) => aDevice(id, { firmwareVersion: '11.8.61' }));
  const targetFirmware = [{ version: '11.11.73', hops: ['11.11.73'] }];
  const passwords = { changedAt: NOW - 1, marker: 'old' };
  const snapshot = { ...aSnapshot(devices), facts: () => ({ targetFirmware, passwords }) };
  return plan({
    documents,
    snapshot,
    memory: aMemory(),
    now: NOW,
    dialect: { ...resolveDialect(), ...dialect },
    inputs: INPUTS,
    expiresAfter: 1,
  }).plan;
}

function bound(payload: string, dialect?: Partial<Dialect>): readonly (string | undefined)[] {
  return [...planned(payload, dialect).changes].map((change) => change.payload);
}

test('X13 a payload without members binds nothing: ids of plans are as they were', () => {
  expect(bound('{}')).toEqual([undefined, undefined]);
});

test('X13 another payload is another plan, in whichever order its members are written', () => {
  const id = planned('{account: service, length: 12}').id;
  expect(planned('{length: 12, account: service}').id).toBe(id);
  expect(planned('{account: root, length: 12}').id).not.toBe(id);
  expect(planned('{account: service}').id).not.toBe(id);
});

test('X13 of a secret the name is bound', () => {
  const [one] = bound('{password: {fromEnv: CAMERA_PASSWORD}}');
  expect(one).toBeTypeOf('string');
  expect(bound('{password: {fromEnv: OTHER_PASSWORD}}')[0]).not.toBe(one);
});

test('X13 what the dialect adds to the payload of an upgrade is bound, too', () => {
  const [, upgrade] = bound('{}', { upgradeMembers: { force: true } });
  expect(upgrade).toBeTypeOf('string');
  expect(bound('{}', { upgradeMembers: { force: false } })[1]).not.toBe(upgrade);
});
