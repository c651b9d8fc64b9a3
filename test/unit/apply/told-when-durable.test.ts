import { expect, it } from 'vitest';
import { exitOfRun } from '../../../src/shell/exit-of-run.ts';
import { createStopSignal } from '../../../src/shell/stop-signal.ts';
import { runOnce } from '../../support/rehearsal.ts';
import { linesOf } from '../../support/rehearsal-summary.ts';
import { createWorld, readRehearsal } from '../../support/rehearsal-world.ts';

it('who is told that a task was accepted can leave at once: it is in the ledger, exit 7', async () => {
  const rehearsal = readRehearsal('happy-batch');
  const world = createWorld(rehearsal.script);
  const stop = createStopSignal();
  const { report } = await runOnce(rehearsal, world, {
    process: 1,
    stop,
    onProgress: ({ type }) => {
      if (type !== 'attempt.answered') return;
      stop.request();
      stop.request();
    },
  });
  expect(linesOf(world.store.records).at(-1)).toBe('RESULT accepted P03 200');
  expect(report?.counts).toMatchObject({ inDoubt: 0, atWork: 1 });
  expect(report && exitOfRun(report)).toBe(7);
});
