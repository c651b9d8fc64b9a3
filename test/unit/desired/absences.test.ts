import { expect, it } from 'vitest';
import { desire } from '../../../src/desired/desire.ts';
import type { FirmwarePolicy } from '../../../src/model/documents/policy.ts';
import {
  device,
  documentsOf,
  firmware,
  hold,
  NOW,
  onboarding,
  rotation,
  snapshotOf,
} from '../../support/desired-documents.ts';

const SNAPSHOT = snapshotOf(
  [
    device('dev-1', {
      name: 'lobby-1',
      vendor: 'Axis',
      firmwareVersion: 'MX-V7.4',
      sites: ['HQ Berlin'],
    }),
  ],
  {
    sites: [{ id: '7', name: 'Lager' }],
    discovered: [{ id: 'disc-1', vendor: 'Bosch' }],
  },
);

const NOBODY = { vendor: ['Acme'] };

function warnings(written: Parameters<typeof documentsOf>[0]): readonly unknown[] {
  const documents = documentsOf(written);
  const { diagnostics } = desire({ documents, snapshot: SNAPSHOT, now: NOW });
  return diagnostics.map(({ code, severity, params }) => ({ code, severity, ...params }));
}

const idle = (policy: string): unknown => ({ code: 'selectsNothing', severity: 'warning', policy });

it.each([
  ['policy', { firmware: [firmware('x', { select: NOBODY })] }, 'firmware.x'],
  ['rotation', { rotations: [rotation('x', { select: NOBODY })] }, 'rotations.x'],
  ['onboarding', { onboarding: [onboarding('x', { select: NOBODY })] }, 'onboarding.x'],
  ['group', { groups: { x: { is: 'select', select: NOBODY } } }, 'groups.x'],
  ['budget', { budgets: { x: NOBODY } }, 'budgets.x'],
  ['exception', { exceptions: { x: hold('hold', { select: NOBODY }) } }, 'exceptions.x'],
] as const)('a %s that selects nothing is a warning', (_, written, address) => {
  expect(warnings(written)).toEqual([idle(address)]);
});

it.each([
  ['vendor', { vendor: ['axis'] }, 'axis', 'Axis'],
  ['vendor of a list', { vendor: ['Acme', 'AX*'] }, 'AX*', 'Axis'],
  ['name', { name: ['Lobby-?'] }, 'Lobby-?', 'lobby-1'],
  ['site', { site: { name: ['hq *'] } }, 'hq *', 'HQ Berlin'],
] as const)(
  'D6 a %s that misses in case only is told what was meant',
  (_, select, written, suggestion) => {
    const said = warnings({ firmware: [firmware('x', { select })] });
    expect(said).toEqual([{ ...(idle('firmware.x') as object), written, suggestion }]);
  },
);

it.each([
  ['vendor', { vendor: ['Axsi'] }, 'Axis'],
  ['site', { site: { name: ['HQ Belrin'] } }, 'HQ Berlin'],
  ['site without devices', { site: { name: ['Lagre'] } }, 'Lager'],
] as const)('a misspelt %s of a selector that selects nothing is told the near name', (...row) => {
  const [, select, suggestion] = row;
  const said = warnings({ firmware: [firmware('x', { select })] });
  expect(said).toEqual([{ ...(idle('firmware.x') as object), suggestion }]);
});

it('a site that is there and has no devices is not taken for another', () => {
  const select = { site: { name: ['Lager'] } };
  expect(warnings({ firmware: [firmware('x', { select })] })).toEqual([idle('firmware.x')]);
});

it('nothing is guessed where another key is to blame', () => {
  const select = { vendor: ['Axis'], model: ['Acme'] };
  expect(warnings({ firmware: [firmware('x', { select })] })).toEqual([idle('firmware.x')]);
});

it('what selects something, here or among the discovered, is none', () => {
  const select = { vendor: ['Bosch'] };
  expect(
    warnings({
      firmware: [firmware('all')],
      onboarding: [onboarding('all', { select }), onboarding('listed')],
      exceptions: {
        a: hold('hold', { select, tasks: ['onboardDevice'] }),
        b: hold('hold', { select: { device: ['dev-1'] } }),
      },
      groups: { all: { is: 'select', select: { device: ['*'] } } },
      budgets: { all: { group: ['all'] } },
    }),
  ).toEqual([]);
});

