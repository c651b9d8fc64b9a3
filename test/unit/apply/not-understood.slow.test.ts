import { expect, it } from 'vitest';
import { cellsOf, TASKS, wrongIn } from '../../support/last-look-matrix.ts';

/** Devices of one world; of discovered ones it has few. */
const AT_ONCE = 20;

it.each(TASKS)(
  'D9 what is not understood at the last look alone sends nothing: %s',
  async (task) => {
    const cells = await cellsOf(task);
    const wrong: string[] = [];
    for (let first = 0; first < cells.length; first += AT_ONCE)
      wrong.push(...(await wrongIn(task, cells.slice(first, first + AT_ONCE))));
    expect(wrong).toEqual([]);
  },
);
