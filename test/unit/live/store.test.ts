import { expect, test } from 'vitest';
import { createSnapshot } from '../../../src/live/snapshot.ts';
import {
  readSnapshot,
  snapshotDigest,
  snapshotFileDigest,
  snapshotLines,
} from '../../../src/live/snapshot-lines.ts';
import { sha256 } from '../../../src/lib/canonical.ts';
import type { Facts } from '../../../src/model/fleet/snapshot.ts';
import { NOW, aDevice } from '../../support/plan-fleet.ts';

const FACTS: Readonly<Record<string, Facts>> = {
  a: { targetFirmware: [{ version: '1', hops: ['1'] }], certificates: 'none' },
};
const ROWS = {
  takenAt: NOW,
  confidence: 'clean pass',
  discoveredConfidence: 'two equal passes',
  devices: [aDevice('b'), aDevice('a')],
  sites: [{ id: '1', name: 'HQ' }],
  sources: [{ id: '7', type: 'internal' }],
  discovered: [{ id: 'd1', vendor: 'Axis' }],
  facts: (id: string) => FACTS[id] ?? {},
} as const;
const SNAPSHOT = createSnapshot(ROWS);
const LINES = [...snapshotLines(SNAPSHOT)];

test('a stored snapshot comes back whole, facts included', async () => {
  const read = await readSnapshot(LINES);
  expect([...snapshotLines(read)]).toEqual(LINES);
  expect(read.facts('a')).toEqual(FACTS['a']);
  expect(read.facts('b')).toEqual({});
  expect(read.devices.rowOf('b')).toBe(1);
});

test('a file of an older format is refused with what to do', async () => {
  const older = LINES.map((line) => line.replace('"format":2', '"format":1'));
  await expect(readSnapshot(older)).rejects.toMatchObject({
    code: 'snapshotUnreadable',
    params: { why: 'an earlier version of fleetform saved it' },
  });
});

test('the organization comes back', async () => {
  const rows = { ...ROWS, organization: 'acme' };
  expect((await readSnapshot(snapshotLines(createSnapshot(rows)))).organization).toBe('acme');
});

test('a site or source has the name of its list, whatever a row shows', async () => {
  const earlier = (id: string, name: string) => [
    { id, name },
    { id: '9', name: 'Lab' },
  ];
  const device = {
    ...aDevice('a'),
    sites: earlier('1', 'Old HQ'),
    sources: earlier('7', 'Old VMS'),
  };
  const found = { id: 'x', site: { id: '1', name: 'Old HQ' }, sources: earlier('7', 'Old VMS') };
  const sources = [{ id: '7', name: 'VMS' }];
  const kept = createSnapshot({ ...ROWS, devices: [device], sources, discovered: [found] });
  const read = await readSnapshot(snapshotLines(kept));
  const [sites, bySource] = [earlier('1', 'HQ'), earlier('7', 'VMS')];
  expect(read.devices.at(0)).toEqual({ ...device, sites, sources: bySource });
  expect(read.discovered).toEqual([{ ...found, site: sites[0], sources: bySource }]);
});

test('what became of a torn reading is kept with it', async () => {
  const repair = { present: 3, absent: ['x'], unknown: ['y', 'z'] };
  const torn = createSnapshot({ ...ROWS, confidence: 'torn', repair });
  const lines = [...snapshotLines(torn)];
  expect((await readSnapshot(lines)).repair).toEqual(repair);
  const edited = lines.map((line) => line.replace('"absent":["x"]', '"absent":"x"'));
  await expect(readSnapshot(edited)).rejects.toMatchObject({ code: 'snapshotUnreadable' });
});

test('each line is JSON, one row a line, a count and a digest last', () => {
  const rows = LINES.map((line) => Object.keys(JSON.parse(line) as object)[0]);
  expect(rows).toEqual([
    'format',
    'device',
    'facts',
    'device',
    'site',
    'source',
    'discovered',
    'count',
  ]);
});

test('the digest is of what was read, not of when or in which order', () => {
  const later = createSnapshot({ ...ROWS, takenAt: NOW + 1, devices: ROWS.devices.toReversed() });
  expect(snapshotDigest(later)).toBe(snapshotDigest(SNAPSHOT));
  const moved = createSnapshot({
    ...ROWS,
    devices: [aDevice('a'), aDevice('b', { status: 'offline' })],
  });
  expect(snapshotDigest(moved)).not.toBe(snapshotDigest(SNAPSHOT));
});

test.each(LINES.map((_, index) => index))('line %i missing or cut is noticed', async (index) => {
  const refused = { code: 'snapshotUnreadable' };
  await expect(readSnapshot(LINES.toSpliced(index, 1))).rejects.toMatchObject(refused);
  const cut = LINES.with(index, (LINES[index] ?? '').slice(0, -2));
  await expect(readSnapshot(cut)).rejects.toMatchObject(refused);
});

test('another format and an empty file are refused', async () => {
  const refused = { code: 'snapshotUnreadable' };
  await expect(readSnapshot(LINES.with(0, '{"format":2}'))).rejects.toMatchObject(refused);
  await expect(readSnapshot([])).rejects.toMatchObject(refused);
  await expect(readSnapshot(['null'])).rejects.toMatchObject(refused);
});

const refused = { code: 'snapshotUnreadable' };

/** Lines with an ending that fits them, as somebody makes it who knows how. */
function signed(lines: readonly string[]): readonly string[] {
  const digest = sha256(lines.map((line) => `${line}\n`).join(''));
  return [...lines, JSON.stringify({ count: lines.length - 1, digest })];
}

const BODY = LINES.slice(0, -1);

test('the digest of the file is of every line, the moment of the reading included', () => {
  expect(signed(BODY)).toEqual(LINES);
  const later = createSnapshot({ ...ROWS, takenAt: NOW + 1 });
  expect(snapshotFileDigest(later)).not.toBe(snapshotFileDigest(SNAPSHOT));
  expect(LINES.at(-1)).toContain(snapshotFileDigest(SNAPSHOT));
});

test.each([
  ['rows in another order', [...BODY.slice(0, 1), ...BODY.slice(1).toReversed()]],
  ['a device twice', [...BODY.slice(0, 4), ...BODY.slice(3)]],
  ['facts of no device', [...BODY, '{"facts":{"of":"x","certificates":"none"}}']],
  ['a field that nobody knows', BODY.with(1, (BODY[1] ?? '').replace('"id"', '"x":1,"id"'))],
  [
    'a field of another type',
    BODY.with(1, (BODY[1] ?? '').replace(/"sites":\[.*?\]/, '"sites":1')),
  ],
  ['a row that nobody knows', [...BODY, '{"gadget":{"id":"a"}}']],
  ['no row at all', [...BODY, '{}']],
  ['a confidence that there is not', BODY.with(0, (BODY[0] ?? '').replace('clean pass', 'sure'))],
])('%s is refused, although its ending fits', async (_, lines) => {
  await expect(readSnapshot(signed(lines))).rejects.toMatchObject(refused);
});
