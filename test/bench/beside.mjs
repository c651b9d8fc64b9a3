// `npm run bench:beside -- [--runs N] [--changes DEVICES] [--read N,N] [--devices N,N] [--behind N,N] [--night DEVICES]
// [--folder FOLDER] [--only NAME,NAME]`: what costs processor time beside a plan: single reads, reading a fleet, apply against a twin in
// another process, saved plans, validate, start, and what a person reads after a large night, which `--folder` keeps for the next
// time. Each figure runs in turn with its floor, as whole processes; prints median, minimum, ratio to the floor and peak
// memory. Needs a build. No figure is a test.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  largeDocuments,
  NIGHT_FAULTS,
  nightDocuments,
  rotationDocuments,
  SOME_SITES,
} from './beside-documents.mjs';
import { folder, machine, median, say, timed } from './measure.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    changes: { type: 'string', default: '100000' },
    devices: { type: 'string', default: '1400,14000' },
    behind: { type: 'string', default: '100000' },
    read: { type: 'string', default: '100000' },
    night: { type: 'string', default: '12000' },
    folder: { type: 'string' },
    only: { type: 'string', default: 'start,one,read,validate,plans,apply' },
  },
});
const HERE = fileURLToPath(new URL('.', import.meta.url));
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const REQUESTS = join(HERE, 'requests-floor.mjs');
const PART = join(HERE, 'night-part.mjs');
const EXAMPLE = fileURLToPath(new URL('../../', import.meta.url));
const SINGLE_READS = 4_000;
const runs = Number(values.runs);
const FIGURES = {
  start: benchStart,
  one: benchOne,
  read: benchRead,
  validate: benchValidate,
  plans: benchPlans,
  apply: benchApply,
  behind: benchBehind,
  night: benchNight,
};
/** Exit codes of commands after a night that left something open. */
const ANY_END = [0, 2, 4, 5, 7];
const [OVER_LOADING, PEAK] = [2, 350];

