import { describe, expect, test } from 'vitest';
import { appendTo, EMPTY_HEAD, headAfter } from '../../../src/ledger/chain.ts';
import { writeCheckpoint } from '../../../src/ledger/checkpoint.ts';
import { continueDraft, fold } from '../../../src/ledger/fold.ts';
import type { LedgerRecord, RecordBody } from '../../../src/model/ledger/record.ts';
import { directoryStore } from '../../../src/store/directory.ts';
import { loadMemory } from '../../../src/store/ledger-client.ts';
import { attempt, chained, GENESIS, lock, result } from '../../support/ledger-records.ts';
import { Disk, stopAt, Stopped } from '../../support/store-disk.ts';

const ROOT = '/home/.fleetform/tenant';

/**
 * Ways in which a power cut chooses among what was not flushed; the last one is a crash of the
 * process alone.
 */
const CUTS: readonly (readonly [string, (path: string) => boolean])[] = [
  ['nothing unflushed stays', () => false],
  [
    'names stay, their content does not',
    (path) => !path.endsWith('.tmp') && !/\d{9}\.json$/.test(path),
  ],
  ['records stay, temporary files do not', (path) => !path.endsWith('.tmp')],
  ['temporary files stay, records do not', (path) => !/\/\d{9}\.json$/.test(path)],
  ['folders are gone, files are not', (path) => /\.\w+$/.test(path)],
  ['everything stays', () => true],
];

async function appendAll(
  disk: Disk,
  appends: readonly (readonly LedgerRecord[])[],
  step?: (step: string) => void,
): Promise<number> {
  const store = directoryStore(ROOT, disk.files(step));
  let acknowledged = 0;
  try {
    let { head } = await store.read(0);
    for (const records of appends) {
      if ((records[0]?.seq ?? 0) <= head.seq) continue;
      if ((await store.append(records, head)) === 'acknowledged')
        acknowledged = records.at(-1)?.seq ?? 0;
      head = headAfter(records, head);
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  return acknowledged;
}

async function stepsOf(
  start: Disk,
  appends: readonly (readonly LedgerRecord[])[],
): Promise<number> {
  let steps = 0;
  await appendAll(
    copy(start),
    appends,
    changing(() => (steps += 1)),
  );
  return steps;
}

/** Only steps that change the disk are worth stopping at. */
const changing = (act: () => void) => (step: string) => {
  if (step !== 'read' && step !== 'list') act();
};

const copy = (disk: Disk) => disk.afterPowerCut(() => true);

async function survives(start: Disk, appends: readonly (readonly LedgerRecord[])[], cuts = CUTS) {
  const all = appends.flat();
  const { head: before } = await directoryStore(ROOT, copy(start).files()).read(0);
  const steps = await stepsOf(start, appends);
  expect(steps).toBeGreaterThan(appends.length * 6);
  for (const [name, keeps] of cuts) {
    for (let n = 1; n <= steps + 1; n += 1) {
      const disk = copy(start);
      const acknowledged = await appendAll(disk, appends, changing(stopAt(n)));
      const after = disk.afterPowerCut(keeps);
      const where = `stopped ahead of step ${n}, ${name}`;
      const { records, head } = await directoryStore(ROOT, after.files()).read(before.seq);
      expect(head.seq, where).toBeGreaterThanOrEqual(Math.max(acknowledged, before.seq));
      expect(records, where).toEqual(all.slice(0, records.length));
      await appendAll(after, appends);
      const end = await directoryStore(ROOT, after.files()).read(before.seq);
      expect(end.records, where).toEqual(all);
    }
  }
}

describe('a process stopped at any step loses nothing acknowledged, power cut or not', () => {
  test('from the first append on, folders included', async () => {
    const bodies = [GENESIS, lock(), attempt('a.1', ['d1']), result('a.1', 'accepted')];
    const [genesis, ...more] = chained(bodies);
    const [first, ...rest] = more;
    const appends = [
      [genesis, first].filter((record) => record !== undefined),
      ...rest.map((r) => [r]),
    ];
    await survives(new Disk(), appends);
  });

  test('where one folder is full and the next begins', async () => {
    const beats = Array.from({ length: 1_001 }, (_, n): RecordBody => ({ type: 'BEAT', n }));
    const appends = chained(beats).map((record) => [record]);
    const start = new Disk();
    expect(await appendAll(start, appends.slice(0, 998))).toBe(998);
    await survives(start, appends.slice(998, 1_000), CUTS.slice(0, 1));
  });
});

test('what a stopped process left unflushed lasts before anything is put upon it', async () => {
  const beats = Array.from({ length: 1_000 }, (_, n): RecordBody => ({ type: 'BEAT', n }));
  const appends = chained(beats).map((record) => [record]);
  const disk = new Disk();
  await appendAll(disk, appends.slice(0, 998));
  let links = 0;
  const stopped = await appendAll(disk, appends.slice(0, 999), (step) => {
    if (step === 'link') links += 1;
    if (links > 0 && step !== 'link') throw new Stopped();
  });
  expect([stopped, await appendAll(disk, appends)]).toEqual([0, 1_000]);
  const after = disk.afterPowerCut(() => false);
  expect((await directoryStore(ROOT, after.files()).read(0)).head.seq).toBe(1_000);
});

test('the end of an empty ledger is the empty head', async () => {
  const disk = new Disk();
  await appendAll(disk, [chained([GENESIS])], stopAt(3));
  const { head } = await directoryStore(ROOT, disk.afterPowerCut(() => true).files()).read(0);
  expect(head).toEqual(EMPTY_HEAD);
});

test('J21 a checkpoint that a crash left at any step costs a reading, never a record', async () => {
  const records = chained([GENESIS, lock(), attempt('a.1', ['d1'])]);
  const head = headAfter(records, EMPTY_HEAD);
  const { body, text } = writeCheckpoint(continueDraft(fold(records)).finish());
  const by = { epoch: 1, at: '2026-01-01T00:00:00Z', tool: '1' };
  const last = appendTo(head, [body, { type: 'RELEASE' }], by);
  const write = async (disk: Disk, step?: (step: string) => void) => {
    const store = directoryStore(ROOT, disk.files(step));
    await store.read(0);
    return store.append(last, head, text).catch((error: unknown) => {
      if (!(error instanceof Stopped)) throw error;
      return 'stopped' as const;
    });
  };
  const start = new Disk();
  await appendAll(start, [records]);
  let steps = 0;
  const whole = copy(start);
  await write(
    whole,
    changing(() => (steps += 1)),
  );
  const found = new Set<string>();
  for (const [name, keeps] of CUTS) {
    for (let n = 1; n <= steps + 1; n += 1) {
      const disk = copy(start);
      const answer = await write(disk, changing(stopAt(n)));
      const after = disk.afterPowerCut(keeps);
      const where = `stopped ahead of step ${n}, ${name}`;
      const read = await loadMemory(directoryStore(ROOT, after.files()));
      const { seq } = read.memory.head;
      expect([3, 5], where).toContain(seq);
      if (answer === 'acknowledged') expect(seq, where).toBe(5);
      expect(read.memory.intents.size, where).toBe(1);
      expect(await write(after), where).toBe(seq === 5 ? 'lost' : 'acknowledged');
      found.add(`${seq} from ${read.records[0]?.seq}`);
    }
  }
  // Before the record, between the record and its text, and after both.
  expect([...found].sort()).toEqual(['3 from 1', '5 from 1', '5 from 4']);
});
