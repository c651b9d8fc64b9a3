import { describe, expect, it } from 'vitest';
import { desire } from '../../../src/desired/desire.ts';
import type { Documents } from '../../../src/model/documents/policy.ts';
import {
  device,
  documentsOf,
  firmware,
  hold,
  NOW,
  pin,
  rotation,
  snapshotOf,
} from '../../support/desired-documents.ts';

const SNAPSHOT = snapshotOf([
  device('dev-1', { vendor: 'Axis', sites: ['HQ'] }),
  device('dev-2', { vendor: 'Axis', sites: ['HQ'] }),
  device('dev-3', { vendor: 'Bosch', sites: ['HQ'] }),
]);

function wants(documents: Documents): readonly string[] {
  const desired = desire({ documents, snapshot: SNAPSHOT, now: NOW });
  return [...desired.wants].map(({ row, wanted: { task, policy, losers } }) =>
    [row, task, policy.name, ...losers.map((at) => `not ${at.policy}`)].join(' '),
  );
}

function findings(documents: Documents): readonly unknown[] {
  const { diagnostics } = desire({ documents, snapshot: SNAPSHOT, now: NOW });
  return diagnostics.map(({ code, severity, params }) => ({ code, severity, ...params }));
}

const AXIS = { vendor: ['Axis'] };

describe('the wish for a device and a task', () => {
  it('is one per task, by row and then in the order of task types', () => {
    const documents = documentsOf({
      firmware: [firmware('all')],
      rotations: [rotation('passwords', { select: AXIS })],
    });
    expect(wants(documents)).toEqual([
      '0 rotatePassword passwords',
      '0 upgradeFirmware all',
      '1 rotatePassword passwords',
      '1 upgradeFirmware all',
      '2 upgradeFirmware all',
    ]);
  });

  it('may be walked twice', () => {
    const desired = desire({
      documents: documentsOf({ firmware: [firmware('all')] }),
      snapshot: SNAPSHOT,
      now: NOW,
    });
    expect([...desired.wants]).toEqual([...desired.wants]);
  });

  it('goes to the higher priority, never to the narrower selector', () => {
    const documents = documentsOf({
      firmware: [
        firmware('narrow', { select: { device: ['dev-1'] }, version: { is: 'approved' } }),
        firmware('wide', { priority: 501 }),
      ],
    });
    expect(wants(documents)[0]).toBe('0 upgradeFirmware wide not firmware.narrow');
    expect(findings(documents)).toEqual([]);
  });

  it('goes to the first by address where equal priority wants the same', () => {
    const documents = documentsOf({
      firmware: [
        firmware('b', { windows: ['x', 'y'] }),
        firmware('a', { select: AXIS, windows: ['y', 'x'] }),
      ],
    });
    expect(wants(documents)[0]).toBe('0 upgradeFirmware a not firmware.b');
    expect(findings(documents)).toEqual([]);
  });

  it('carries the place and address of its policy', () => {
    const documents = documentsOf({ firmware: [firmware('all')] });
    const [want] = desire({ documents, snapshot: SNAPSHOT, now: NOW }).wants;
    expect(want?.wanted.at).toEqual({
      file: 'fleet/all.yaml',
      line: 10,
      column: 3,
      policy: 'firmware.all',
    });
  });
});

