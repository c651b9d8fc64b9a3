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
    // Vitest leaves a core free by itself, which on two is half of them.
    maxWorkers: '100%',
    sequence: { sequencer: HeavyFirst },
    // Ends what hangs; how fast something is no test says.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
