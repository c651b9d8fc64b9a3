import { expect, it } from 'vitest';
import { desire } from '../../../src/desired/desire.ts';
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
  [device('dev-1', { name: 'lobby-1', vendor: 'Axis', sites: ['HQ Berlin'] })],
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

it.each([
  [
    'site',
    { site: { name: ['HQ Berlin', 'HQ Berln'] } },
    { code: 'nameNotShown', protects: 'exceptions.x' },
  ],
  ['site that it leaves out', { not: { site: { name: ['HQ Berln'] } } }, { severity: 'warning' }],
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
] as const)('D7 what protects names a %s', (_, select, found) => {
  for (const type of ['hold', 'exclude'] as const) {
    const said = warnings({ exceptions: { x: hold(type, { select }) } });
    expect(said).toMatchObject([{ severity: 'error', ...found }]);
  }
});
