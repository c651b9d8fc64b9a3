// What a rehearsal costs: `npm run bench:rehearse -- --devices 10000 --days 14 --runs 1`. The snapshot of a simulated
// fleet is rehearsed: passwords of all cameras are rotated and two lines of cameras get another firmware, at 50 requests
// a second. No figure includes the simulator that made the snapshot. It prints one row, with the runs and the tasks.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { folder, machine, median, say, timed } from './measure.mjs';

const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '10000' },
    days: { type: 'string', default: '14' },
    runs: { type: 'string', default: '1' },
  },
});
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const USAGE = fileURLToPath(new URL('usage.mjs', import.meta.url));

try {
  const spent = await withTwin(async (env) => {
    await saveSnapshot(env);
    const all = [];
    for (let run = 0; run < Number(values.runs); run += 1) all.push(await rehearse(env));
    return all;
  });
  const { runs, tasks, requests } = spent[0].report;
  say(`${machine()}\n`);
  say('| Devices, days | CPU | wall | memory | runs | tasks | requests |');
  say('| --- | --- | --- | --- | --- | --- | --- |');
  const cells = [
    `${Number(values.devices).toLocaleString('en')}, ${values.days}`,
    `${median(spent.map(({ cpu }) => cpu)).toFixed(0)} s`,
    `${median(spent.map(({ wall }) => wall)).toFixed(0)} s`,
    `${Math.round(Math.max(...spent.map(({ peak }) => peak)) / 1_024)} MB`,
    runs,
    tasks,
    requests.p50.toLocaleString('en'),
  ];
  say(`| ${cells.join(' | ')} |`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A rehearsal refuses the documents of a simulator that does not answer, so it stays until the last one. */
async function withTwin(use) {
  mkdirSync(join(folder, 'fleet'), { recursive: true });
  const flags = ['--port', '0', '--devices', values.devices, '--sites', '40', '--seed', '1'];
  const twin = spawn(
    process.execPath,
    [MAIN, 'twin', ...flags, '--format', 'json', '--write-env', 'env'],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    await once(createInterface({ input: twin.stdout }), 'line');
    const lines = readFileSync(join(folder, 'env'), 'utf8').split('\n');
    return await use(
      Object.fromEntries(
        lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s, 2)),
      ),
    );
  } finally {
    twin.kill();
    await once(twin, 'exit');
  }
}

/** Saves the snapshot of the simulated fleet, with the documents beside it. */
async function saveSnapshot(env) {
  writeFileSync(join(folder, 'fleet', 'fleet.yaml'), documents(env.FLEETFORM_BASE_URL));
  const save = ['--max-reads', '0', '--save-snapshot', 'fleet.snapshot', '--quiet'];
  await timed([MAIN, 'plan', ...save], folder, { env });
}

/** One rehearsal of one simulation. */
async function rehearse(env) {
  const flags = ['--snapshot', 'fleet.snapshot', '--horizon', `${values.days}d`, '--runs', '1'];
  const run = ['rehearse', ...flags, '--format', 'json', '--quiet'];
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', USAGE, MAIN, ...run], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (some) => (text += some));
  const [[usage]] = await Promise.all([once(child, 'message'), once(child, 'close')]);
  const report = JSON.parse(text);
  if (report.error) throw new Error(report.error.summary);
  return { ...usage, wall: (performance.now() - started) / 1_000, report };
}

function documents(url) {
  return `service: {baseUrl: "${url}", organization: acme, pace: {requestsPerSecond: 50}}
windows: {nights: {timeZone: UTC, allow: [{days: mon-sun, from: "01:00", to: "05:00"}]}}
guardrails: {default: {maxPercentOfFleet: 100%, maxChanges: 100000}}
rotations:
  camera-passwords: {task: rotatePassword, select: {deviceType: camera}, maxAge: 180d, windows: nights}
firmware:
  axis: {select: {vendor: Axis, model: P3265-*}, version: "11.11.x", windows: nights}
  dahua: {select: {vendor: Dahua, model: IPC-*}, version: "2.820.x", windows: nights}
`;
}
