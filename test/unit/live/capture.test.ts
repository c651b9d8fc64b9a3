import { expect, test } from 'vitest';
import { capture } from '../../../src/live/capture.ts';
import { MAX_PASSES } from '../../../src/live/list-passes.ts';
import type { ProgressEvent } from '../../../src/model/progress.ts';
import type { Snapshot } from '../../../src/model/fleet/snapshot.ts';
import { NOW, aDevice } from '../../support/plan-fleet.ts';
import { bare, listing, named, type ListPass } from '../../support/plan-service.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const ALL = { sites: true, sources: true, discovered: true };
const NONE = { sites: false, sources: false, discovered: false };

async function read(passes: readonly ListPass[], want = NONE) {
  const service = listing(passes);
  const clock = createVirtualClock(NOW);
  const seen: ProgressEvent[] = [];
  const onProgress = (progress: ProgressEvent) => void seen.push(progress);
  const snapshot = await capture({ service, clock, random: () => 0.5, want, onProgress });
  return { snapshot, asked: service.asked, clock, seen };
}

const idsOf = ({ devices }: Pick<Snapshot, 'devices'>) =>
  Array.from({ length: devices.length }, (_, row) => devices.at(row).id);

test('a list of one page is as sure as a reading can be', async () => {
  const { snapshot, asked } = await read([{ devices: bare('b', 'a') }]);
  expect(snapshot).toMatchObject({ confidence: 'one page', takenAt: NOW });
  expect(idsOf(snapshot)).toEqual(['a', 'b']);
  expect(asked).toEqual(['devices']);
});

test('one clean pass over the devices is enough to plan', async () => {
  const { snapshot, asked } = await read([{ devices: bare('a', 'b', 'c'), pageSize: 2 }]);
  expect(snapshot.confidence).toBe('clean pass');
  expect(asked).toEqual(['devices']);
});

test('a torn pass is repeated after a pause, and forgotten when the next is clean', async () => {
  const torn = { devices: bare('a', 'ghost'), pageSize: 1, torn: 'overlap' } as const;
  const clean = { devices: bare('a', 'b'), pageSize: 1 };
  const { snapshot, clock } = await read([torn, clean]);
  expect(snapshot.confidence).toBe('clean pass');
  expect(idsOf(snapshot)).toEqual(['a', 'b']);
  expect(clock.sleeps).toEqual([500]);
});

test('a list that never holds still is the union of its passes, newest first', async () => {
  const pass = (index: number): ListPass => ({
    devices: [...bare(`only-${index}`), aDevice('a', { name: `pass ${index}` })],
    torn: 'total',
    pageSize: 1,
  });
  const passes = Array.from({ length: MAX_PASSES }, (_, index) => pass(index));
  const { snapshot, asked, clock } = await read(passes);
  expect(snapshot.confidence).toBe('torn');
  expect(asked).toHaveLength(6);
  expect(idsOf(snapshot)).toEqual(['a', ...passes.map((_, index) => `only-${index}`)]);
  expect(snapshot.devices.at(0).name).toBe('pass 5');
  expect(clock.sleeps).toEqual([500, 1_000, 1_500, 2_000, 2_500]);
});

test('discovered devices are read until two passes are equal', async () => {
  const first = { discoveredDevices: named('d1', 'd3'), pageSize: 1 };
  const second = { discoveredDevices: named('d1', 'd2'), pageSize: 1 };
  const { snapshot, asked } = await read([first, second, second], { ...NONE, discovered: true });
  expect(asked.filter((each) => each === 'discoveredDevices')).toHaveLength(3);
  expect(snapshot.discovered.map(({ id }) => id)).toEqual(['d1', 'd2']);
  expect(snapshot.discoveredConfidence).toBe('two equal passes');
});

test('equal sizes with other ids are no equal passes', async () => {
  const passes = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6'].map((id) => ({
    discoveredDevices: named(id, 'x'),
    pageSize: 1,
  }));
  const { snapshot } = await read(passes, { ...NONE, discovered: true });
  expect(snapshot.discoveredConfidence).toBe('clean pass');
  expect(snapshot.discovered.map(({ id }) => id)).toEqual(['d6', 'x']);
});

test('a torn pass between two equal ones proves nothing', async () => {
  const clean = { discoveredDevices: named('d1', 'd2'), pageSize: 1 };
  const torn = { ...clean, torn: 'total' } as const;
  const { snapshot, asked } = await read([clean, torn, clean, clean], {
    ...NONE,
    discovered: true,
  });
  expect(asked.filter((each) => each === 'discoveredDevices')).toHaveLength(4);
  expect(snapshot.discoveredConfidence).toBe('two equal passes');
});

test('what is not wanted is not asked for, and nothing may be concluded from it', async () => {
  const { snapshot, asked } = await read([{ devices: bare('a') }]);
  expect(asked).toEqual(['devices']);
  expect(snapshot).toMatchObject({ sites: [], sources: [], discovered: [] });
  expect(snapshot.discoveredConfidence).toBe('torn');
});

test('sites and sources come sorted by id', async () => {
  const pass = { sites: named('2', '1'), deviceSources: named('b', 'a'), devices: bare('x') };
  const { snapshot } = await read([pass], ALL);
  expect(snapshot.sites.map(({ id }) => id)).toEqual(['1', '2']);
  expect(snapshot.sources.map(({ id }) => id)).toEqual(['a', 'b']);
});

test('progress is told from the first page on', async () => {
  const { seen } = await read([{ devices: bare('a', 'b', 'c'), pageSize: 2 }]);
  expect(seen).toEqual([
    { type: 'phase', name: 'reading', what: 'devices', rows: 2 },
    { type: 'phase', name: 'reading', what: 'devices', rows: 3 },
  ]);
});

test('tells of the devices of a large fleet while the next pages are awaited, each once', async () => {
  const ids = Array.from({ length: 40_000 }, (_, at) => `dev-${(at * 7) % 40_000}`);
  const told: Pick<Snapshot, 'devices'>[] = [];
  const snapshot = await capture({
    service: listing([{ devices: bare(...ids), pageSize: 1_000 }]),
    clock: createVirtualClock(NOW),
    random: () => 0.5,
    want: NONE,
    onRows: (devices) => void told.push({ devices }),
  });
  expect(told.map(({ devices }) => devices.length)).toEqual([17_000, 17_000]);
  expect(told.flatMap(idsOf)).toEqual(ids.slice(0, 34_000));
  expect(snapshot.devices.length).toBe(40_000);
});
