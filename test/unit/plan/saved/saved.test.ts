import { expect, test } from 'vitest';
import type { Change } from '../../../../src/model/plan/change.ts';
import { createColumns } from '../../../../src/plan/columns.ts';
import { planLines } from '../../../../src/plan/saved/save.ts';
import { readPlan } from '../../../../src/plan/saved/saved.ts';
import { startDigest } from '../../../../src/lib/canonical.ts';
import { FORBIDDEN, hostileNames } from '../../../support/hostile.ts';
import { aChange, aPlan } from '../../../support/plan-change.ts';

const FULL = aChange('dev-1', {
  action: 'wait',
  reason: { code: 'busy', why: 'gap', since: 1, next: 2, params: { task: 'x' } },
  losers: [{ file: 'fleet/b.yaml', line: 1, column: 1, policy: 'firmware.b' }],
  before: { firmwareVersion: null, ready: false, age: 0 },
});
const BARE: Change = {
  id: 'onboardDevice/disc,1"',
  task: 'onboardDevice',
  device: { id: 'disc,1"' },
  action: 'skip',
  cause: 'onboarding',
  reason: { code: 'unsupported', next: 'never' },
  policy: FULL.policy,
  at: FULL.at,
  before: {},
  after: {},
  target: '',
  generation: 0,
  marker: '',
  risk: 'low',
};
const PLAN = aPlan([FULL, BARE, aChange('dev-2')]);
const LINES = [...planLines(PLAN)];

const tampered = { code: 'planTampered' };
const unreadable = { code: 'planUnreadable' };

test('changes come out of their columns as they went in, as often as asked', () => {
  expect([...PLAN.changes]).toStrictEqual([FULL, BARE, aChange('dev-2')]);
  expect([...PLAN.changes]).toHaveLength(PLAN.changes.length);
});

test('a decision replaces action and reason and nothing else', () => {
  const columns = createColumns();
  columns.add(FULL);
  columns.decide(0, { action: 'run', reason: { code: 'act' } });
  expect(columns.at(0)).toStrictEqual({ ...FULL, action: 'run', reason: { code: 'act' } });
});

test('a view has its own order', () => {
  const columns = createColumns();
  for (const id of ['a', 'b', 'c']) columns.add(aChange(id));
  expect([...columns.view(Uint32Array.of(2, 0))].map(({ device }) => device.id)).toEqual([
    'c',
    'a',
  ]);
});

test('a saved plan is one JSON document, a change a line, count and digest last', () => {
  const document = JSON.parse(LINES.join('\n')) as Record<string, unknown>;
  const { reason } = FULL;
  const written = ({ policy: _, ...change }: Change): object => change;
  expect(document['changes']).toEqual([
    // Instants are RFC 3339 in JSON.
    {
      ...written(FULL),
      reason: { ...reason, since: '1970-01-01T00:00:00.001Z', next: '1970-01-01T00:00:00.002Z' },
    },
    written(BARE),
    written(aChange('dev-2')),
  ]);
  expect(Object.keys(document).slice(-3)).toEqual(['changes', 'count', 'digest']);
  expect(LINES).toHaveLength(5);
});

test('the digest covers every byte before its own name', () => {
  const text = LINES.join('\n');
  const digest = startDigest();
  digest.add(text.slice(0, text.lastIndexOf('"digest"')));
  expect(text.endsWith(`"digest":"${digest.hex()}"}`)).toBe(true);
});

test('it is read back whole, from a stream as well', async () => {
  async function* stream() {
    yield* LINES;
  }
  const read = await readPlan(stream());
  expect({ ...read, changes: [...read.changes] }).toEqual({ ...PLAN, changes: [...PLAN.changes] });
});

test('no name of a device reaches a terminal in it, and each is in it as it is', () => {
  const names = hostileNames(200);
  const plan = aPlan(
    names.map((name, index) => {
      const id = `dev-${String(index)}`;
      return aChange(id, { device: { id, name } });
    }),
  );
  const lines = [...planLines(plan)];
  expect(lines.filter((line) => FORBIDDEN.test(line))).toEqual([]);
  const { changes } = JSON.parse(lines.join('\n')) as { readonly changes: readonly Change[] };
  expect(changes.map(({ device }) => device.name)).toEqual(names);
});

