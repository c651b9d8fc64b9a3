import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { FLAGS } from './flags.mjs';

const TSC = 'node_modules/typescript-native/bin/tsc';

const CACHE = 'node_modules/.cache/format';
const PRETTIER = [...FLAGS, 'node_modules/prettier/bin/prettier.cjs'];
const FORMAT = ['--check', '--cache', '--log-level', 'warn', '--cache-location', CACHE];
const FORMATTED = ['src', 'test', '*.json'];

/** Commits back to which the slice `ci` looks at the format: it looked at what is older when that changed. */
const RECENT = 30;

/** Files of recent commits whose format is checked; all of them in a clone without those commits. */
function recentFiles() {
  const args = ['diff', '--name-only', '--diff-filter=d', `HEAD~${RECENT}`, '--', ...FORMATTED];
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? ['--ignore-unknown', 'package.json', ...lines(stdout)] : FORMATTED;
}

function lines(text) {
  return text.split('\n').filter(Boolean);
}

/** What is checked beside the tests: a name, a command of node_modules (or node), its arguments, or what makes them. */
export const CHECKS = [
  ['format', 'node', [...PRETTIER, ...FORMAT, ...FORMATTED]],
  ['recent-format', 'node', () => [...PRETTIER, ...FORMAT, ...recentFiles()]],
  ['types', 'node', [TSC, '-p', 'test/tsconfig.json']],
  ['lint', 'oxlint', ['--deny-warnings', 'src', 'test']],
  ['types of the page', 'node', [TSC, '-p', 'src/render/html/page/tsconfig.json']],
  ['generated files', 'node', ['test/tools/generate.mjs', '--check']],
  ['service contract', 'redocly', ['lint', 'schemas/service.openapi.yaml', '--format', 'stylish']],
  ['build', 'node', ['test/tools/build.mjs']],
];

/** Minutes after which a check does not end any more. */
const LIMIT = 10;

/**
 * Those before the tests: what a program is right or wrong by. Black boxes build the command line themselves; the slice
 * `ci` packs what `build` makes, and looks at the format of what changed of late; all takes as long as all other checks.
 */
export const TEST_CHECKS = CHECKS.filter(
  ([name]) => !['build', 'format', 'recent-format'].includes(name),
);

/** Those of the inner loop. */
export const QUICK_CHECKS = CHECKS.filter(([name]) => name === 'types' || name === 'lint');

/** One after the other: the demo runs what was built, with a simulator and a ledger of its own. */
export const SMOKE_CHECKS = [
  ...CHECKS.filter(([name]) => name === 'build'),
  ['demo', 'node', ['dist/main.js', 'twin', '--demo']],
];

/** Two checks at a time, one for each of two cores. Prints a line for each, and what one that failed said; returns the result. */
export async function runChecks(checks) {
  const waiting = [...checks];
  const result = { passed: 0, failed: 0, failures: [], files: [] };
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, command, args] = next;
      const { isGood, seconds, text } = await run(
        command,
        typeof args === 'function' ? args() : args,
      );
      result[isGood ? 'passed' : 'failed'] += 1;
      result.files.push({ name: `check: ${name}`, seconds });
      if (!isGood) {
        result.failures.push(`check: ${name}`);
        process.stdout.write(`${text}\n`);
      }
      process.stdout.write(`check: ${name}: ${isGood ? 'passed' : 'failed'}\n`);
    }
  };
  await Promise.all([work(), work()]);
  return result;
}

/** Keeps what a command printed until it has ended: two at a time would talk into each other. */
async function run(command, args) {
  const path = command === 'node' ? process.execPath : join('node_modules', '.bin', command);
  const started = performance.now();
  const child = spawn(path, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT * 60_000,
    killSignal: 'SIGKILL',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  let text = '';
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (more) => (text += more));
  const [status, signal] = await once(child, 'close');
  if (signal) text += `ended by ${signal} after ${LIMIT} minutes`;
  return { isGood: status === 0, seconds: (performance.now() - started) / 1_000, text };
}
