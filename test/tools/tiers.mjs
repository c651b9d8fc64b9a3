// The tiers of tests, one command each:
//   check [NAME ...]               format, lint, types, generated files, contract, build
//   quick [FOLDER ...]             types, lint, and the tests that the uncommitted change or the folders touch; a change in
//                                  one folder that costs more processor time than QUICK_SECONDS fails
//   smoke                          build, paths, locks, signals and a demo: what differs between operating systems
//   test                           the checks but for format and build, and everything that guards each change
//   campaign [--slice ci|full] [--seed N]
//                                  simulation, crashes, faults, mutants, chaos, replays, the browser, and what is slow
//   summary FILE ...               one summary of the results that the tiers before it have kept
// Each check counts as one, the tests one by one; the last line is `N passed, N failed`.
// FLEETFORM_TEST_RESULT names a file that keeps the result of a tier for `summary`, which tells it then.
// FLEETFORM_FILE_MINUTES: a file of tests that takes longer ends the run, and is named.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { runCampaign } from './campaign.mjs';
import { CHECKS, QUICK_CHECKS, SMOKE_CHECKS, TEST_CHECKS, runChecks } from './checks.mjs';
import { printSummary, processorSeconds, record, sumOf } from './summary.mjs';
import { setup } from './generate.mjs';
import { foldersTouched, testsTouched } from './touched.mjs';
import { runVitest } from './vitest.mjs';

/**
 * The processor time that `quick` may take for a change in one folder, all processes that it starts included: 30 s on a
 * machine with nothing else to do, half as much again on one that ten others want. What puts a folder above belongs into
 * `heavy.json`, or is to cost less.
 */
const QUICK_SECONDS = 45;

/** Tests of what an operating system does its own way: paths, files, locks, signals, line ends, zones. */
const SMOKE = ['config', 'lib', 'calendar', 'shell', 'store'].map((room) => `test/unit/${room}`);

const TIERS = {
  check: async (names) => [await runChecks(checksNamed(names))],
  quick: async (folders) => {
    const { paths, leftOut } = testsTouched(folders);
    for (const test of leftOut) process.stdout.write(`left to npm test: ${test}\n`);
    // At once: types and lint take one core for a moment, and one file of tests may take the other for long.
    const checks = runChecks(QUICK_CHECKS);
    // Each worker loads what its files import: one is enough for seconds of tests.
    const how = { project: 'guard', paths, workers: 1 };
    const tests = paths.length === 0 ? [] : [runVitest(how)];
    return Promise.all([checks, ...tests]);
  },
  smoke: async () => [
    ...(await inTurn(SMOKE_CHECKS.map((check) => () => runChecks([check])))),
    await runVitest({ project: 'guard', paths: SMOKE }),
  ],
  test: async () => [await runChecks(TEST_CHECKS), await runVitest({ project: 'guard' })],
  campaign: (args) => runCampaign(args),
  summary: async (files) => files.map(kept),
};

function checksNamed(names) {
  const known = CHECKS.map(([name]) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown) throw new Error(`'${unknown}' is no check: say one of ${known.join(', ')}`);
  const whole = CHECKS.filter(([name]) => name !== 'recent-format');
  return names.length === 0 ? whole : CHECKS.filter(([name]) => names.includes(name));
}

async function inTurn(jobs) {
  const results = [];
  for (const job of jobs) results.push(await job());
  return results;
}

/** A tier that left no result has failed. */
function kept(file) {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  return {
    passed: 0,
    failed: 1,
    failures: [`${basename(file, '.json')}: left no result`],
    files: [],
  };
}

const [name = '', ...args] = process.argv.slice(2);
const tier = TIERS[name];
if (!tier) throw new Error(`'${name}' is no tier: say one of ${Object.keys(TIERS).join(', ')}`);

const started = performance.now();
if (name !== 'summary') await setup();
const result = sumOf(await tier(args));
if (name !== 'summary') {
  result.seconds = (performance.now() - started) / 1_000;
  result.cpu = processorSeconds();
  record(name, result);
}
if (name === 'quick' && foldersTouched(args).length <= 1 && result.cpu > QUICK_SECONDS) {
  result.failed += 1;
  result.failures.push(`quick: more than ${QUICK_SECONDS} s of processor time`);
}
const file = process.env.FLEETFORM_TEST_RESULT;
if (file && name !== 'summary') writeFileSync(file, JSON.stringify(result));
else printSummary(result);
process.exitCode = result.failed === 0 ? 0 : 1;
