import { describe, expect, it } from 'vitest';
import { takeCourseOf } from '../support/rehearsal-course.ts';
import { createWorld, readRehearsal } from '../support/rehearsal-world.ts';

/** Rehearsals whose next step is of interest before their last run: it and the table are those of a plan made then. */
const ENDS: readonly (readonly [name: string, runs: number, what: string])[] = [
  ['432-N71-two-hops-and-a-retry', 2, 'a retry that starts later'],
  ['486-K28-K29-a-recorder-that-fails-holds-its-site-alone', 1, 'a device without a retry'],
  ['80-P8-stopped-at-the-canary', 1, 'a rollout that a failed canary has stopped'],
  ['C10-a-canary-that-went-offline-holds-its-wave', 8, 'the last good look at a gate'],
  [
    'K27-a-refused-policy-starts-nothing-beside-one-whose-canary-passes',
    3,
    'a file of a policy that is refused',
  ],
  ['S2-third-restart-in-a-week', 1, 'a restart that failed'],
];

describe('N85 M31 the end of a run in the middle of a course', () => {
  it.each(ENDS)('%s, run %i: %s', async (name, runs) => {
    const { script, ...rehearsal } = readRehearsal(name);
    const upTo = { ...rehearsal, script: { ...script, runs: script.runs.slice(0, runs) } };
    const { broken } = await takeCourseOf(upTo, createWorld(script));
    expect(broken).toEqual([]);
  });
});
