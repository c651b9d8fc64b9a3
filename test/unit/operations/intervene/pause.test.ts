import { expect, test } from 'vitest';
import { fold } from '../../../../src/ledger/fold.ts';
import type { Memory } from '../../../../src/model/ledger/memory.ts';
import type { Leaseless, RecordBody } from '../../../../src/model/ledger/record.ts';
import { pauseOn } from '../../../../src/operations/intervene/pause.ts';
import { attempt, chained, GENESIS, lock } from '../../../support/ledger-records.ts';

/** A ledger of these records, to which what is declared is added. */
function journalOf(bodies: RecordBody[]) {
  return {
    get memory() {
      return fold(chained(bodies));
    },
    declare(decide: (memory: Memory) => readonly Leaseless[]) {
      const declared = decide(this.memory);
      bodies.push(...declared);
      return Promise.resolve(declared);
    },
  };
}

test('M23 a pause under an earlier address shows the pause and the tasks in flight of the present one', async () => {
  const bodies: RecordBody[] = [
    GENESIS,
    lock(),
    attempt('a.1', ['d1'], { policy: 'firmware.old' }),
    { type: 'RENAMED', from: 'firmware.old', to: 'firmware.new' },
    { type: 'PAUSE', scope: 'firmware.new', who: 'Ada', why: 'an hour to look' },
  ];
  const journal = journalOf(bodies);
  const order = { scope: 'firmware.old', who: 'Bob', why: 'recall' };
  const { pauses, before, inFlight } = await pauseOn(journal, order, Date.UTC(2026, 0, 1));
  expect(pauses).toMatchObject([{ scope: 'firmware.new', who: 'Bob' }]);
  expect(before).toMatchObject([{ scope: 'firmware.new', who: 'Ada' }]);
  expect(inFlight).toEqual(['d1']);
});

test('N68 a pause of a site names the rollouts whose later waves wait for its devices', async () => {
  const bodies: RecordBody[] = [
    GENESIS,
    lock(),
    {
      type: 'ROLLOUT',
      policy: 'firmware.axis',
      targetDigest: 't',
      base: ['d1', 'd2'],
      waves: [
        { name: 'canary', devices: 1 },
        { name: 'rest', devices: 1 },
      ],
    },
  ];
  const journal = journalOf(bodies);
  const order = { scope: 'fleet', who: 'Bob', why: 'moving' };
  const now = Date.UTC(2026, 0, 1);
  expect((await pauseOn(journal, order, now)).begun).toEqual([]);
  const sites = [{ id: '2', name: 'Depot' }];
  expect((await pauseOn(journal, { ...order, sites }, now)).begun).toEqual(['firmware.axis']);
});
