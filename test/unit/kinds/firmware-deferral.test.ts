import { expect, test } from 'vitest';
import { approvalSubject, firmwareDeadline } from '../../../src/kinds/firmware.ts';
import type { Judgement } from '../../../src/kinds/kind.ts';
import { upgradeFirmware } from '../../../src/kinds/upgrade-firmware.ts';
import type { ObservedFact } from '../../../src/model/ledger/memory.ts';
import type { FirmwarePolicy, VersionSpec } from '../../../src/model/documents/policy.ts';
import { sightingKey } from '../../../src/model/ledger/sightings.ts';
import { aFirmwarePolicy } from '../../support/plan-fleet.ts';
import { able, brief, caseOf, DAY, NOW } from '../../support/kinds-case.ts';

const MODEL = { vendor: 'Axis', model: 'P3265-V' };
const exact = (version: string): VersionSpec => ({ is: 'exact', version });

/** When versions were first seen as approved, in days ago. */
function approved(days: Readonly<Record<string, number>>): ReadonlyMap<string, ObservedFact> {
  return new Map(
    Object.entries(days).map(([version, ago]) => {
      const at = NOW - ago * DAY;
      const sighting = { value: '', firstAt: at, lastAt: NOW, since: at, times: 3 };
      return [sightingKey('approved', approvalSubject(MODEL, version)), sighting];
    }),
  );
}

interface Given {
  readonly policy?: Partial<FirmwarePolicy>;
  readonly runs?: string;
  readonly list?: readonly string[];
  readonly seen?: Readonly<Record<string, number>>;
}

function judge({ policy, runs = '11.8.61', list = ['11.11.73'], seen = {} }: Given): Judgement {
  const fields = { version: exact('11.11.73'), deferral: 7 * DAY, ...policy };
  return upgradeFirmware.judge(
    caseOf(aFirmwarePolicy('axis', fields), {
      device: able({ ...MODEL, firmwareVersion: runs }),
      facts: { targetFirmware: list.map((version) => ({ version, hops: [version] })) },
      sightings: approved(seen),
    }),
  );
}

const APPROVED: Partial<FirmwarePolicy> = { version: { is: 'approved' } };
const TWO = ['11.11.73', '11.11.124'];
const CASES: readonly [string, string, Given][] = [
  ['its days are over, to the minute', 'due versionDiffers', { seen: { '11.11.73': 7 } }],
  ['its days are not over', 'notDue deferral', { seen: { '11.11.73': 6.99 } }],
  ['nobody saw its approval', 'notDue deferral', {}],
  ['nothing is deferred', 'due versionDiffers', { policy: { deferral: 0 } }],
  ['the device is below the floor', 'due belowMinVersion', { policy: { minVersion: '11.10.0' } }],
  ['the device is at the floor', 'notDue deferral', { policy: { minVersion: '11.8.61' } }],
  ['it runs already', 'converged alreadyConverged', { runs: '11.11.73' }],
  ['another model saw it', 'notDue deferral', { seen: { '11.11.124': 99 } }],
];

test.each(CASES)(
  'a version is deferred from its first approval for the model: %s',
  (_, is, given) => {
    expect(brief(judge(given))).toBe(is);
  },
);

test('an older version whose days are over is taken meanwhile', () => {
  const seen = { '11.11.73': 30, '11.11.124': 2 };
  const judgement = judge({ policy: APPROVED, list: TWO, seen });
  expect(judgement).toMatchObject({ is: 'due', target: '11.11.73' });
});

test('a device on the newest whose days are over is within its wish, until the next one', () => {
  const seen = { '11.11.73': 30, '11.11.124': 2 };
  const judgement = judge({ policy: APPROVED, runs: '11.11.73', list: TWO, seen });
  const reason = { why: 'deferral', next: NOW + 5 * DAY };
  expect(judgement).toMatchObject({ is: 'notDue', within: true, reason });
});

const LATE: readonly [string, Partial<FirmwarePolicy>, number | undefined][] = [
  ['after the deferral', { deadline: 30 * DAY }, 37],
  ['at once below the floor', { deadline: 30 * DAY, minVersion: '11.10.0' }, 30],
  ['never without one', {}, undefined],
];

test.each(LATE)('a deadline runs %s', (_, fields, days) => {
  const policy = aFirmwarePolicy('axis', { deferral: 7 * DAY, ...fields });
  const device = { ...MODEL, firmwareVersion: '11.8.61' };
  const wanted = '11.11.73';
  const at = firmwareDeadline(policy, device, { wanted, sightings: approved({ [wanted]: 0 }) });
  expect(at).toBe(days === undefined ? undefined : NOW + days * DAY);
  expect(firmwareDeadline(policy, device, { wanted })).toBeUndefined();
});

test('a path of several hops is none where it has to be direct', () => {
  const policy = { path: 'direct', deferral: 0, version: exact('11.11.73') } as const;
  const two = [{ version: '11.11.73', hops: ['10.12.236', '11.11.73'] }];
  const theCase = (runs: string, path: FirmwarePolicy['path']) =>
    caseOf(aFirmwarePolicy('axis', { ...policy, path }), {
      device: able({ ...MODEL, firmwareVersion: runs }),
      facts: { targetFirmware: two },
    });
  expect(brief(upgradeFirmware.judge(theCase('9.80.55', 'direct')))).toBe('unsupported noPath');
  expect(brief(upgradeFirmware.judge(theCase('10.12.236', 'direct')))).toBe('due versionDiffers');
  expect(brief(upgradeFirmware.judge(theCase('9.80.55', 'auto')))).toBe('due nextHop');
});

test.each([
  ['nothing is approved', { lifeCycle: 'eos' }, 'unsupported endOfSupport'],
  ['it cannot even be asked', { lifeCycle: 'eos', available: {} }, 'unsupported endOfSupport'],
  ['only its end of life has come', { lifeCycle: 'eol' }, 'unsupported noTargetFirmware'],
])('past its end of support a device is reported as such: %s', (_, fields, is) => {
  const device = able({ ...MODEL, ...fields });
  const theCase = caseOf(aFirmwarePolicy('axis'), { device, facts: { targetFirmware: [] } });
  expect(brief(upgradeFirmware.judge(theCase))).toBe(is);
});
