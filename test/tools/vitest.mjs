import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watched } from './watched.mjs';

/**
 * Runs the tests of one project of `test/vitest.config.ts`, or of some of its files (`paths`), and searches all
 * that they leave for planted secrets. Prints failures and what tests print; returns the result: `passed`,
 * `failed`, `failures` by name, and `files` with the seconds of each. A file may take so many `minutes`.
 * `workers`: how many at once.
 */
export async function runVitest({ project, paths = [], env = {}, minutes, workers }) {
  const scratch = mkdtempSync(join(tmpdir(), 'fleetform-tests-'));
  const canaries = join(scratch, 'canaries.jsonl');
  try {
    const reporters = ['--reporter=minimal', '--reporter=./test/tools/told.mjs'];
    const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
    const most = workers === undefined ? {} : { FLEETFORM_WORKERS: String(workers) };
    const { passed, failures, files, said } = await watched(
      ['run', '--config', 'test/vitest.config.ts', '--project', project, ...reporters, ...paths],
      { ...process.env, ...env, ...most, ...colors, FLEETFORM_CANARIES: canaries },
      minutes,
    );
    const hits = await secretsIn(said, canaries);
    failures.push(...hits.map((hit) => `a secret in ${hit}`));
    const isSearched = isClean(canaries);
    if (!isSearched && hits.length === 0) failures.push('secret canaries');
    return { passed: passed + Number(isSearched), failed: failures.length, failures, files };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Searches what was printed for secrets, and counts it as searched; returns where one is. */
async function secretsIn(printed, canaries) {
  register('../support/typescript-hooks.mjs', import.meta.url);
  const { search, settle, isSecretsFound, CLIENT_SECRETS, SECRET_TEXTS } =
    await import('../support/canary.ts');
  const texts = Object.entries(printed).map(([name, text]) => ({
    name: `${name} of vitest`,
    text,
  }));
  const found = search(texts, [...Object.values(CLIENT_SECRETS), ...SECRET_TEXTS]);
  process.env.FLEETFORM_CANARIES = canaries;
  try {
    settle(found);
  } catch (error) {
    if (!isSecretsFound(error)) throw error;
  }
  return found.hits;
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
