import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/**
 * Runs the tests of one project of `test/vitest.config.ts`, or of some of its files (`paths`), and searches all
 * that they leave for planted secrets. Prints failures and what tests print; returns the result: `passed`,
 * `failed`, and `files` with the seconds of each.
 */
export async function runVitest({ project, paths = [], env = {} }) {
  const scratch = mkdtempSync(join(tmpdir(), 'fleetform-tests-'));
  const report = join(scratch, 'vitest.json');
  const canaries = join(scratch, 'canaries.jsonl');
  try {
    const reporters = ['--reporter=minimal', '--reporter=json', `--outputFile.json=${report}`];
    const isGood = await searched(
      ['run', '--config', 'test/vitest.config.ts', '--project', project, ...reporters, ...paths],
      { ...process.env, ...env, FLEETFORM_CANARIES: canaries },
    );
    const result = resultOf(report, isGood);
    result[isClean(canaries) ? 'passed' : 'failed'] += 1;
    return result;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Runs vitest, told as it comes; what it prints is searched for secrets as well. Its JSON report is not: beside
 * that it holds the names of the tests, some of which are the shapes of secrets that they are about.
 */
async function searched(args, env) {
  const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const child = spawn(join('node_modules', '.bin', 'vitest'), args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, ...colors },
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
  const printed = Object.entries(heard).map(([name, text]) => ({
    name: `${name} of vitest`,
    text,
  }));
  const found = search(printed, [...Object.values(CLIENT_SECRETS), ...SECRET_TEXTS]);
  for (const hit of found.hits) process.stdout.write(`a secret in ${hit}\n`);
  process.env.FLEETFORM_CANARIES = env.FLEETFORM_CANARIES;
  try {
    settle(found);
  } catch (error) {
    if (!isSecretsFound(error)) throw error;
  }
  return status === 0 && found.hits.length === 0;
}

/** What the report counts. A run that died before it wrote its report is one failure, never silence. */
function resultOf(report, isGood) {
  if (!existsSync(report)) return { passed: 0, failed: 1, files: [] };
  const {
    numPassedTests: passed,
    numFailedTests,
    testResults,
  } = JSON.parse(readFileSync(report, 'utf8'));
  const files = testResults.map(({ name, startTime, endTime }) => ({
    name: relative('.', name),
    seconds: (endTime - startTime) / 1_000,
  }));
  return { passed, failed: numFailedTests || (isGood ? 0 : 1), files };
}

/** Whether the tests searched for secrets and found none. None found in nothing is no result. */
function isClean(canaries) {
  const text = existsSync(canaries) ? readFileSync(canaries, 'utf8') : '';
  const sum = { files: 0, bytes: 0, hits: 0 };
  for (const line of text.split('\n').filter(Boolean)) {
    const one = JSON.parse(line);
    for (const key of Object.keys(sum)) sum[key] += one[key];
  }
  process.stdout.write(
    `secret canaries: ${sum.files} files, ${sum.bytes} bytes, ${sum.hits} hits\n`,
  );
  return sum.files > 0 && sum.hits === 0;
}