it('D7 a site that the service does not show is a warning with the nearest name', () => {
  expect(warnings({ sites: { 'HQ Berlin': [], '7': [], 'HQ Belrin': [], Depot: [] } })).toEqual([
    { code: 'siteUnknown', severity: 'warning', name: 'HQ Belrin', suggestion: 'HQ Berlin' },
    { code: 'siteUnknown', severity: 'warning', name: 'Depot' },
  ]);
});

it('an id in a group that is not in service is a warning; a name is answered with its id', () => {
  const devices = ['dev-1', 'dev-2', 'lobby-1'];
  expect(warnings({ groups: { door: { is: 'devices', devices } } })).toEqual([
    { code: 'deviceUnknown', severity: 'warning', device: 'dev-2' },
    { code: 'deviceUnknown', severity: 'warning', device: 'lobby-1', suggestion: 'dev-1' },
  ]);
});

it('selectors that match nothing are all reported, and the first of many get suggestions', () => {
  const devices = Array.from({ length: 3_000 }, (_, at) =>
    device(`dev-${at}`, { name: `cam-${at}` }),
  );
  const policies = Array.from({ length: 100 }, (_, at) =>
    firmware(`p-${at}`, { select: { name: [`cmm-${at}`] }, priority: at }),
  );
  const documents = documentsOf({ firmware: policies });
  const { diagnostics } = desire({ documents, snapshot: snapshotOf(devices), now: NOW });
  const suggested = diagnostics.map(({ params }) => 'suggestion' in params);
  expect(suggested).toHaveLength(100);
  expect([suggested[0], suggested[99]]).toEqual([true, false]);
});

it('D7 what protects is an error also where selectors that match nothing have used up the suggestions', () => {
  const devices = Array.from({ length: 3_000 }, (_, at) =>
    device(`dev-${at}`, { name: `cam-${at}` }),
  );
  const policies = Array.from({ length: 100 }, (_, at) =>
    firmware(`p-${at}`, { select: { name: [`cmm-${at}`] }, priority: at }),
  );
  const documents = documentsOf({
    firmware: policies,
    exceptions: { x: hold('hold', { select: { name: ['cmm-7'] } }) },
  });
  const { diagnostics } = desire({ documents, snapshot: snapshotOf(devices), now: NOW });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
    { code: 'selectsNothing', params: { policy: 'exceptions.x', suggestion: 'cam-7' } },
  ]);
});

it.each([
  [
    'site',
    { site: { name: ['HQ Berlin', 'HQ Berln'] } },
    { code: 'nameNotShown', protects: 'exceptions.x' },
  ],
  [
    'vendor in the wrong case',
    { vendor: ['axis'] },
    { code: 'selectsNothing', suggestion: 'Axis' },
  ],
  ['vendor that nothing has', NOBODY, { code: 'selectsNothing', severity: 'warning' }],
  [
    'ID in the wrong case',
    { device: ['dev-1', 'DEV-1'] },
    { code: 'deviceUnknown', suggestion: 'dev-1' },
  ],
  [
    'ID that is gone',
    { device: ['dev-1', 'dev-9'] },
    { code: 'deviceUnknown', severity: 'warning' },
  ],
  ['name that is gone', { name: ['lobby-1', 'door'] }, { code: 'nameNotShown', written: 'door' }],
  ['vendor beside one', { vendor: ['Axis', 'Acme'] }, { code: 'nameNotShown', written: 'Acme' }],
] as const)('D7 what protects names a %s', (_, select, found) => {
  for (const type of ['hold', 'exclude'] as const) {
    const said = warnings({ exceptions: { x: hold(type, { select }) } });
    expect(said).toMatchObject([{ severity: 'error', ...found }]);
  }
});

const HQ = { site: { name: ['HQ Berlin', 'Zentrale'] } };
const open = (severity: string, more: object = {}): object => ({
  code: 'nameNotShown',
  severity,
  what: 'site',
  written: 'Zentrale',
  ...more,
});
const policyOf = (select: FirmwarePolicy['select'], rollout = 'default') => ({
  firmware: [firmware('x', { select, rollout })],
});

