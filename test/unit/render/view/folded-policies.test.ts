import { describe, expect, it } from 'vitest';
import { foldPolicies, isDone, policyTable } from '../../../../src/render/outputs/policy-table.ts';
import { printTerminal } from '../../../../src/render/print/terminal.ts';
import { PLAIN } from '../../../../src/render/sinks/paint.ts';
import { addTallies, type PolicyRow } from '../../../../src/render/view/review.ts';

const NONE = { now: 0, running: 0, later: 0, person: 0, done: 0, out: 0, follow: 0 };

function row(policy: string, tally: Partial<typeof NONE>): PolicyRow {
  return { policy, ...NONE, ...tally, sites: 1, places: [], lines: [], caused: 0 };
}

const named = (prefix: string, count: number, tally: Partial<typeof NONE>) =>
  Array.from({ length: count }, (_, index) => row(`${prefix}.${index}`, tally));

it('a table lists 12 policies, then names the flag that lists the others', () => {
  const table = (most?: number) =>
    policyTable({
      rows: named('firmware', 15, { now: 2 }),
      hasAll: true,
      ...(most !== undefined && { most }),
    });
  const lines = [...printTerminal([table()], { paint: PLAIN, width: 80 })];
  expect(lines).toHaveLength(15);
  expect(lines.slice(-2)).toEqual([
    '3 more: `--all`    6      -          -     -',
    'total             30      -          -     -',
  ]);
  expect(table(Infinity).rows).toHaveLength(15);
});

it.each([
  [80, ['STARTS', 'ENDS'], 'firmware.axis-p3265-lve-outdoor '],
  [75, ['STARTS', 'ENDS'], 'firm….axis-p3265-lve-outdoor '],
  [70, ['STARTS'], 'firmware.axis-p3265-lve-outdoor '],
  [60, [], 'firmw….axis-p3265-lve-outdoor '],
])('in %i columns a table has %j, and names keep 24', (width, titles, name) => {
  const beside = ['Starts', 'Ends'].map((title) => ({ title, room: 'wide' as const }));
  const rows = [
    row('firmware.axis-p3265-lve-outdoor', { now: 5, later: 48, done: 1_061, out: 4 }),
    row('rotations.p', { person: 1 }),
  ];
  const table = policyTable({
    rows,
    beside,
    besideOf: () => ['3 Dec', '19 Dec'].map((text) => [{ is: 'said' as const, text }]),
  });
  const lines = [...printTerminal([table], { paint: PLAIN, width })];
  const header = lines.findIndex((line) => line.startsWith('POLICY'));
  expect(lines[header]?.split(/ +/).filter((title) => /^(STARTS|ENDS)$/.test(title))).toEqual(
    titles,
  );
  expect(lines[header + 1]?.startsWith(name)).toBe(true);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(width);
});

describe('the policies that a table lists', () => {
  it('are those that change something, and one row for those that do not', () => {
    const idle = named('idle', 58, { done: 20 });
    const list = foldPolicies([...idle, row('firmware.axis', { later: 7, done: 3 })], 24, isDone);
    expect(list.listed.map(({ policy }) => policy)).toEqual(['firmware.axis']);
    expect(list.idle).toHaveLength(58);
    expect(addTallies(list.idle)).toEqual({ ...NONE, done: 1_160 });
    expect(list.more).toEqual([]);
  });

  it('keep a row where only one is done', () => {
    const list = foldPolicies(
      [row('firmware.axis', { now: 1 }), ...named('idle', 1, { done: 2 })],
      24,
      isDone,
    );
    expect(list.listed).toHaveLength(2);
    expect(list.idle).toEqual([]);
  });

  it('count what is not read yet as something that may happen', () => {
    const list = foldPolicies(
      [...named('unread', 2, { later: 4 }), ...named('idle', 9, {})],
      24,
      isDone,
    );
    expect(list.listed.map(({ policy }) => policy)).toEqual(['unread.0', 'unread.1']);
  });

  it('sum up exactly those beyond the last listed one', () => {
    const list = foldPolicies(named('firmware', 30, { now: 2 }), 24, isDone);
    expect(list.more).toHaveLength(6);
    expect(addTallies(list.more)).toEqual({ ...NONE, now: 12 });
    expect(list.idle).toEqual([]);
  });
});
