import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linesOfOthers, prometheusText } from '../../../../src/render/data/prometheus.ts';
import type { Sample } from '../../../../src/render/data/prometheus.ts';
import { createNight, type Night } from '../../../support/night.ts';
import { checkedByPromtool } from '../../../support/promtool.ts';

const SERIES = /^(\w+)\{((?:\w+="(?:[^"\\\n]|\\[\\"n])*",?)*)\} (-?\d+(?:\.\d+)?)$/;

/** What is wrong with a text of Prometheus, as far as gauges go; each family is in one piece. */
function problemsIn(text: string): readonly string[] {
  const lines = text.split('\n').slice(0, -1);
  const samples = lines.filter((line) => !line.startsWith('#'));
  const families = lines.map((line) => /^(?:# (?:HELP|TYPE) )?(\w+)/.exec(line)?.[1] ?? '');
  const pieces = families.filter((name, at) => name !== families[at - 1]);
  const keys = samples.map((line) => line.replace(/ \S+$/, ''));
  return [
    ...samples.filter((line) => !SERIES.test(line)),
    ...(new Set(pieces).size < pieces.length ? ['a family is in two pieces'] : []),
    ...(new Set(keys).size < keys.length ? ['a series is there twice'] : []),
    ...pieces.filter((name) => !lines.includes(`# TYPE ${name} gauge`)),
    ...(text.endsWith('\n') ? [] : ['the last line has no end']),
  ];
}

/** The numbers of a family by the values of its labels, without the organization. */
function read(text: string, family: string): Readonly<Record<string, number>> {
  const found = text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = SERIES.exec(line) ?? [];
    if (name !== `fleetform_${family}`) return [];
    const values = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    const own = values.filter(([, label]) => label !== 'organization').map(([, , given]) => given);
    return [[own.join(' '), Number(value)] as const];
  });
  return Object.fromEntries(found);
}

const SERVICE = 'service: {baseUrl: "https://twin.test", organization: acme}\n';
const LEAK = `${SERVICE}incidents:
  leak: {rotate: password, select: {deviceType: camera}, since: "2026-11-23T20:00:00Z", until: "2026-11-25T06:00:00Z",
         expect: 6, reason: leak, owner: secops, ticket: SEC-1}
`;

function camerasOf(settings: Partial<Parameters<typeof createNight>[0]> = {}): Night {
  const night = createNight({
    devices: 6,
    sites: 1,
    every: () => ({ condition: 'well', deviceType: 'camera', tasks: ['rotatePassword'] }),
    ...settings,
  });
  night.write('fleet/fleet.yaml', LEAK);
  return night;
}

test('each command leaves what it knows, and never a device or a person', async () => {
  const night = camerasOf();
  await night.run('pause incidents.leak --reason works --by Ada');
  const status = await night.run('status --metrics run.prom');
  expect(status.exit).toBe(0);
  expect(read(night.read('run.prom'), 'paused')).toMatchObject({
    'incidents.leak person': 1,
    'incidents.leak rule': 0,
    'fleet person': 0,
  });
  expect(read(night.read('run.prom'), 'run_attempts')).toEqual({});
  await night.run('unpause incidents.leak --reason done --by Ada');
  const { exit } = await night.run('apply --yes --metrics run.prom');
  const text = night.read('run.prom');
  expect(problemsIn(text)).toEqual([]);
  checkedByPromtool(text);
  expect(read(text, 'run_exit_code')).toEqual({ apply: exit, status: 0 });
  expect(read(text, 'run_changes')['apply verified']).toBeGreaterThan(0);
  expect(read(text, 'run_attempts')['apply']).toBeGreaterThan(0);
  expect(read(text, 'run_requests')['apply tasks']).toBe(read(text, 'run_attempts')['apply']);
  expect(Object.values(read(text, 'devices'))).toEqual([6]);
  for (const line of ['drift', 'recover']) await night.run(`${line} --metrics run.prom`);
  expect(Object.keys(read(night.read('run.prom'), 'run_end_timestamp_seconds')).sort()).toEqual([
    'apply',
    'drift',
    'recover',
    'status',
  ]);
  expect(text).not.toMatch(/dev-|cam-|Ada|operator|task-/);
  expect(statSync(join(night.folder, 'run.prom')).mode & 0o777).toBe(0o644);
});

