import { afterAll } from 'vitest';
import { settleWatched } from './canary-watch.ts';

// Runs for every file of tests: what its tests printed or recorded in this process is searched for secrets.
afterAll(settleWatched);
