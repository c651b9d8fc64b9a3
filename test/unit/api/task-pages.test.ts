import { describe, expect, it } from 'vitest';
import { type TaskReading, readTask } from '../../../src/apply/watch/task-state.ts';
import { fakeService, json, type Seen } from '../../support/api-service.ts';

/** All that matters around a page and around the overlap of pages, and every small size. */
const AROUND = [
  [94, 95, 96, 99, 100, 101, 104, 105, 106, 195, 200, 500, 994, 995, 996, 999, 1_000],
  [1_001, 1_004, 1_005, 1_006, 1_250, 1_494, 1_495, 1_499, 1_500],
].flat();
const SIZES = [...Array.from({ length: 30 }, (_, n) => n + 1), ...AROUND];

type Serve = (rows: readonly object[], query: Seen['query']) => readonly object[];

const offsetOf = (query: Seen['query']): number => Number(query['offset'] ?? 0);
const upTo =
  (most: number): Serve =>
  (rows, query) =>
    rows.slice(offsetOf(query), offsetOf(query) + Math.min(most, Number(query['limit'] ?? 100)));

/** How services hand out the device tasks of a task. */
const WAYS: readonly (readonly [string, Serve])[] = [
  ['as many as asked for', upTo(1_000)],
  ['a hundred at the most', upTo(100)],
  ['ten at the most', upTo(10)],
  ['three at the most, less than the overlap', upTo(3)],
  ['the first hundred, whatever the offset', (rows) => rows.slice(0, 100)],
];

/** A task in which all devices are done but the last one. */
function almostDone(size: number): readonly object[] {
  return Array.from({ length: size }, (_, index) => ({
    deviceTaskId: `dt-${index}`,
    deviceId: `d-${index}`,
    taskId: 't-1',
    ...(index === size - 1 ? { status: 'running' } : { status: 'completed', result: 'succeeded' }),
  }));
}

const polls = new Map<string, ReturnType<typeof pollAnew>>();

/** What a client reads of a task of this size from a service that hands it out in this way, once for all tests. */
function poll(size: number, way: string): ReturnType<typeof pollAnew> {
  const place = `${size} ${way}`;
  const found = polls.get(place) ?? pollAnew(size, serveOf(way));
  polls.set(place, found);
  return found;
}

function serveOf(way: string): Serve {
  const [, serve] = WAYS.find(([name]) => name === way) ?? [];
  if (!serve) throw new Error(`no service shows ${way}`);
  return serve;
}

async function pollAnew(size: number, serve: Serve) {
  return readRows(almostDone(size), serve);
}

async function readRows(rows: readonly object[], serve: Serve, deviceIds = idsOf(rows)) {
  const { client, calls } = fakeService(
    ({ query }) => json({ deviceTasks: serve(rows, query), total: deviceIds.length }),
    { pace: { requestsPerSecond: 1_000_000, tokenRequestsPerMinute: 5 } },
  );
  const { value } = await client.task('t-1');
  if (!value) throw new Error('no task');
  const ours = new Set(deviceIds);
  const reading = readTask(value, { deviceIds, isOurs: (id) => ours.has(id) });
  return { reading, requests: calls().length };
}

function idsOf(rows: readonly object[]): readonly string[] {
  return rows.map((_, index) => `d-${index}`);
}

describe.each(WAYS)('T40: a service that shows %s', (way) => {
  it('never makes a task look finished, nor a device look lost', async () => {
    for (const size of SIZES) {
      const { reading } = await poll(size, way);
      const last = reading.states.get(`d-${size - 1}`)?.is ?? 'unseen';
      expect([size, last === 'ended', reading.missing, endedIn(reading) < size]).toEqual([
        size,
        false,
        [],
        true,
      ]);
    }
  });
});

function endedIn({ states }: TaskReading): number {
  return [...states.values()].filter((state) => state.is === 'ended').length;
}

it.each(WAYS.slice(0, 3))('T40: pages of a service that shows %s are all read', async (way) => {
  for (const size of SIZES) {
    const { reading } = await poll(size, way);
    expect([size, reading.states.size, endedIn(reading)]).toEqual([size, size, size - 1]);
  }
});

it('T40: a task of up to a thousand devices takes one request', async () => {
  expect((await poll(1_000, 'as many as asked for')).requests).toBe(1);
  expect((await poll(1_500, 'as many as asked for')).requests).toBe(2);
});

const ROW = { deviceTaskId: 'dt-0', deviceId: 'd-0', status: 'completed', result: 'succeeded' };

it('X9: rows under one ID that contradict each other make the device unclear', async () => {
  const rows = [ROW, { ...ROW, result: 'failed' }];
  const { reading } = await readRows(rows, upTo(1_000), ['d-0']);
  expect(reading.states.get('d-0')).toEqual({ is: 'unclear' });
  const beside = await readRows(rows, upTo(1_000), ['d-0', 'd-1']);
  expect(beside.reading.missing).toEqual([]);
  const { reading: repeated } = await readRows([ROW, ROW], upTo(1_000), ['d-0']);
  expect(repeated.states.get('d-0')?.is).toBe('ended');
});

it('X9: a row of another device under the ID of ours is foreign', async () => {
  const { reading } = await readRows([ROW, { ...ROW, deviceId: 'd-7' }], upTo(1_000), ['d-0']);
  expect(reading.foreign).toEqual(['d-7']);
});
