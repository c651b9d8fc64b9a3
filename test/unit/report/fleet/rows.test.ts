import { describe, expect, it } from 'vitest';
import type { Device } from '../../../../src/model/fleet/device.ts';
import type { Facts } from '../../../../src/model/fleet/snapshot.ts';
import type { PolicyResult } from '../../../../src/model/report/policy-result.ts';
import { ALERTS, type ReportRow } from '../../../../src/model/report/fleet-report.ts';
import { reportDevices, type RowsInput } from '../../../../src/report/fleet/device-rows.ts';
import { aDevice, aSnapshot, NOW } from '../../../support/plan-fleet.ts';

const DAY = 24 * 3_600_000;
const LIMITS = {
  within: 30 * DAY,
  hardenedAge: 365 * DAY,
  offlineFor: 900_000,
  severity: 'critical',
  maxGap: DAY,
};

interface Given {
  readonly fields?: Partial<Device>;
  readonly facts?: Facts;
  readonly result?: PolicyResult | undefined;
  readonly rest?: Partial<RowsInput>;
  readonly isWithoutDocuments?: boolean;
}

function report({ fields, facts = {}, result, rest, isWithoutDocuments = false }: Given) {
  return reportDevices({
    snapshot: aSnapshot([aDevice('a', fields)], { facts: () => facts }),
    selects: () => true,
    ...(isWithoutDocuments ? {} : { results: () => result }),
    flaws: () => undefined,
    now: NOW,
    limits: LIMITS,
    alerts: ALERTS,
    ...rest,
  });
}

const rowOf = (given: Given): ReportRow => report(given).devices[0] ?? {};
const alertsOf = (given: Given): string[] =>
  report(given).alerts.map(({ alert, value }) => `${String(alert)}: ${String(value)}`);
const met: PolicyResult = { policy: 'p', is: 'met', reason: 'alreadyConverged' };
const left: PolicyResult = { ...met, is: 'excepted' };
const END = NOW + 200 * DAY;

describe('a state is never good where its value is not known', () => {
  it.each([
    ['vulnerabilityState', {}, 'absent'],
    ['vulnerabilityState', { fields: { unreadable: ['vulnerabilitySeverity'] } }, 'unreadable'],
    ['vulnerabilityState', { rest: { flaws: () => 'unreadable' } }, 'unreadable'],
    ['lifecycleState', {}, 'absent'],
    ['lifecycleState', { fields: { unreadable: ['lifeCycle'] } }, 'unreadable'],
    ['lifecycleState', { fields: { lifeCycle: 'retired' } }, 'unknown'],
    ['passwordState', {}, 'notRead'],
    ['passwordState', { facts: { passwords: 'unreadable' } }, 'unreadable'],
    ['passwordState', { facts: { passwords: 'forbidden' } }, 'absent'],
    ['passwordState', { fields: { unreadable: ['passwordExpiresAt'] } }, 'unreadable'],
    ['passwordState', { facts: { passwords: { marker: '' } } }, 'absent'],
    ['passwordState', { fields: { passwordChangedAt: NOW + 2 * DAY }, result: met }, 'unreadable'],
    ...(['blocked', 'unknown', 'notRead'] as const).flatMap(
      (is) =>
        [
          ['passwordState', { fields: { passwordExpiresAt: END }, result: { ...met, is } }],
          ['passwordState', { fields: { passwordChangedAt: NOW }, result: { ...met, is } }],
          [
            'sslCertificateState',
            { fields: { sslCertificateExpiresAt: END }, result: { ...met, is } },
          ],
        ].map((one) => [...one, is === 'notRead' ? is : 'unknown']) as never,
    ),
    ['sslCertificateState', {}, 'absent'],
    ['sslCertificateState', { facts: { certificates: 'notRead' } }, 'notRead'],
    ['dot1xCertificateState', {}, 'absent'],
    ['hardeningState', { fields: { unreadable: ['lastHardenedAt'] } }, 'unreadable'],
    ['firmwareState', { isWithoutDocuments: true }, 'unknown'],
    ['firmwareState', { result: { ...met, is: 'notRead' } }, 'notRead'],
    ['firmwareState', { result: { ...met, is: 'unknown' } }, 'unknown'],
  ] as readonly [string, Given, string][])('%s of %j is %s', (field, given, state) => {
    const { devices, totals } = report(given);
    expect(devices[0]?.[field]).toBe(state);
    const counted = totals.filter(({ site }) => site === null);
    const total = counted.find(({ states }) => Object.keys(states)[0] === state);
    expect(total).toMatchObject({ good: 0, bad: 0, unknown: 1, share: null });
  });
});