describe('a tie', () => {
  it.each([
    ['version', { version: { is: 'approved' } }],
    ['windows', { windows: ['nights'] }],
    ['rollout', { rollout: 'standard' }],
    ['floor', { minVersion: '11.0' }],
    ['downgrade', { downgrade: 'allow' }],
  ] as const)('is equal priority and another %s', (_, fields) => {
    const documents = documentsOf({ firmware: [firmware('a'), firmware('b', fields)] });
    expect(findings(documents)).toMatchObject([
      { code: 'conflict', severity: 'error', policy: 'firmware.a', other: 'firmware.b', count: 3 },
    ]);
  });

  it.each([
    ['due rule', { due: { is: 'never' } }],
    ['generation', { generation: 2 }],
    ['payload', { payload: { length: 16 } }],
  ] as const)('of rotations is another %s', (_, fields) => {
    const documents = documentsOf({ rotations: [rotation('a'), rotation('b', fields)] });
    expect(findings(documents)).toMatchObject([{ code: 'conflict', count: 3 }]);
  });

  it('is said once per pair, with both places and the number of devices', () => {
    const documents = documentsOf({
      firmware: [
        firmware('a'),
        firmware('b', { select: AXIS, version: { is: 'range', text: '>=11' } }),
        firmware('c', { select: { device: ['dev-1'] } }),
      ],
    });
    const { diagnostics } = desire({ documents, snapshot: SNAPSHOT, now: NOW });
    expect(diagnostics).toMatchObject([
      {
        at: { file: 'fleet/all.yaml', line: 10, column: 3 },
        related: [{ file: 'fleet/all.yaml', line: 11, column: 3 }],
        params: { policy: 'firmware.a', other: 'firmware.b', want: '11.11.73', otherWant: '>=11' },
      },
      { params: { policy: 'firmware.b', other: 'firmware.c' } },
    ]);
    expect(diagnostics.map(({ params }) => params['count'])).toEqual([2, 1]);
  });

  it('below a policy that beats both is none', () => {
    const documents = documentsOf({
      firmware: [
        firmware('a'),
        firmware('b', { version: { is: 'approved' } }),
        firmware('top', { priority: 900 }),
      ],
    });
    expect(findings(documents)).toEqual([]);
  });

  it('is two pins to different versions', () => {
    const exceptions = { one: pin('11.1'), two: pin('11.2', { select: AXIS }), same: pin('11.1') };
    const documents = documentsOf({ firmware: [firmware('all')], exceptions });
    expect(findings(documents)).toMatchObject([
      { code: 'conflict', policy: 'exceptions.one', other: 'exceptions.two', count: 2 },
      { code: 'conflict', policy: 'exceptions.same', other: 'exceptions.two', count: 2 },
    ]);
  });
});

describe('an exception', () => {
  const exemptions = (exceptions: Parameters<typeof documentsOf>[0]): readonly unknown[] => {
    const documents = documentsOf({
      firmware: [firmware('all')],
      rotations: [rotation('all')],
      ...exceptions,
    });
    return [...desire({ documents, snapshot: SNAPSHOT, now: NOW }).wants].map(
      ({ row, wanted: { task, exemption } }) =>
        [row, task, exemption.hold?.name, exemption.exclude?.name, exemption.pin?.name]
          .join(' ')
          .trimEnd(),
    );
  };

  it('bears on the devices that it selects and the tasks that it names', () => {
    const exceptions = {
      held: hold('hold', { select: AXIS, tasks: ['rotatePassword'] }),
      out: hold('exclude', { select: { device: ['dev-1'] }, tasks: ['upgradeFirmware'] }),
      kept: pin('11.1', { select: AXIS, tasks: ['upgradeFirmware'] }),
    };
    expect(exemptions({ exceptions })).toEqual([
      '0 rotatePassword held',
      '0 upgradeFirmware  out kept',
      '1 rotatePassword held',
      '1 upgradeFirmware   kept',
      '2 rotatePassword',
      '2 upgradeFirmware',
    ]);
  });

  it('without a selector bears on every device; of two the longer one is named', () => {
    const exceptions = {
      short: hold('hold', { tasks: ['rotatePassword'] }),
      long: hold('hold', { tasks: ['rotatePassword'], until: NOW + 1e9 }),
    };
    expect(exemptions({ exceptions })[4]).toBe('2 rotatePassword long');
  });

  it('that has ended does not hold, and says so', () => {
    const exceptions = {
      old: hold('hold', { until: NOW }),
      open: hold('hold', { until: NOW + 1 }),
    };
    expect(exemptions({ exceptions: { old: exceptions.old } })[0]).toBe('0 rotatePassword');
    expect(exemptions({ exceptions })[0]).toBe('0 rotatePassword open');
    expect(findings(documentsOf({ exceptions }))).toEqual([
      { code: 'exceptionEnded', severity: 'warning', name: 'old', until: '2026-11-20T12:00:00Z' },
    ]);
  });
});
