import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSnapshot, type FleetRows } from '../../../../../src/live/snapshot.ts';
import { snapshotLines } from '../../../../../src/live/snapshot-lines.ts';
import { REPORTS } from '../../../../../src/model/report/fleet-report.ts';
import { REPORT_FIELDS } from '../../../../../src/model/report/report-fields.gen.ts';
import { ROOT } from '../../../../habits/sources.ts';
import { FORBIDDEN, hostileNames } from '../../../../support/hostile.ts';
import { createNight, EVENING } from '../../../../support/night.ts';
import { isTried } from '../../../../support/campaign.ts';
import { aDevice } from '../../../../support/plan-fleet.ts';

const FLEET = `service:
  baseUrl: https://twin.test
  organization: acme
  pace: {requestsPerSecond: 100, tokenRequestsPerMinute: 60}
sites: {HQ Berlin: {timeZone: Europe/Berlin}}
firmware:
  axis: {select: {vendor: Axis, deviceType: camera}, version: approved, windows: anytime}
rotations:
  passwords: {task: rotatePassword, select: {deviceType: camera}, maxAge: 180d, windows: anytime}
`;

const night = createNight({ devices: 30, sites: 2 });
const HOUR = 3_600_000;

/** A snapshot file of a fleet, an hour later each. */
function keep(name: string, hours: number, rows: Partial<FleetRows> = {}): void {
  const snapshot = createSnapshot({
    takenAt: EVENING + hours * HOUR,
    confidence: 'one page',
    discoveredConfidence: 'one page',
    organization: 'acme',
    devices: [aDevice('a'), aDevice('b', { status: 'offline' })],
    ...rows,
  });
  night.write(name, `${[...snapshotLines(snapshot)].join('\n')}\n`);
}

beforeAll(() => {
  night.write('fleet/fleet.yaml', FLEET);
  keep('one.snapshot', 0);
  keep('two.snapshot', 12, { devices: [aDevice('a'), aDevice('b')] });
});

it('a share of availability says of how many devices it is, where others are unknown', async () => {
  const devices = [aDevice('a'), aDevice('b'), aDevice('c', { status: 'unknown' })];
  keep('unknown.snapshot', 0, { devices });
  const { out } = await night.run('report availability --snapshot unknown.snapshot');
  expect(out).toMatch(/^all +3 +2 +0 +0 +1 +100% of 2$/m);
  keep('later.snapshot', 12, { devices });
  const files = '--snapshot unknown.snapshot --snapshot later.snapshot';
  const long = await night.run(`report availability ${files}`);
  expect(long.out).toMatch(/^all .* 100% of 24 h$/m);
});

it('availability is of the readings alone: what documents need besides is not looked for', async () => {
  const [compliance, availability] = [
    await night.run('report compliance --snapshot one.snapshot'),
    await night.run('report availability --snapshot one.snapshot'),
  ];
  expect(compliance.err).toMatch(
    /^The snapshot lacks reads that these documents need: it leaves 4 changes\s+undecided/,
  );
  expect(availability.err).toBe('');
});

describe('fleetform report on the service', () => {
  it('sends nothing but reads, and takes CVEs from one device of each model and version', async () => {
    const { exit, out, requests } = await night.run('report vulnerabilities --format json');
    expect(exit).toBe(0);
    expect(requests.filter((line) => !line.startsWith('GET '))).toEqual(['POST /v1/auth/acme']);
    const { rows, cves } = JSON.parse(out) as {
      readonly rows: readonly Record<string, unknown>[];
      readonly cves: readonly unknown[];
    };
    const makes = new Set(
      rows.map(
        ({ vendor, model, firmwareVersion }) =>
          `${String(vendor)} ${String(model)} ${String(firmwareVersion)}`,
      ),
    );
    const reads = requests.filter((line) => line.endsWith('/vulnerabilities'));
    expect(reads).toHaveLength(makes.size);
    expect(rows).toHaveLength(30);
    expect(cves.length).toBeGreaterThan(0);
    expect(rows.every(({ vulnerabilityState }) => vulnerabilityState !== 'absent')).toBe(true);
  });

  it('counts what --max-cve-reads leaves out', async () => {
    const { out, requests } = await night.run('report vulnerabilities --max-cve-reads 2');
    expect(requests.filter((line) => line.endsWith('/vulnerabilities'))).toHaveLength(2);
    expect(out).toMatch(/note: CVEs of \d+ devices are not read/);
  });

  it('says before it reads CVEs how many reads these are and how long they take', async () => {
    night.write('slow/fleet.yaml', FLEET.replace('requestsPerSecond: 100', 'requestsPerSecond: 1'));
    const { err, requests } = await night.run('report vulnerabilities --fleet slow');
    const reads = requests.filter((line) => line.endsWith('/vulnerabilities')).length;
    expect(err).toContain(`${reads} single reads at 1 a second: about ${reads} seconds`);
  });

  it.each(['lifecycle', 'security'])('reads no CVE for %s', async (name) => {
    const { requests } = await night.run(`report ${name}`);
    expect(requests.filter((line) => line.endsWith('/vulnerabilities'))).toEqual([]);
  });

  it('saves a snapshot that the same report can be made of', async () => {
    const live = await night.run('report security --format csv --save-snapshot kept.snapshot');
    const kept = await night.run('report security --format csv --snapshot kept.snapshot');
    expect(kept.out).toBe(live.out);
    expect(kept.requests).toEqual([]);
  });
});

