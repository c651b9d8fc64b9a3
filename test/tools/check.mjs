// Every check and every test, as one command: `npm test`. Each check counts as one; the tests count one by one.
// The last line is `N passed, N failed`. `npm run check -- --quick` leaves the tests out.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
let passed = 0;
let failed = 0;

for (const [name, command, args] of CHECKS) count(name, run(command, args));
if (!quick) countTests();
rmSync(scratch, { recursive: true, force: true });
say(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function run(command, args) {
  const path = command === 'node' ? process.execPath : join('node_modules', '.bin', command);
  const started = performance.now();
  const { status } = spawnSync(path, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: environment(),
  });
  say(
    `${status === 0 ? 'ok' : 'FAILED'}  ${command} (${Math.round(performance.now() - started)} ms)`,
  );
  return status === 0;
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

function countTests() {
  const report = join(scratch, 'vitest.json');
  const args = [
    'run',
    '--config',
    'test/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
  ];
  const ok = run('vitest', [...args, `--outputFile.json=${report}`]);
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
