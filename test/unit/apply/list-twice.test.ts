import { expect, test } from 'vitest';
import { readList } from '../../../src/apply/reading.ts';
import type { Pass, Service } from '../../../src/model/ports.ts';

/** One pass over a list: the IDs that it shows, and what is wrong with it. */
type Shown = readonly [ids: readonly string[], torn?: Pass['torn']];

/** A service with these passes, one after the other; the last one again and again. */
function serviceWith(passes: readonly Shown[]): Service {
  let next = 0;
  return {
    async *list() {
      const [ids, torn] = passes[Math.min(next, passes.length - 1)] ?? [[]];
      next += 1;
      yield ids.map((id) => ({ id }));
      return { total: 3, rows: ids.length, pages: 1, ...(torn && { torn }) };
    },
  } as unknown as Service;
}

const idsOf = async (passes: readonly Shown[]) =>
  (await readList({ service: serviceWith(passes) }, 'discoveredDevices')).map(({ id }) => id);

test('a row that every pass lists twice is no change of the list', async () => {
  expect(await idsOf([[['a', 'b'], 'duplicate']])).toEqual(['a', 'b']);
});

test.each<readonly [string, readonly Shown[]]>([
  [
    'a row that is listed twice at another place each time',
    [
      [['a', 'b'], 'duplicate'],
      [['a', 'c'], 'duplicate'],
      [['b', 'c'], 'duplicate'],
    ],
  ],
  ['rows that moved', [[['a', 'b'], 'overlap']]],
  ['rows that are missing', [[['a', 'b'], 'short']]],
])('a list is not used with %s', async (_, passes) => {
  await expect(idsOf(passes)).rejects.toMatchObject({ code: 'listTorn' });
});
