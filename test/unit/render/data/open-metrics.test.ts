import { expect, test } from 'vitest';
import { createNight } from '../../../support/night.ts';

/** The lines that OpenMetrics text may have; strings of labels here need no escapes. */
const LINES = [
  /^# TYPE (\w+) gauge$/,
  /^# UNIT \w+ seconds$/,
  /^# HELP \w+ [^\\\n]+$/,
  /^(\w+)(?:\{\w+="\w+"(?:,\w+="\w+")*\})? (?:NaN|(?:0|[1-9]\d*)(?:\.\d+)?)$/,
  /^# EOF$/,
];

/** What is wrong with a text in OpenMetrics, as far as gauges go; each family is declared once. */
function problemsIn(text: string): readonly string[] {
  const lines = text.split('\n');
  const odd = lines.slice(0, -1).filter((line) => !LINES.some((form) => form.test(line)));
  const types = lines.flatMap((line) => /^# TYPE (\w+)/.exec(line)?.[1] ?? []);
  const samples = lines.flatMap((line) => /^(\w+(?:\{.*\})?) /.exec(line)?.[1] ?? []);
  const families = samples.map((sample) => sample.replace(/\{.*/, ''));
  return [
    ...odd,
    ...families.filter((name) => !types.includes(name)).map((name) => `${name} has no type`),
    ...(new Set(types).size < types.length ? ['a family is declared twice'] : []),
    ...(new Set(samples).size < samples.length ? ['a series is there twice'] : []),
    ...(lines.at(-2) === '# EOF' && lines.at(-1) === '' ? [] : ['no # EOF at the end']),
  ];
}

const FLEET = `service: {baseUrl: "https://twin.test", organization: acme}
incidents:
  leak: {rotate: password, select: {deviceType: camera}, since: "2026-11-23T20:00:00Z", until: "2026-11-25T06:00:00Z",
         expect: 6, reason: leak, owner: secops, ticket: SEC-1}
`;

test('apply --metrics leaves counts that a strict reader takes, and no name', async () => {
  const night = createNight({
    devices: 6,
    sites: 1,
    every: () => ({ condition: 'well', deviceType: 'camera', tasks: ['rotatePassword'] }),
  });
  night.write('fleet/fleet.yaml', FLEET);
  const { exit } = await night.run('apply --yes --metrics run.prom');
  const text = night.read('run.prom');
  expect(problemsIn(text)).toEqual([]);
  expect(text).toContain(`fleetform_run_exit_code ${exit}\n`);
  expect(text).toMatch(/fleetform_run_changes\{outcome="verified"\} [1-9]/);
  expect(text).not.toMatch(/leak|acme|dev-|cam|Berlin/i);
});

test('a run that ends before its plan, or has nothing to do, replaces the metrics of the one before', async () => {
  const night = createNight({
    devices: 6,
    sites: 1,
    every: () => ({ condition: 'well', deviceType: 'camera' }),
  });
  const restarts =
    'restarts: {dark: {select: {deviceType: camera}, when: {status: offline, for: 20m}, windows: anytime}}\n';
  night.write('fleet/fleet.yaml', FLEET.replace(/incidents:[^]*/, restarts));
  night.write('run.prom', 'of an earlier run');
  await night.run('apply --yes --metrics run.prom');
  expect(night.read('run.prom')).toContain('fleetform_run_exit_code 0\n');
  expect(night.read('run.prom')).toContain('fleetform_run_coverage{kind="matching"} 6\n');
  night.write('fleet/fleet.yaml', 'nonsense: 1\n');
  const { exit } = await night.run('apply --yes --metrics run.prom');
  expect(exit).toBe(1);
  const text = night.read('run.prom');
  expect(problemsIn(text)).toEqual([]);
  expect(text).toContain('fleetform_run_exit_code 1\n');
  expect(text).toContain('fleetform_run_requests{purpose="tasks"} 0\n');
});

test('a file that cannot be written is reported, and changes nothing', async () => {
  const night = createNight({ devices: 6, sites: 1, every: () => ({ condition: 'well' }) });
  night.write('fleet/fleet.yaml', FLEET);
  night.write('taken/inside', '');
  const plain = await night.run('apply --yes');
  const failed = await night.run('apply --yes --metrics taken');
  expect(failed.exit).toBe(plain.exit);
  expect(failed.err.replaceAll(/\s+/g, ' ')).toContain('Cannot write the metrics to taken');
});

test('the check of this test can fail', () => {
  expect(problemsIn('a 1\n# EOF\n')).toEqual(['a has no type']);
  expect(problemsIn('# TYPE a gauge\na{x="1"} 1\na{x="1"} 2\n# EOF\n')).toHaveLength(1);
  expect(problemsIn('# TYPE a gauge\na NaNo\n')).toHaveLength(2);
});