describe('fleetform report on snapshots', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const read = (path: string): object =>
    JSON.parse(readFileSync(join(ROOT, 'schemas', path), 'utf8')) as object;
  ajv.addSchema(read('plan.schema.json'));
  ajv.addSchema(read('dialect.schema.json'));
  const check = ajv.compile(read('output/report.schema.json'));

  it.each(REPORTS)('%s fits its schema, and has the same rows in every format', async (name) => {
    const line = `report ${name} --snapshot one.snapshot --snapshot two.snapshot --format`;
    const json = JSON.parse((await night.run(`${line} json`)).out) as { rows: object[] };
    expect(check(json), JSON.stringify(check.errors)).toBe(true);
    const csv = (await night.run(`${line} csv`)).out.trimEnd().split('\r\n');
    expect(csv[0]).toBe(REPORT_FIELDS[name].map((field) => field.name).join(','));
    expect(csv).toHaveLength(json.rows.length + 1);
    const ndjson = (await night.run(`${line} ndjson`)).out.trimEnd().split('\n').filter(Boolean);
    expect(ndjson.map((text) => JSON.parse(text) as object)).toEqual(
      json.rows.map((row) => ({ version: 1, report: name, ...row })),
    );
  });

  it('a number below zero is a number in csv, and a name that looks like one is no formula (T04)', async () => {
    const ended = aDevice('a', { name: '-15', sslCertificateExpiresAt: EVENING - 15 * 24 * HOUR });
    keep('ended.snapshot', 0, { devices: [ended] });
    const { out } = await night.run('report credentials --snapshot ended.snapshot --format csv');
    const [fields = [], row = []] = out.split('\r\n').map((line) => line.split(','));
    expect(row[fields.indexOf('sslDaysLeft')]).toBe('-15');
    expect(row[fields.indexOf('name')]).toBe(`"'-15"`);
  });

  it('sorts them, says so, and gives the same report', async () => {
    const inOrder = await night.run(
      'report availability --snapshot one.snapshot --snapshot two.snapshot --format csv',
    );
    const turned = 'report availability --snapshot two.snapshot --snapshot one.snapshot';
    expect((await night.run(`${turned} --format csv`)).out).toBe(inOrder.out);
    expect((await night.run(turned)).out).toContain('not in chronological order');
  });

  it.each([
    ['a second one of the same time', 'x', { takenAt: EVENING }, 'same time as another snapshot'],
    ['a gap', 'x', { takenAt: EVENING + 30 * HOUR }, 'No snapshot from Mon 23 Nov 2026 20:00 UTC'],
    [
      'an inconsistent one',
      'x',
      { takenAt: EVENING + HOUR, confidence: 'torn' },
      'is inconsistent',
    ],
    ['an empty fleet', 'x', { takenAt: EVENING + HOUR, devices: [] }, 'has no devices'],
    [
      'another fleet',
      'x',
      { takenAt: EVENING + HOUR, devices: [aDevice('z')] },
      'shares no device with the snapshot before',
    ],
  ] as readonly [string, string, Partial<FleetRows>, string][])(
    'says plainly that there is %s',
    async (_, name, rows, said) => {
      keep(`${name}.snapshot`, 0, rows);
      const line = `report availability --snapshot one.snapshot --snapshot ${name}.snapshot`;
      const { exit, out } = await night.run(line);
      expect(exit).toBe(0);
      expect(out.replaceAll(/\s+/g, ' ')).toContain(said);
    },
  );

  it('refuses those of different organizations, and names both', async () => {
    keep('other.snapshot', 1, { organization: 'globex' });
    const line = 'report --snapshot one.snapshot --snapshot other.snapshot';
    const { exit, err, out } = await night.run(line);
    expect([exit, out]).toEqual([1, '']);
    expect(err.replaceAll(/\s+/g, ' ')).toContain('acme (one.snapshot), globex (other.snapshot)');
  });

  it('exits with 2 if there are alerts, and 0 if there are none', async () => {
    const line = 'report alerts --snapshot one.snapshot --alert offline';
    expect((await night.run(line)).exit).toBe(2);
    expect((await night.run(`${line} --offline-for 7d`)).exit).toBe(0);
    expect((await night.run('report overview --snapshot one.snapshot')).exit).toBe(0);
  });

  it('works without valid documents, and knows no policy then', async () => {
    const line = 'report compliance --snapshot one.snapshot --fleet nowhere';
    const { exit, out } = await night.run(line);
    expect(exit).toBe(0);
    expect(out).toContain('The documents are missing or invalid');
    expect((await night.run(`${line} --format csv`)).out).toContain(',unknown,');
  });

  it('takes a selector', async () => {
    const line = ['report', 'security', '--snapshot', 'one.snapshot', '--format', 'csv'];
    const { out } = await night.run([...line, '--select', 'device: b']);
    expect(out.split('\r\n').slice(1).join('')).toMatch(/^b,/);
  });

  it('does not read, so flags of reading are refused', async () => {
    const { exit } = await night.run('report --snapshot one.snapshot --max-reads 5');
    expect(exit).toBe(1);
  });
});

describe('hostile names', () => {
  const names = hostileNames(60);
  const devices = names.map((name, index) =>
    aDevice(`d${index}`, {
      name,
      vendor: name,
      model: name,
      deviceType: name,
      status: 'offline',
      sites: [{ id: `s${index}`, name }],
      vulnerabilitySeverity: name,
    }),
  );

  it.each(
    REPORTS.flatMap((name) =>
      ['table', 'csv', 'json', 'ndjson'].map((format) => [name, format]),
    ).filter((_, nth) => isTried(nth)),
  )('are shown and do nothing: report %s --format %s', async (name, format) => {
    keep('hostile.snapshot', 0, { devices });
    const line = `report ${name} --snapshot hostile.snapshot --all --format ${format}`;
    const { out } = await night.run(line);
    expect(out.replaceAll(/\r?\n/g, '')).not.toMatch(FORBIDDEN);
    if (format === 'table') expect(out).not.toMatch(/(?:^|\s)::/m);
  });
});
