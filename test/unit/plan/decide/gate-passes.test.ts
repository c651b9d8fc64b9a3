import { expect, test } from 'vitest';
import { loadTexts } from '../../../../src/config/load.ts';
import { createPasses } from '../../../../src/plan/decide/gate-passes.ts';
import { NOW, aDevice, aSnapshot } from '../../../support/plan-fleet.ts';

const ABOUT =
  'select: {firmwareVersion: "<12"}, task: upgradeFirmware, until: "2026-12-20T00:00:00Z", reason: r, owner: o, ticket: t';
const TEXT = `
service: {baseUrl: "https://service.test", organization: acme}
rollouts: {one: {canary: none, waves: [{name: early, percent: 10%}, {name: all, percent: 100%}]}}
exceptions:
  gate: {type: allow, allow: {gate: one/all}, ${ABOUT}}
  canary: {type: allow, allow: {skipCanary: true}, ${ABOUT}}
`;

test('M20 an exception opens no gate and skips no canary for a device that it only may select', () => {
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/a.yaml', text: TEXT }]);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  const devices = [
    { ...aDevice('old'), firmwareVersion: '11.8.61' },
    { ...aDevice('unclear'), firmwareVersion: 'custom' },
  ];
  const passesOf = createPasses({ documents, snapshot: aSnapshot(devices) }, NOW);
  const rollout = { name: 'one', task: 'upgradeFirmware' } as const;
  const { approvedBy, passes } = passesOf(rollout, () => undefined);
  expect(['old', 'unclear'].map((id) => approvedBy('all', id))).toEqual([
    'exceptions.gate',
    undefined,
  ]);
  expect(['old', 'unclear'].map((id) => passes(id).canary)).toEqual([
    'exceptions.canary',
    undefined,
  ]);
});
