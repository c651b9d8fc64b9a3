import { expect, it } from 'vitest';
import { cellsOf, TASKS, wrongIn } from '../../support/last-look-matrix.ts';

/** One in so many cells of each kind; `not-understood.slow.test.ts` has them all. */
const ONE_IN = 17;

it.each(TASKS)(
  'D9 what is not understood at the last look alone sends nothing, a share of all: %s',
  async (task) => {
    const cells = await cellsOf(task);
    const first = TASKS.indexOf(task);
    const share = cells.filter((_, index) => index % ONE_IN === first);
    expect(await wrongIn(task, share)).toEqual([]);
  },
);