it.each([
  ['a budget', { budgets: { x: HQ } }, { protects: 'budgets.x' }],
  [
    'a redundancy group',
    { groups: { x: { is: 'select', select: HQ, redundancy: true } } },
    { protects: 'groups.x' },
  ],
  [
    'a group in the `not` of a policy',
    { ...policyOf({ not: { group: ['x'] } }), groups: { x: { is: 'select', select: HQ } } },
    { policy: 'firmware.x' },
  ],
  [
    'a redundancy group that lists its devices',
    { groups: { x: { is: 'devices', devices: ['DEV-1'], redundancy: true } } },
    { code: 'deviceUnknown', device: 'DEV-1', suggestion: 'dev-1', protects: 'groups.x' },
  ],
  [
    'a group that two policies leave out',
    {
      firmware: ['x', 'y'].map((name) => firmware(name, { select: { not: { group: ['x'] } } })),
      groups: { x: { is: 'select', select: HQ } },
    },
    { protects: 'firmware.y' },
  ],
  ['a wave', { ...policyOf({}, 'tried'), rollouts: { tried: HQ } }, { rollout: 'tried' }],
  [
    'what a wave leaves out',
    { ...policyOf({}, 'tried'), rollouts: { tried: { not: HQ } } },
    { rollout: 'tried' },
  ],
  [
    'a group of a wave',
    {
      ...policyOf({}, 'tried'),
      rollouts: { tried: { group: ['x'] } },
      groups: { x: { is: 'select', select: HQ } },
    },
    { rollout: 'tried' },
  ],
  [
    'a group that an exception holds',
    {
      groups: { x: { is: 'select', select: HQ } },
      exceptions: { hold: hold('hold', { select: { group: ['x'] } }) },
    },
    { protects: 'exceptions.hold' },
  ],
  [
    'the `not` of a group that a policy selects',
    {
      ...policyOf({ group: ['x'] }),
      groups: { x: { is: 'select', select: { vendor: ['Axis'], not: HQ } } },
    },
    { policy: 'firmware.x' },
  ],
] as const)(
  'D7 %s keeps devices from tasks: a site in it that is gone is an error',
  (_, written, protector) => {
    const found =
      'code' in protector ? { severity: 'error', ...protector } : open('error', protector);
    expect(warnings(written)).toContainEqual(found);
  },
);

it.each([
  ['what a policy selects', policyOf(HQ)],
  [
    'what a hold leaves out',
    { exceptions: { x: hold('hold', { select: { vendor: ['Axis'], not: HQ } }) } },
  ],
  [
    'a group that a policy selects',
    { ...policyOf({ group: ['x'] }), groups: { x: { is: 'select', select: HQ } } },
  ],
  ['a group that nothing names', { groups: { x: { is: 'select', select: HQ } } }],
] as const)('D7 %s only gets less: a site in it that is gone is a warning', (_, written) => {
  expect(warnings(written)).toContainEqual(open('warning'));
});

it('D7 what a policy leaves out by a site that is gone is an error of that policy', () => {
  expect(warnings(policyOf({ not: HQ }))).toContainEqual(open('error', { policy: 'firmware.x' }));
});

it('D7 an ID in the wrong case under the `not` of a policy is an error of that policy', () => {
  const not = { device: ['DEV-1', 'dev-9'] };
  const budgets = { x: { device: ['DEV-1', 'dev-1'] } };
  const error = { code: 'deviceUnknown', severity: 'error', device: 'DEV-1', suggestion: 'dev-1' };
  expect(warnings({ ...policyOf({ not }), budgets })).toEqual([
    { ...error, policy: 'firmware.x' },
    { code: 'deviceUnknown', severity: 'warning', device: 'dev-9' },
    { ...error, protects: 'budgets.x' },
  ]);
});

it('D7 a pattern in a group that is held is an error, also where a wave names the group', () => {
  const exceptions = { hold: hold('hold', { select: { group: ['x'] } }) };
  const groups = { x: { is: 'select' as const, select: { site: { name: ['Test*'] } } } };
  const said = warnings({
    ...policyOf({}, 'tried'),
    rollouts: { tried: { group: ['x'] } },
    groups,
    exceptions,
  });
  expect(said).toContainEqual(open('error', { written: 'Test*', protects: 'exceptions.hold' }));
});

it('D7 a pattern in the `not` of a policy may be about sites to come', () => {
  const select = { not: { site: { name: ['Test*'] } } };
  expect(warnings(policyOf(select))).toEqual([open('warning', { written: 'Test*' })]);
});

