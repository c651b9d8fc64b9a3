import { expect, it } from 'vitest';
import { loadTexts } from '../../../../src/config/load.ts';
import { listPolicies } from '../../../../src/model/documents/policies.ts';
import { listDefaults } from '../../../../src/plan/explain/omitted-defaults.ts';

const DOCUMENTS = `service: {baseUrl: "https://api.example.com", organization: acme}
windows: {nights: {allow: [{from: "01:00", to: "05:00"}]}}
firmware: {a: {select: {vendor: A}, minVersion: "1.0", windows: nights, priority: 4}}
rotations:
  p: {task: rotatePassword, select: {vendor: A}, windows: nights}
  q: {task: rotateSslCertificate, select: {vendor: A}, windows: nights}
  r: {task: rotateSslCertificate, select: {vendor: B}, windows: nights, renewBefore: 30d}
onboarding: {o: {select: {vendor: A}, windows: nights}}
restarts: {r: {when: {status: offline}, select: {vendor: A}, windows: nights}}
incidents:
  i:
    {rotate: password, select: {vendor: Q}, since: "2026-11-30T00:00:00Z", until: "2026-12-01T00:00:00Z",
     expect: 20, reason: r, owner: o, ticket: T-1}
`;

const RUNS = { priority: '500', rollout: 'default', generation: '1', offlineGrace: '1d' };
const CERTIFICATES = { ...RUNS, unknownAge: 'skip', expiryGuard: '3d' };

it('a policy omits fields with the defaults that documents could write', () => {
  const { documents } = loadTexts([{ path: 'fleet/a.yaml', text: DOCUMENTS }]);
  if (!documents) throw new Error('these documents have errors');
  const found = listPolicies(documents).map((entry) => [entry.value.address, listDefaults(entry)]);
  expect(Object.fromEntries(found)).toEqual({
    'firmware.a': {
      rollout: 'default',
      deferral: '0s',
      downgrade: 'forbid',
      path: 'auto',
      restAtIntermediate: 'allow',
    },
    'rotations.p': { ...RUNS, unknownAge: 'skip', maxAge: '180d', headStart: '21d', spread: '14d' },
    'rotations.q': { ...CERTIFICATES, renewBefore: '33%', spread: 'a third of the time' },
    'rotations.r': { ...CERTIFICATES, spread: '10d' },
    'onboarding.o': {
      priority: '500',
      maxPerDay: '25',
      expectWithin: '14d',
      onDuplicate: 'error',
      after: 'rotatePassword, upgradeFirmware',
    },
    'restarts.r': {
      priority: '500',
      'when.for': '20m',
      'when.excludeMaintenanceMode': 'true',
      cooldown: '6h',
      maxPerDevice: '2 per 7d',
      maxPerSite: '3 per 1h',
      correlatedOutage: '30% within 10m',
      'escalate.after': '2',
    },
    // Its priority is its `since`, which is no default.
    'incidents.i': {
      rollout: 'incidents.i',
      generation: '1',
      maxAge: 'never',
      offlineGrace: '0s',
      unknownAge: 'rotate',
    },
  });
});
