// Every check and every test, as one command: `npm test`. Each check counts as one; the tests count one by one.
// The last line is `N passed, N failed`. `npm run check -- --quick` leaves the tests out.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHECKS = [
  ['format', 'prettier', ['--check', '--cache', '--log-level', 'warn', 'src', 'test', '*.json']],
  ['lint', 'oxlint', ['--deny-warnings', 'src', 'test']],
  ['types', 'tsc', ['-p', 'test/tsconfig.json']],
  ['types of the page', 'tsc', ['-p', 'src/page/tsconfig.json']],
  ['generated files', 'node', ['test/tools/generate.mjs', '--check']],
  ['service contract', 'redocly', ['lint', 'schemas/service.openapi.yaml', '--format', 'stylish']],
  ['build', 'node', ['test/tools/build.mjs']],
];

const scratch = mkdtempSync(join(tmpdir(), 'fleetform-check-'));
const canaries = join(scratch, 'canaries.jsonl');
const quick = process.argv.includes('--quick');
const waiting = [...CHECKS];
let passed = 0;
let failed = 0;

await Promise.all([lane(), lane()]);
if (!quick) await countTests();
rmSync(scratch, { recursive: true, force: true });
say(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Two checks at a time, one for each of two cores. */
async function lane() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, command, args] = next;
    count(name, await run(command, args));
  }
}

/** Tells what a command printed once it has ended: two at a time would talk into each other. */
async function run(command, args) {
  const path = command === 'node' ? process.execPath : join('node_modules', '.bin', command);
  const started = performance.now();
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment() });
  let text = '';
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (more) => (text += more));
  const status = await new Promise((resolve) => child.on('close', resolve));
  process.stdout.write(text);
  say(
    `${status === 0 ? 'ok' : 'FAILED'}  ${command} (${Math.round(performance.now() - started)} ms)`,
  );
  return status === 0;
}

/**
 * As `run`, told as it comes; what it prints is searched for secrets as well. Its JSON report is not: beside that it
 * holds the names of the tests, some of which are the shapes of secrets that they are about.
 */
async function runHeard(command, args) {
  const started = performance.now();
  const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const child = spawn(join('node_modules', '.bin', command), args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment(), ...colors },
  });
  const heard = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].pipe(process[name], { end: false });
    child[name].setEncoding('utf8').on('data', (text) => (heard[name] += text));
  }
  const status = await new Promise((resolve) => child.on('close', resolve));
  register('../support/typescript-hooks.mjs', import.meta.url);
  const { search, settle, isSecretsFound, CLIENT_SECRETS, SECRET_TEXTS } =
    await import('../support/canary.ts');
  const left = Object.entries(heard).map(([name, text]) => ({
    name: `${name} of ${command}`,
    text,
  }));
  const found = search(left, [...Object.values(CLIENT_SECRETS), ...SECRET_TEXTS]);
  for (const hit of found.hits) say(`a secret in ${hit}`);
  process.env.FLEETFORM_CANARIES = canaries;
  try {
    settle(found);
  } catch (error) {
    if (!isSecretsFound(error)) throw error;
  }
  const ok = status === 0 && found.hits.length === 0;
  say(`${ok ? 'ok' : 'FAILED'}  ${command} (${Math.round(performance.now() - started)} ms)`);
  return ok;
}

function environment() {
  return {
    ...process.env,
    FLEETFORM_CANARIES: canaries,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  };
}

function count(name, ok) {
  if (ok) passed += 1;
  else failed += 1;
  if (!ok) say(`check failed: ${name}`);
}

async function countTests() {
  const report = join(scratch, 'vitest.json');
  const args = [
    'run',
    '--config',
    'test/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
  ];
  const ok = await runHeard('vitest', [...args, `--outputFile.json=${report}`]);
  const result = readReport(report);
  passed += result.numPassedTests;
  failed += result.numFailedTests;
  if (!ok && result.numFailedTests === 0) failed += 1;
  count('secret canaries', sumCanaries());
}

/** What the tests searched for secrets. None found in nothing is no result. */
function sumCanaries() {
  const text = existsSync(canaries) ? readFileSync(canaries, 'utf8') : '';
  const sum = { files: 0, bytes: 0, hits: 0 };
  for (const line of text.split('\n').filter(Boolean)) {
    const searched = JSON.parse(line);
    for (const key of Object.keys(sum)) sum[key] += searched[key];
  }
  say(`secret canaries: ${sum.files} files, ${sum.bytes} bytes, ${sum.hits} hits`);
  return sum.files > 0 && sum.hits === 0;
}

/** A run that died before it wrote its report is one failure, never silence. */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0 };
  }
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
