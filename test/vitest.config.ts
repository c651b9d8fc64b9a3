import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { HeavyFirst } from './tools/heavy-first.ts';

/** What `npm run test:campaign` runs; all else guards every change (`npm test`). */
const CAMPAIGN = [
  'test/{browser,chaos,crash,faults,replays,simulation}/**/*.test.ts',
  'test/**/*.slow.test.ts',
];

/** In `npm test` in part, and whole in the full campaign: see `test/campaign.json`. The slice `ci` follows `npm test`. */
const BOTH = [
  'test/contract/{dialect,not-understood}.test.ts',
  'test/doctor/dialects.test.ts',
  'test/package/readme.test.ts',
  'test/rehearsals/{approved,second-reading}.test.ts',
  'test/scenarios/scenario-laws.test.ts',
  'test/unit/adopt/next-plan.test.ts',
  'test/unit/apply/{absent-rows,spoiled-answers,send/same-decision}.test.ts',
  'test/unit/cli/commands/{get/odd-shapes,report/report}.test.ts',
  'test/unit/git/blame.test.ts',
  'test/unit/guard/pass-end.test.ts',
  'test/unit/operations/rehearse/rehearse.test.ts',
  'test/unit/plan/{work-ahead.laws,explain/who}.test.ts',
  'test/unit/render/{data/annotations,html/sinks,markdown/hostile-comment}.test.ts',
  'test/unit/store/forged-checkpoints.test.ts',
];

const isSlice = process.env['FLEETFORM_CAMPAIGN'] === 'ci';

const { FLAGS } = (await import(new URL('tools/flags.mjs', import.meta.url).href)) as {
  readonly FLAGS: string[];
};

const GIT_TEMPLATE_DIR = fileURLToPath(new URL('support/git-template', import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    // A fresh clone has no generated modules, and those of an older commit are out of date.
    globalSetup: ['test/tools/generate.mjs'],
    setupFiles: ['test/support/cost-setup.ts', 'test/support/canary-setup.ts'],
    // No test writes to the state folder of the person who runs it; children inherit this.
    // Repositories have no two dozen files of hooks that nobody runs, and tidy nothing up.
    env: { XDG_STATE_HOME: join(tmpdir(), 'fleetform-tests-state'), GIT_TEMPLATE_DIR },
    // A process of its own: starting git from one that all workers share takes many times as long, as its memory grows.
    // What was compiled is kept, by the content of its file. Mutants, which change sources behind the files, have a
    // configuration of their own (`test/mutants/tests.mjs`) and compile anew.
    experimental: {
      fsModuleCache: true,
      fsModuleCachePath: 'node_modules/.cache/modules-of-tests',
    },
    pool: 'forks',
    execArgv: FLAGS,
    isolate: false,
    // Many files wait for processes of their own: with one worker a core, a third of the time nobody is at work, and with
    // two a twentieth.
    // Said here, as projects do not take it from the command line.
    maxWorkers: Number(process.env['FLEETFORM_WORKERS'] ?? availableParallelism() * 2),
    sequence: { sequencer: HeavyFirst },
    // Ends what waits for ever; how fast something is no test says. What never waits is ended by `watched.mjs`.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      { extends: true, test: { name: 'guard', include: ['test/**/*.test.ts'], exclude: CAMPAIGN } },
      {
        extends: true,
        test: { name: 'campaign', include: [...CAMPAIGN, ...(isSlice ? [] : BOTH)] },
      },
    ],
  },
});