test('a job that looks for drift leaves that there is some, though it ends well', async () => {
  const camera = {
    condition: 'well',
    deviceType: 'camera',
    vendor: 'Axis',
    model: 'P3265-V',
  } as const;
  const night = camerasOf({ every: () => ({ ...camera, firmwareVersion: '11.8.61' }) });
  const policy =
    'firmware: {axis: {select: {vendor: Axis}, version: "11.11.160", windows: anytime}}';
  night.write('fleet/fleet.yaml', `${SERVICE}${policy}\n`);
  await night.run('apply --yes --wait 6h');
  for (const device of night.twin.world.state.devices) device.firmwareVersion = '11.8.61';
  const plain = await night.run('drift');
  const { exit } = await night.run('ci drift --metrics run.prom');
  expect([plain.exit, exit]).toEqual([2, 0]);
  expect(read(night.read('run.prom'), 'run_exit_code')).toEqual({ drift: 2 });
  expect(read(night.read('run.prom'), 'devices')).not.toEqual({});
});

test('a run leaves the numbers of a status right after it', async () => {
  const night = camerasOf({
    faults: [{ match: { taskType: 'rotatePassword', nth: 1 }, fault: { type: 'lostAnswer' } }],
  });
  await night.run('apply --yes --metrics run.prom');
  const { out } = await night.run('status --format json --metrics status.prom');
  const { policies } = JSON.parse(out) as {
    readonly policies: readonly {
      readonly at: { readonly policy: string };
      readonly columns: Readonly<Record<string, number>>;
    }[];
  };
  for (const file of ['run.prom', 'status.prom']) {
    const text = night.read(file);
    for (const { at, columns } of policies)
      for (const [column, count] of Object.entries(columns)) {
        const state = column === 'person' ? 'needs_you' : column;
        expect(read(text, 'policy_devices')[`${at.policy} ${state}`]).toBe(count);
      }
  }
  for (const family of [
    'policy_in_doubt',
    'policy_overdue',
    'policy_quarantined',
    'waiting',
    'devices',
  ])
    expect(read(night.read('run.prom'), family), family).toEqual(
      read(night.read('status.prom'), family),
    );
});

test('a run that fails before its plan leaves no series of what it does not know', async () => {
  const night = camerasOf();
  await night.run('apply --yes --metrics run.prom');
  await night.run('drift --metrics run.prom');
  expect(read(night.read('run.prom'), 'devices')).not.toEqual({});
  night.write('fleet/broken.yaml', 'nonsense: 1\n');
  const { exit } = await night.run('apply --yes --metrics run.prom');
  expect(exit).toBe(1);
  const text = night.read('run.prom');
  expect(problemsIn(text)).toEqual([]);
  expect(read(text, 'run_exit_code')).toMatchObject({ apply: 1 });
  expect(text).toContain('fleetform_run_exit_code{organization="acme",command="apply"} 1\n');
  expect(text).not.toMatch(/command="apply",(?:outcome|purpose)|_devices|_waiting|_paused/);
  // The run of another command stays as it was, but not where another organization is meant.
  expect(text).toMatch(/run_exit_code\{organization="acme",command="drift"\}/);
  night.write('fleet/broken.yaml', '');
  night.write('fleet/fleet.yaml', LEAK.replace('acme', 'globex'));
  await night.run('apply --yes --metrics run.prom');
  expect(night.read('run.prom')).not.toContain('acme');
});

test('a plan of a part has no series of policies, and lists no zero', async () => {
  const night = camerasOf();
  await night.run('status --only incidents.leak --metrics run.prom');
  const text = night.read('run.prom');
  expect(read(text, 'devices')).not.toEqual({});
  expect(text).not.toMatch(/fleetform_(?:policy|waiting|paused|rollout)/);
});

test('a file that cannot be written is told, and changes nothing', async () => {
  const night = camerasOf();
  night.write('taken/inside', '');
  const plain = await night.run('status');
  const failed = await night.run('status --metrics taken');
  expect(failed.exit).toBe(plain.exit);
  expect(failed.err.replaceAll(/\s+/g, ' ')).toContain('Cannot write the metrics to taken');
});

/** A night whose Pushgateway answers with a status. */
function pushing(url: string, status: number, env: Readonly<Record<string, string>> = {}) {
  const puts: { readonly at: string; readonly text: string }[] = [];
  const night = camerasOf({
    env: { FLEETFORM_METRICS_PUSH: url, ...env },
    async through(request, handle) {
      if (request.method !== 'PUT') return handle(request);
      puts.push({ at: request.url, text: await request.text() });
      return new Response(null, { status });
    },
  });
  return { night, puts };
}

const GROUP = `https://push.test/gate/metrics/job/fleetform/organization@base64/${Buffer.from('acme').toString('base64url')}`;