it.each([
  ['a policy leaves out', policyOf({ not: { site: { name: ['hq*'] } } }), { policy: 'firmware.x' }],
  [
    'a wave leaves out',
    { ...policyOf({}, 'tried'), rollouts: { tried: { not: { site: { name: ['hq*'] } } } } },
    { rollout: 'tried' },
  ],
  [
    'a budget counts beside others',
    { budgets: { x: { site: { name: ['hq*', 'HQ B*'] } } } },
    { protects: 'budgets.x' },
  ],
] as const)('D7 a pattern of sites in the wrong case is an error in what %s', (_, written, by) => {
  const said = { written: 'hq*', suggestion: 'HQ Berlin', ...by };
  expect(warnings(written)).toContainEqual(open('error', said));
});

it('D7 the entry of a site that is gone is an error if its tag keeps devices from tasks', () => {
  const sites = { Zentrale: ['retail'], Lager: [] };
  const gone = { code: 'siteUnknown', severity: 'error', name: 'Zentrale' };
  const tagged = { site: { tag: ['ret*'] } };
  expect(warnings({ sites, ...policyOf({ not: tagged }) })).toContainEqual({
    ...gone,
    policy: 'firmware.x',
  });
  expect(warnings({ sites, ...policyOf(tagged) })).toContainEqual({ ...gone, severity: 'warning' });
});

const heldGroup = (devices: readonly string[]) => ({
  groups: { x: { is: 'devices' as const, devices } },
  exceptions: { hold: hold('hold', { select: { group: ['x'] } }) },
});

it.each([
  ['an ID in the wrong case', 'DEV-1'],
  ['the name of a device', 'lobby-1'],
] as const)('D7 %s in the list of a group that is held is an error', (_, written) => {
  expect(warnings(heldGroup([written]))).toContainEqual({
    code: 'deviceUnknown',
    severity: 'error',
    device: written,
    suggestion: 'dev-1',
    protects: 'exceptions.hold',
  });
});

it.each([
  ['vendor', { vendor: ['Bosch', 'axis'] }, 'axis', 'vendor', 'Axis'],
  ['name', { name: ['other', 'Lobby-1'] }, 'Lobby-1', 'device', 'lobby-1'],
  ['pattern of names', { name: ['LOBBY-*'] }, 'LOBBY-*', 'device', 'lobby-1'],
  ['version', { firmwareVersion: ['9.1', 'mx-v7*'] }, 'mx-v7*', 'firmware version', 'MX-V7.4'],
] as const)('D7 a %s in the wrong case is an error in what keeps devices', (...row) => {
  const [, not, written, what, suggestion] = row;
  const found = { code: 'nameNotShown', severity: 'error', what, written, suggestion };
  expect(warnings(policyOf({ not }))).toContainEqual({ ...found, policy: 'firmware.x' });
  const kept = hold('hold', { select: { device: ['dev-1'], not } });
  expect(warnings({ exceptions: { kept } })).toEqual([]);
});

it('D7 what an exception that opens something leaves out is kept from tasks', () => {
  const allow = {
    ...hold('hold', { select: { vendor: ['Axis'], not: HQ } }),
    type: 'expedite',
  } as never;
  expect(warnings({ exceptions: { x: allow } })).toContainEqual(
    open('error', { protects: 'exceptions.x' }),
  );
});

it('D7 a tag that no site has is an error in what keeps devices; elsewhere one that is nearly another a warning', () => {
  const sites = { 'HQ Berlin': ['retail'] };
  const not = { site: { tag: ['Retail', 'retial', 'other'] } };
  const unknown = (severity: string, written: string, more: object): object => ({
    code: 'tagUnknown',
    severity,
    written,
    ...more,
  });
  const retail = { suggestion: 'retail' };
  const policy = { policy: 'firmware.x' };
  expect(warnings({ sites, ...policyOf({ not }) })).toEqual([
    unknown('error', 'Retail', { ...policy, ...retail }),
    unknown('error', 'retial', { ...policy, ...retail }),
    unknown('error', 'other', policy),
  ]);
  const select = { site: not.site, device: ['dev-1'] };
  expect(warnings({ sites, ...policyOf(select) }).slice(1)).toEqual([
    unknown('warning', 'Retail', retail),
    unknown('warning', 'retial', retail),
  ]);
  const freeze = warnings({
    sites,
    exceptions: { x: hold('hold', { select: { site: { tag: ['dep*'] } } }) },
  });
  expect(freeze).toContainEqual(unknown('error', 'dep*', { protects: 'exceptions.x' }));
  expect(warnings({ sites, budgets: { x: { site: { tag: ['dep*'] } } } })).toEqual([
    idle('budgets.x'),
  ]);
});
