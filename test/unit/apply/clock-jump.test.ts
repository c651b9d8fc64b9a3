import { describe, expect, it } from 'vitest';
import { exitOfRun } from '../../../src/shell/exit-of-run.ts';
import { runOnce } from '../../support/rehearsal.ts';
import { linesOf } from '../../support/rehearsal-summary.ts';
import { createWorld, readRehearsal } from '../../support/rehearsal-world.ts';

const SECOND = 1_000;

/** The clock of this machine, which moves away from the one of the service by hand. */
function withJumps() {
  const rehearsal = readRehearsal('happy-batch');
  const world = createWorld(rehearsal.script);
  const jump = { wall: 0, monotonic: 0 };
  const { clock } = world;
  const ours = {
    ...clock,
    now: () => clock.now() + jump.wall,
    monotonic: () => clock.monotonic() + jump.monotonic,
  };
  return { rehearsal, world: { ...world, clock: ours }, jump };
}

/** A run whose clocks jump right after its first ATTEMPT is written, before its POST. */
async function jumpedBeforePost(by: { readonly wall?: number; readonly monotonic?: number }) {
  const { rehearsal, world, jump } = withJumps();
  let isFirst = true;
  const { report } = await runOnce(rehearsal, world, {
    process: 1,
    onProgress: ({ type }) => {
      if (type === 'attempt.sent' && isFirst) Object.assign(jump, by);
      if (type === 'attempt.sent') isFirst = false;
    },
  });
  const [first] = linesOf(world.store.records).filter((line) => line.startsWith('RESULT'));
  return { first, report };
}

describe('between ATTEMPT and POST', () => {
  it.each([
    ['the machine was suspended: the wall clock says late', { wall: 31 * SECOND }],
    [
      'the wall clock was set back: the other one says late',
      { wall: -60 * SECOND, monotonic: 31 * SECOND },
    ],
    ['both say late', { wall: 31 * SECOND, monotonic: 31 * SECOND }],
  ])('%s: it is not sent', async (_, by) => {
    expect((await jumpedBeforePost(by)).first).toBe('RESULT notSent notTried');
  });

  it('a few seconds on both clocks do no harm', async () => {
    const few = { wall: 5 * SECOND, monotonic: 5 * SECOND };
    const { first, report } = await jumpedBeforePost(few);
    expect(first).toBe('RESULT accepted P03 200');
    expect(report?.counts).toMatchObject({ verified: 4 });
  });
});

describe('a wall clock that was moved while the run was at work', () => {
  it.each([
    ['two minutes ahead', 120 * SECOND],
    ['two minutes back', -120 * SECOND],
  ])('%s of the service: no further attempt, and exit 9', async (_, wall) => {
    const { rehearsal, world, jump } = withJumps();
    const { report } = await runOnce(rehearsal, world, {
      process: 1,
      onProgress: ({ type }) => void (type === 'attempt.answered' && (jump.wall = wall)),
    });
    expect(report).toMatchObject({ attempts: 1, failure: { code: 'clockSkew' } });
    expect(report && exitOfRun(report)).toBe(9);
  });

  it('less than a minute ahead: it goes on, and judges by the clock as it is now', async () => {
    const { rehearsal, world, jump } = withJumps();
    const { report } = await runOnce(rehearsal, world, {
      process: 1,
      onProgress: ({ type }) => void (type === 'attempt.answered' && (jump.wall = 40 * SECOND)),
    });
    expect(report?.counts).toMatchObject({ verified: 4 });
  });
});