test('a Pushgateway gets a group for the command and one for the fleet, each with labels of its own', async () => {
  const { night, puts } = pushing('https://push.test/gate/', 202);
  await night.run('apply --yes');
  expect(puts.map(({ at }) => at)).toEqual([`${GROUP}/command/apply`, GROUP]);
  const [own, fleet] = puts.map(({ text }) => text);
  expect(own).toContain('fleetform_run_exit_code{organization="acme",command="apply"}');
  expect(own).not.toContain('fleetform_devices');
  expect(fleet).toContain('fleetform_devices{organization="acme",');
  expect(fleet).not.toContain('command=');
  night.write('fleet/broken.yaml', 'nonsense: 1\n');
  await night.run('apply --yes');
  expect(puts.slice(2).map(({ text }) => text.length > 0)).toEqual([true, false]);
  await night.run('plan');
  expect(puts).toHaveLength(4);
});

test.each([
  ['http://push.test', 'it requires https'],
  ['https://user:secret@push.test', 'it requires https'],
  ['https://push.test/?token=secret', 'it requires https'],
  ['https://push.test', 'it answered with status 400'],
])('what a Pushgateway at %s does changes nothing, and is told', async (url, said) => {
  const { night, puts } = pushing(url, 400);
  const { exit, err } = await night.run('status');
  expect(exit).toBe(0);
  expect(err.replaceAll(/\s+/g, ' ')).toContain(`FLEETFORM_METRICS_PUSH (${said}`);
  expect(err).not.toContain('secret');
  expect(puts).toHaveLength(said.endsWith('400') ? 1 : 0);
});

test('documents that a pin refuses do not choose whose series they replace', async () => {
  const { night, puts } = pushing('https://push.test/gate', 200, {
    FLEETFORM_ORGANIZATION: 'acme',
    CI: 'true',
  });
  night.write('fleet/fleet.yaml', LEAK.replace('acme', 'globex'));
  const { exit, err } = await night.run('status');
  expect(exit).toBe(9);
  expect(err).toContain('FLEETFORM_ORGANIZATION');
  expect(puts.map(({ at }) => at)).toEqual([`${GROUP}/command/status`, GROUP]);
});

test('names are escaped, and those that would be alike are one series', () => {
  const hostile = [
    'a"} 1\nb{c="',
    'back\\slash',
    'line\r\n\u2028end',
    '\u0000',
    '💥',
    'x'.repeat(250),
  ];
  const alike = ['\ud800', '\udc00', '\ufffd', `${'x'.repeat(200)}y`];
  const samples = [...hostile, ...alike].map((site): Sample => [
    'devices',
    1,
    site,
    'camera',
    'up',
  ]);
  const text = prometheusText(samples, 'a"\\\nb');
  expect(problemsIn(text)).toEqual([]);
  expect(Object.values(read(text, 'devices')).sort()).toEqual([1, 1, 1, 1, 1, 2, 3]);
  expect(text.split('\n')).toHaveLength(2 + 7 + 1);
  checkedByPromtool(text);
});

test('at most 500 sites and policies, 200 models and versions have a series; the rest is `other`', () => {
  const samples = Array.from({ length: 700 }, (_, at): readonly Sample[] => [
    ['devices', 1, `site ${at}`, 'camera', 'online'],
    ...(at === 699 ? [['devices', 1, 'site 699', 'intercom', 'online'] as const] : []),
    ['policy_devices', 1, `firmware.p${at}`, 'done'],
    ['firmware_devices', 1, 'Axis', `model ${at}`, `1.${at}`],
    ['expiry_min_timestamp_seconds', 1_000 + at, `site ${at}`, 'rotatePassword'],
    ['credential_age_max_seconds', at, 'site 1', 'rotatePassword'],
  ]).flat();
  const text = prometheusText(samples, 'acme');
  const sites = read(text, 'devices');
  expect(sites['other camera online']).toBe(200);
  expect(sites['site 699 camera online']).toBe(1);
  expect(Object.values(sites).reduce((sum, count) => sum + count, 0)).toBe(701);
  expect(Object.keys(read(text, 'policy_devices'))).toHaveLength(501);
  expect(read(text, 'firmware_devices')['Axis other other']).toBe(500);
  expect(read(text, 'expiry_min_timestamp_seconds')['other rotatePassword']).toBeLessThan(1_700);
  expect(read(text, 'credential_age_max_seconds')).toEqual({ 'site 1 rotatePassword': 699 });
});

test('lines of other commands are taken over only as they were written', () => {
  const text = prometheusText(
    [
      ['run_exit_code', 4, 'apply'],
      ['run_exit_code', 0, 'drift'],
    ],
    'acme',
  );
  const others = linesOfOthers(
    `${text}fleetform_run_x{organization="acme",command="z"} x\n`,
    'apply',
    'acme',
  );
  expect(others).toEqual(['fleetform_run_exit_code{organization="acme",command="drift"} 0']);
  expect(linesOfOthers(text, 'apply', 'acm')).toEqual([]);
  expect(linesOfOthers(text, 'apply', undefined)).toEqual([]);
});
