import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { HeavyFirst } from './tools/heavy-first.ts';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/canary-setup.ts'],
    pool: 'threads',
    isolate: false,
    // Many files wait for processes of their own: with one worker a core, a third of the time nobody is at work.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: HeavyFirst },
    // Ends what hangs; how fast something is no test says.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