say(`${machine()}, ${runs} runs each, CPU seconds\n`);
say('| Figure | floor | median | least | ratio | memory |');
say('| --- | --- | --- | --- | --- | --- |');
try {
  for (const name of values.only.split(',')) await FIGURES[name]();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs a figure and its floor in turn. */
async function bench(name, floor, figure) {
  const pairs = [];
  for (let run = 0; run < runs; run += 1) pairs.push({ floor: await floor(), own: await figure() });
  const own = pairs.map((pair) => pair.own.cpu);
  const ratios = pairs.map((pair) => pair.own.cpu / pair.floor.cpu);
  const cells = [
    name,
    `${median(pairs.map((pair) => pair.floor.cpu)).toFixed(2)} s`,
    `${median(own).toFixed(2)} s`,
    `${Math.min(...own).toFixed(2)} s`,
    median(ratios).toFixed(2),
    `${Math.round(Math.max(...pairs.map((pair) => pair.own.peak)) / 1_024)} MB`,
  ];
  say(`| ${cells.join(' | ')} |`);
  return pairs;
}

/** Bare Node. */
function node() {
  return timed(['-e', '0'], folder);
}

async function benchStart() {
  await bench('`--help` (floor: `node -e 0`)', node, () => timed([MAIN, '--help'], folder));
  await bench('`validate` of the example (floor: `node -e 0`)', node, () =>
    timed([MAIN, 'validate'], EXAMPLE),
  );
}

/** Reads of one device after another. Only they count, not the start of either process. */
async function benchOne() {
  const server = spawn(process.execPath, [join(HERE, 'serve.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [url] = await once(createInterface({ input: server.stdout }), 'line');
  const read = (script) => () => timed([join(HERE, script), url, String(SINGLE_READS)], folder);
  const name = `${SINGLE_READS.toLocaleString('en')} single reads (floor: undici \`request\` and \`JSON.parse\`)`;
  await bench(name, read('one-floor.mjs'), read('one-load.mjs'));
  server.stdin.end();
}

/** The devices of a fleet, fetched, parsed, checked and kept; the floor keeps seven fields and checks nothing. */
async function benchRead() {
  for (const devices of values.read.split(',').map(Number)) {
    const server = spawn(process.execPath, [join(HERE, 'serve.mjs'), String(devices)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [url] = await once(createInterface({ input: server.stdout }), 'line');
    const read = (script) => () => timed([join(HERE, script), url], folder);
    const name = `reading ${devices.toLocaleString('en')} devices (floor: \`JSON.parse\`, seven fields)`;
    await bench(name, read('floor.mjs'), read('read-load.mjs'));
    server.stdin.end();
  }
}

async function benchValidate() {
  const place = join(folder, 'documents');
  mkdirSync(join(place, 'fleet'), { recursive: true });
  for (const [name, text] of largeDocuments(1_000, 100_000))
    writeFileSync(join(place, 'fleet', name), text);
  const parse = [join(HERE, 'parse-floor.mjs'), join(place, 'fleet')];
  await bench(
    '`validate` of 1,000 documents, 100,000 lines (floor: `yaml` parse)',
    () => timed(parse, place),
    () => timed([MAIN, 'validate'], place),
  );
}

/** A plan whose changes are most of a fleet, from pages made beforehand. */
async function benchPlans() {
  const devices = Number(values.changes);
  const server = spawn(process.execPath, [join(HERE, 'serve.mjs'), String(devices)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [url] = await once(createInterface({ input: server.stdout }), 'line');
  const place = join(folder, 'plans');
  mkdirSync(join(place, 'fleet'), { recursive: true });
  writeFileSync(join(place, 'fleet', 'fleet.yaml'), rotationDocuments(url));
  const plan = (...more) => timed([MAIN, 'plan', '--quiet', ...more], place);
  const many = devices.toLocaleString('en');
  await bench(`\`plan -o plan.json\` of ${many} devices (floor: \`plan\`)`, plan, () =>
    plan('-o', 'plan.json'),
  );
  await bench('`plan -o plan.json.gz` (floor: `plan`)', plan, () => plan('-o', 'plan.json.gz'));
  server.stdin.end();
  const show = (file) => () => timed([MAIN, 'show', file, '--format', 'md'], place);
  const load = (file) => () => timed([join(HERE, 'plan-load.mjs'), file], place);
  await bench('reading `plan.json` (floor: `node -e 0`)', node, load('plan.json'));
  await bench('`show --format md` (floor: reading it)', load('plan.json'), show('plan.json'));
  await bench(
    '`show --format md` with gzip (floor: reading it)',
    load('plan.json.gz'),
    show('plan.json.gz'),
  );
}

async function benchApply() {
  for (const devices of values.devices.split(',').map(Number))
    await applyTo({ devices, sites: 50 });
}

/** The same some ten thousand devices in larger fleets, of which they are a small part. */
async function benchBehind() {
  for (const devices of values.behind.split(',').map(Number))
    await applyTo({ devices, sites: devices / 1_000, part: SOME_SITES });
}

/** What a person reads after a night in which most of a fleet changed, some of it badly. */
async function benchNight() {
  const place = values.folder === undefined ? join(folder, 'night') : resolve(values.folder);
  if (!existsSync(join(place, 'after.snapshot'))) await makeNight(place);
  const command = (text) => [MAIN, ...text.split(' ')];
  const after = 'after.snapshot';
  const saved = `--snapshot ${after}`;
  const onSnapshot = [
    'status',
    'why dev-1',
    'drift',
    'report compliance',
    'report availability',
    'report overview',
    'report compliance --format csv',
    'report --format html',
  ];
  const rows = [
    ...['audit', 'audit --format json', 'audit verify'].map((name) => [
      name,
      command(name),
      'ledger',
    ]),
    ['note of the run', [PART, 'note', 'ledger'], 'ledger'],
    ...onSnapshot.map((name) => [name, command(`${name} ${saved}`), 'ledger', after]),
    ...['', ' --format md', ' --format html'].map((format) => [
      `show plan.json${format}`,
      command(`show plan.json${format}`),
      'plan.json',
    ]),
    ['comment of `ci comment`', [PART, 'comment', 'plan.json'], 'plan.json'],
  ];
  for (const [name, call, ...files] of rows) {
    const pairs = await bench(
      `${name} (floor: reading ${files.join(', ')})`,
      () => timed([PART, 'load', 'fleet', ...files], place),
      () => timed(call, place, { codes: ANY_END }),
    );
    const over = median(pairs.map(({ own, floor }) => own.cpu - floor.cpu));
    const peak = Math.max(...pairs.map(({ own }) => own.peak)) / 1_024;
    const [spent, held] = [`${over.toFixed(2)} s`, `${Math.round(peak)} MB`];
    const met = (isMet) => (isMet ? 'met' : 'missed');
    say(
      `| after loading (goal ${OVER_LOADING} s: ${met(over <= OVER_LOADING)}; ${PEAK} MB: ${met(peak <= PEAK)}) | | ${spent} | | | ${held} |`,
    );
  }
}

/** Plans and applies a night, and keeps its plan, its ledger, its note, and the fleet as it is afterwards. */
async function makeNight(place) {
  const fleet = { devices: Number(values.night), sites: 60, place };
  const { twin, env } = await startTwin({
    ...fleet,
    documents: nightDocuments,
    faults: NIGHT_FAULTS,
  });
  const run = (...command) => timed([MAIN, ...command], place, { env, codes: ANY_END });
  try {
    const git = (...args) => execFileSync('git', args, { cwd: place });
    git('init', '--quiet', '--initial-branch=main');
    git('config', 'user.name', 'Bench');
    git('config', 'user.email', 'bench@example.com');
    git('add', 'fleet');
    git('commit', '--quiet', '--message', 'The night');
    await run('plan', '--quiet', '-o', 'plan.json');
    // A second run starts what the first one had to leave for a later wave.
    const applied = await run('apply', '--yes', '--quiet', '--metrics', 'metrics.txt');
    await run('apply', '--yes', '--quiet');
    await run('plan', '--quiet', '--save-snapshot', 'after.snapshot');
    const verified = countVerified(place).toLocaleString('en');
    const peak = Math.round(applied.peak / 1_024);
    say(
      `| \`apply\` of the night, ${verified} devices verified | | ${applied.cpu.toFixed(2)} s | | | ${peak} MB |`,
    );
  } finally {
    twin.kill();
    await once(twin, 'exit');
  }
}

/**
 * The floor of an apply is the plan of the same fleet, and the requests that it makes on top of those of the plan; the rest
 * is what its devices cost.
 */
async function applyTo(fleet) {
  const codes = [0, 4, 7];
  const on = async (command) => {
    const { twin, env, place } = await startTwin(fleet);
    try {
      return await command(place, (...args) => timed(args, place, { env, codes }), env);
    } finally {
      twin.kill();
      await once(twin, 'exit');
    }
  };
  let changed = 0;
  const apply = [MAIN, 'apply', '--yes', '--quiet'];
  const requests = (_, run, env) =>
    run(MAIN, 'plan', '--quiet', '--trace', 'plan.trace')
      .then(() => run(...apply, '--trace', 'apply.trace'))
      .then(() => run(REQUESTS, env.FLEETFORM_BASE_URL, 'apply.trace', 'plan.trace'));
  const pairs = await bench(
    `\`apply\` on a fleet of ${fleet.devices.toLocaleString('en')} (floor: \`plan\`, and the other requests by undici)`,
    async () => {
      const plan = await on((_, run) => run(MAIN, 'plan', '--quiet'));
      return { cpu: plan.cpu + (await on(requests)).cpu };
    },
    () =>
      on(async (place, run) => {
        const took = await run(...apply, '--metrics', 'metrics.txt');
        changed = countVerified(place);
        return took;
      }),
  );
  const applied = pairs.map(({ floor, own }) => ((own.cpu - floor.cpu) / changed) * 1_000);
  const each = `${median(applied).toFixed(2)} ms (least ${Math.min(...applied).toFixed(2)})`;
  say(
    `| of that each of ${changed.toLocaleString('en')} devices, over the floor | | ${each} | | | |`,
  );
}

async function startTwin({
  devices,
  sites,
  part,
  faults,
  documents = rotationDocuments,
  place = mkdtempSync(join(folder, 'apply-')),
}) {
  mkdirSync(join(place, 'fleet'), { recursive: true });
  const flags = [
    '--port',
    '0',
    '--devices',
    String(devices),
    '--sites',
    String(sites),
    '--seed',
    '1',
  ];
  const fast = ['--time-scale', '2000', '--max-devices-per-task', '1000', '--format', 'json'];
  if (faults) {
    writeFileSync(join(place, 'faults.json'), JSON.stringify(faults));
    fast.push('--faults', 'faults.json', '--world', 'world.json');
  }
  const twin = spawn(process.execPath, [MAIN, 'twin', ...flags, ...fast, '--write-env', 'env'], {
    cwd: place,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface({ input: twin.stdout }), 'line');
  const lines = readFileSync(join(place, 'env'), 'utf8').split('\n');
  const env = Object.fromEntries(
    lines
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  writeFileSync(join(place, 'fleet', 'fleet.yaml'), documents(env.FLEETFORM_BASE_URL, part));
  return { twin, env, place };
}

function countVerified(place) {
  const text = readFileSync(join(place, 'metrics.txt'), 'utf8');
  return Number(/outcome="verified"[^}]*\} (\d+)/.exec(text)?.[1] ?? 0);
}
