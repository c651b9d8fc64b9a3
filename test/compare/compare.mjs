// Compares two builds of the command line by what they do: `npm run compare -- OLD NEW [--fleets 200] [--seed N] [--only TEXT]`.
//
// OLD and NEW are folders with a built `dist/` (`git worktree add --detach ../base main`, its node_modules, then
// `npm run build` in each). Both builds play the same cases in virtual time, against a service that comes from the sources
// beside this script: random fleets (test/compare/cases.ts), the demo fleet, and the services of test/doctor/dialects.
// Each case is validated, planned, explained, applied, and planned again. What differs is printed by case, command and
// part: exit, outcome, order, IDs, decisions, plan, output, requests, records. A build of each kind is one process that
// plays all cases; no scenario is played, since goldens hold those.
//
//   exit code 0: nothing differs    1: something differs, and every difference has a line    2: it could not be compared
//
// `--only TEXT` plays the cases whose name contains TEXT, and prints more of what differs. Differences that a change means
// to make are named in its commit. Runs cost some 5 minutes of processor time for 200 fleets, half on each of two cores.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** Collecting beside the program takes the core of the other build. */
const FLAGS = ['--single-threaded-gc', '--max-semi-space-size=128', '--always-sparkplug'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fleets: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
if (positionals.length !== 2) fail('Say two builds: npm run compare -- OLD NEW');
const builds = positionals.map((path) => resolve(path));
for (const build of builds)
  if (!existsSync(join(build, 'dist', 'main.js'))) fail(`${build} has no dist/main.js: build it`);

const scratch = mkdtempSync(join(tmpdir(), 'fleetform-compare-'));
try {
  const [before, after] = await Promise.all(builds.map((build, at) => play(build, String(at))));
  process.exitCode = report(before, after);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Plays all cases with a build in a process of its own; returns what each did, by name. */
async function play(build, name) {
  const results = join(scratch, `${name}.jsonl`);
  const hooks = new URL('../support/typescript-register.mjs', import.meta.url).href;
  const player = fileURLToPath(new URL('play.ts', import.meta.url));
  const { fleets, seed, only } = values;
  const args = [...FLAGS, '--import', hooks, player, build, results, fleets, seed, only];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`${build} could not be played`);
  const lines = readFileSync(results, 'utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => JSON.parse(line)).map((each) => [each.name, each.steps]));
}

function report(before, after) {
  let differing = 0;
  const sums = {};
  for (const [name, steps] of before) {
    const lines = steps.flatMap((step, at) => differences(step, after.get(name)?.[at]));
    if (lines.length === 0) continue;
    differing += 1;
    for (const { part } of lines) sums[part] = (sums[part] ?? 0) + 1;
    for (const { command, part, where } of lines) say(`${name}: ${command}: ${part}: ${where}`);
  }
  const commands = [...before.values()].reduce((sum, steps) => sum + steps.length, 0);
  const told = Object.entries(sums).map(([part, count]) => `${part} ${count}`);
  say(`${before.size} cases, ${commands} commands: ${told.join(', ') || 'nothing differs'}`);
  if (differing > 0) say(`${differing} cases differ; look at one with --only NAME`);
  return differing === 0 ? 0 : 1;
}

/** Each part of a step that differs, with the first places where it does. */
function differences(before, after) {
  const { command, parts } = before;
  return Object.entries(parts).flatMap(([part, value]) => {
    const places = differ(value, after?.parts[part], '');
    const shown = values.only ? places : places.slice(0, 3);
    const more = places.length > shown.length ? ` and ${places.length - shown.length} more` : '';
    return places.length === 0 ? [] : [{ command, part, where: `${shown.join('; ')}${more}` }];
  });
}

/** The places where two values differ, with both. */
function differ(a, b, at) {
  if (a === b) return [];
  const isMap = (value) => typeof value === 'object' && value !== null;
  if (!isMap(a) || !isMap(b)) return [`${at} ${text(a)} -> ${text(b)}`.trim()];
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return keys.flatMap((key) => differ(a[key], b[key], at === '' ? key : `${at}.${key}`));
}

function text(value) {
  const whole = JSON.stringify(value) ?? 'absent';
  return whole.length > 160 && !values.only ? `${whole.slice(0, 160)}...` : whole;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

function fail(why) {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}
