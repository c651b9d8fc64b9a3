import { spawnSync } from 'node:child_process';

/**
 * Most of what tests and checks run is run a few times: what is compiled once more to run faster costs more than it
 * saves, and so do the many collections of a small young heap, and threads that help to collect where all cores are at
 * work. A quarter of the processor time. None where node does not know them.
 */
const ALL = ['--max-semi-space-size=64', '--interrupt-budget=1200000', '--single-threaded-gc'];

export const FLAGS = spawnSync(process.execPath, [...ALL, '--eval', '']).status === 0 ? ALL : [];