test('a plan without a change is a plan', async () => {
  const read = await readPlan(planLines(aPlan([])));
  expect(read.changes.length).toBe(0);
});

test.each([
  ['a change edited', LINES.with(1, (LINES[1] ?? '').replace('11.11.73', '11.11.74'))],
  ['a change dropped', LINES.toSpliced(2, 1)],
  [
    'two changes swapped',
    [LINES[0], LINES[2], LINES[1], LINES[3], LINES[4]].flatMap((line) => line ?? []),
  ],
  ['the head edited', LINES.with(0, (LINES[0] ?? '').replace('"run":1', '"run":3'))],
  ['the head broken', LINES.with(0, (LINES[0] ?? '').replace('"id"', 'id'))],
  ['the head cut', LINES.with(0, (LINES[0] ?? '').slice(0, -9))],
  ['the count edited', LINES.with(4, (LINES[4] ?? '').replace('"count":3', '"count":4'))],
  ['the end cut', LINES.slice(0, -1)],
  ['cut within a line', LINES.slice(0, 3).with(2, '{"id":')],
  ['only the head', LINES.slice(0, 1)],
  ['a line more', [...LINES, '']],
])('%s is refused', async (_, lines) => {
  await expect(readPlan(lines)).rejects.toMatchObject(tampered);
});

test.each([
  ['an empty file', []],
  ['another document', ['{"resource": 1}']],
  ['not JSON', ['plan']],
])('%s is no plan', async (_, lines) => {
  await expect(readPlan(lines)).rejects.toMatchObject(unreadable);
});

/** Lines with a digest that fits them: what somebody writes who knows the format. */
function resealed(lines: readonly string[]): readonly string[] {
  const body = lines.slice(0, -1);
  const end = `],"count":${body.length - 1},`;
  const digest = startDigest();
  digest.add(`${body.join('\n')}\n${end}`);
  return [...body, `${end}"digest":"${digest.hex()}"}`];
}

test.each([
  ['of a reason', 1, '"next":"1970-01-01', '"next":"1970-13-01'],
  ['of its end', 0, /"expiresAt":"\d{4}-\d\d/, '"expiresAt":"2026-13'],
])('a time %s that does not exist is refused, digest or not', async (_, line, from, to) => {
  const lines = resealed(LINES.with(line, (LINES[line] ?? '').replace(from, to)));
  await expect(readPlan(lines)).rejects.toMatchObject({ ...tampered, params: { why: 'instant' } });
});

test('a table that does not fit its changes is refused, digest or not', async () => {
  const lines = resealed(
    LINES.with(0, (LINES[0] ?? '').replace(/"columns":\{"now":\d+/, '"columns":{"now":99')),
  );
  await expect(readPlan(lines)).rejects.toMatchObject({ ...tampered, params: { why: 'counts' } });
});

test('another version is no plan that this reader knows', async () => {
  const other = resealed(LINES.with(0, (LINES[0] ?? '').replace('"version":1', '"version":2')));
  await expect(readPlan(other)).rejects.toMatchObject({
    ...unreadable,
    params: { why: 'version 2' },
  });
});

test.each([
  ['task', '"task":"upgradeFirmware"', '"task":"wipeDevice"'],
  ['id', '"id":"upgradeFirmware/dev-1"', '"id":"upgradeFirmware/dev-9"'],
  ['action', '"action":"wait"', '"action":"force"'],
  ['values', '"ready":false', '"ready":{}'],
  ['reason', '"code":"busy"', '"code":7'],
  ['generation', '"generation":0', '"generation":"0"'],
])('a change of the wrong shape is refused, digest or not: %s', async (_, from, to) => {
  const lines = resealed(LINES.with(1, (LINES[1] ?? '').replace(from, to)));
  await expect(readPlan(lines)).rejects.toMatchObject({ ...unreadable, params: { line: 2 } });
});