describe('a state that is known', () => {
  it.each([
    ['firmwareState', { result: met }, 'compliant'],
    ['firmwareState', { result: { ...met, is: 'due' } }, 'behind'],
    ['firmwareState', { result: { ...met, is: 'blocked' } }, 'blocked'],
    ['firmwareState', { result: { ...met, is: 'excepted' } }, 'excepted'],
    ['firmwareState', {}, 'noPolicy'],
    ['vulnerabilityState', { fields: { vulnerabilitySeverity: 'low' } }, 'vulnerable'],
    ['vulnerabilityState', { fields: { vulnerabilitySeverity: 'none' } }, 'clear'],
    ['vulnerabilityState', { rest: { flaws: () => [] } }, 'clear'],
    ['vulnerabilityState', { rest: { flaws: () => [{ cve: '' }] } }, 'vulnerable'],
    ['lifecycleState', { fields: { lifeCycle: 'current_product' } }, 'supported'],
    ['lifecycleState', { fields: { lifeCycle: 'eol', supportEndsAt: NOW + 1 } }, 'endOfLife'],
    ['lifecycleState', { fields: { lifeCycle: 'eol', supportEndsAt: NOW } }, 'endOfSupport'],
    ['passwordState', { fields: { passwordExpiresAt: NOW } }, 'expired'],
    ['passwordState', { fields: { passwordExpiresAt: NOW + 30 * DAY } }, 'expiresSoon'],
    ['passwordState', { fields: { passwordExpiresAt: NOW + 30 * DAY + 1 } }, 'current'],
    ['passwordState', { fields: { passwordChangedAt: NOW }, result: met }, 'current'],
    ['passwordState', { fields: { passwordChangedAt: NOW } }, 'noPolicy'],
    ['passwordState', { result: { ...met, is: 'due' } }, 'overdue'],
    ['passwordState', { fields: { passwordExpiresAt: END }, result: left }, 'excepted'],
    ['sslCertificateState', { fields: { sslCertificateExpiresAt: END }, result: left }, 'excepted'],
    ['sslCertificateState', { result: { ...met, is: 'due' } }, 'overdue'],
    ['sslCertificateState', { fields: { sslCertificateExpiresAt: END }, result: met }, 'valid'],
    ['sslCertificateState', { facts: { certificates: 'none' } }, 'none'],
    ['sslCertificateState', { fields: { sslCertificateStatus: 'nonCompliant' } }, 'nonCompliant'],
    ['dot1xCertificateState', { fields: { dot1xCertificateExpiresAt: NOW - 1 } }, 'expired'],
    ['hardeningState', { fields: { lastHardenedAt: NOW - 365 * DAY } }, 'hardened'],
    ['hardeningState', { fields: { lastHardenedAt: NOW - 365 * DAY - 1 } }, 'outdated'],
  ] as readonly [string, Given, string][])('%s of %j is %s', (field, given, state) => {
    expect(rowOf(given)[field]).toBe(state);
  });
});

it('a password that was changed in the future has no age', () => {
  const row = rowOf({ fields: { passwordChangedAt: NOW + 2 * DAY } });
  expect(row).toMatchObject({ passwordAgeDays: null, passwordChangedAt: null });
});

describe('the fix of a vulnerability', () => {
  const vulnerable = { vulnerabilitySeverity: 'high', patchedFirmwareVersion: '11.9.0' };
  const due: PolicyResult = { policy: 'firmware.p', is: 'due', reason: 'act', target: '11.10.0' };
  it.each([
    ['policy', due],
    ['policyBelow', { ...due, target: '11.8.70' }],
    ['policyBelow', met],
    ['blocked', { ...due, is: 'blocked' }],
    ['excepted', { ...due, is: 'excepted' }],
    ['unknown', { ...due, target: 'beta' }],
    ['noPolicy', undefined],
  ] as readonly [string, PolicyResult | undefined][])('is %s for %j', (fix, result) => {
    expect(rowOf({ fields: vulnerable, result })).toMatchObject({ fix });
  });

  it('is not known without documents, and not there without a patch', () => {
    expect(rowOf({ fields: vulnerable, isWithoutDocuments: true })['fix']).toBe('unknown');
    expect(rowOf({ fields: { vulnerabilitySeverity: 'high' }, result: due })['fix']).toBe(
      'noPatch',
    );
  });

  it('is counted for each CVE once', () => {
    const flaws = () => [{ cve: 'CVE-1', severity: 'low' }, { cve: 'CVE-1' }, { cve: 'CVE-2' }];
    expect(report({ fields: vulnerable, result: due, rest: { flaws } }).cves).toEqual([
      { cve: 'CVE-1', severity: null, devices: 1, fixedByPolicy: 1, policies: ['firmware.p'] },
      { cve: 'CVE-2', severity: null, devices: 1, fixedByPolicy: 1, policies: ['firmware.p'] },
    ]);
  });
});

describe('alerts', () => {
  const offline = { status: 'offline', lastSeen: NOW - 900_000 };
  const critical = { vulnerabilitySeverity: 'Critical', patchedFirmwareVersion: '11.9.0' };
  it.each([
    ['offline for the limit', { fields: offline }, ['offline: offline']],
    ['offline for less', { fields: { ...offline, lastSeen: NOW - 899_999 } }, []],
    ['offline under maintenance', { fields: { ...offline, maintenanceMode: true } }, []],
    ['a fix', { fields: critical }, ['vulnerability: Critical: 11.9.0']],
    ['already fixed', { fields: { ...critical, patchedFirmwareVersion: '11.8.61' } }, []],
    ['no fix', { fields: { vulnerabilitySeverity: 'critical' } }, []],
    ['less severe', { fields: { ...critical, vulnerabilitySeverity: 'high' } }, []],
    [
      'an expired certificate',
      { fields: { sslCertificateExpiresAt: NOW } },
      ['sslCertificate: expired'],
    ],
    [
      '802.1X',
      { fields: { dot1xCertificateStatus: 'non-compliant' } },
      ['dot1xCertificate: nonCompliant'],
    ],
    ['a policy that is due', { result: { ...met, is: 'due' } }, ['password: overdue']],
    ['end of support', { fields: { lifeCycle: 'eos' } }, ['endOfSupport: endOfSupport']],
  ] as readonly [string, Given, readonly string[]][])('%s', (_, given, found) => {
    expect(alertsOf(given)).toEqual(found);
  });

  it('count what cannot be decided, and raise nothing for it', () => {
    const { alerts, undecided } = report({ fields: { status: 'unknown' } });
    expect(alerts).toEqual([]);
    expect(undecided).toEqual({
      offline: 1,
      vulnerability: 1,
      sslCertificate: 1,
      dot1xCertificate: 1,
      password: 1,
      endOfSupport: 1,
    });
  });
});
