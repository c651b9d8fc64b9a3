import { array, assert, constantFrom, integer, option, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { countPlanColumns } from '../../../src/model/plan/actor.ts';
import type { Change } from '../../../src/model/plan/change.ts';
import { rowsIn } from '../../../src/model/plan/change-rows.ts';
import { numberTuples } from '../../../src/lib/pair-numbers.ts';
import { createColumns } from '../../../src/plan/columns.ts';
import { planId } from '../../../src/plan/identify.ts';
import { foldClasses } from '../../../src/render/view/classes.ts';
import { aChange } from '../../support/plan-change.ts';

const drawn = record({
  site: constantFrom('HQ', 'Plant', undefined),
  action: constantFrom('run', 'wait', 'skip' as const),
  version: constantFrom('11.8.61', '11.8.61', 'beta'),
  target: constantFrom('11.11.73', '11.11.73', '12.0.1'),
  next: option(constantFrom('never' as const, 1_000, 2_000), { nil: undefined }),
  since: option(integer({ min: 1, max: 3 }), { nil: undefined }),
  line: integer({ min: 1, max: 2 }),
  problem: constantFrom('unreadable', undefined, undefined),
});
const changes = array(drawn, { minLength: 15, maxLength: 40 }).map((rows) =>
  rows.map(({ site, action, version, target, next, since, line, problem }, at): Change =>
    aChange(`dev-${at}`, {
      action,
      device: { id: `dev-${at}`, name: `name ${at % 7}`, ...(site !== undefined && { site }) },
      before: { firmwareVersion: version },
      after: { firmwareVersion: target },
      target,
      at: { file: 'fleet/test.yaml', line, column: 3, policy: 'firmware.lts' },
      reason: {
        code: 'windowClosed',
        ...(since !== undefined && { since }),
        ...(next !== undefined && { next }),
        ...(problem !== undefined && { params: { problem, field: 'lifeCycle' } }),
      },
    }),
  ),
);

test('law: what is found by kind is what each change says', () => {
  let repeats = 0;
  assert(
    property(changes, (all) => {
      const columns = createColumns();
      for (const change of all) columns.add(change);
      const view = columns.view();
      const rows = [...rowsIn(view)];
      expect(rows.map((row) => row.change())).toEqual(all);
      expect(rows.map(({ deviceId, site, since, next }) => [deviceId, site, since, next])).toEqual(
        all.map(({ device, reason }) => [device.id, device.site ?? '', reason.since, reason.next]),
      );
      for (const { kind, like } of rows)
        expect(like).toEqual(rows.find((row) => row.kind === kind)?.change());
      const kinds = new Map(rows.map((row) => [row.kind, shared(row.change())]));
      for (const row of rows) expect(shared(row.change())).toBe(kinds.get(row.kind));
      expect(new Set(kinds.values()).size).toBe(kinds.size);
      repeats += rows.length - kinds.size;
      expect(foldClasses(view, 3)).toEqual(foldClasses(all, 3));
      expect(planId(view, 'service')).toBe(planId(all, 'service'));
      expect(countPlanColumns({ changes: view, notes: [] })).toEqual(
        countPlanColumns({ changes: all, notes: [] }),
      );
    }),
  );
  expect(repeats).toBeGreaterThan(50);
});

/** All of a change that its kind shares. */
function shared({ id: _id, device: _device, reason, countedFrom: _from, ...rest }: Change): string {
  return JSON.stringify([rest, reason.code, reason.why, reason.params, typeof reason.next]);
}

test('a decision after the first look makes another kind', () => {
  const columns = createColumns();
  for (const id of ['a', 'b']) columns.add(aChange(id));
  const view = columns.view();
  const kindsNow = () => [...rowsIn(columns.view())].map(({ kind }) => kind);
  const likeNow = () => [...rowsIn(view)].map(({ like }) => like.action);
  expect(kindsNow()).toEqual([0, 0]);
  expect(likeNow()).toEqual(['run', 'run']);
  columns.decide(1, { action: 'wait', reason: { code: 'busy' } });
  expect(kindsNow()).toEqual([0, 1]);
  expect(likeNow()).toEqual(['run', 'wait']);
  columns.add({ ...aChange('c'), action: 'wait', reason: { code: 'busy' } });
  expect(kindsNow()).toEqual([0, 1, 1]);
});

test('codes with one hash stay two kinds', () => {
  const wide = [0, 1, 0x01000193];
  const columns = [(index: number) => [1, 0, 1][index] ?? 0, (index: number) => wide[index] ?? 0];
  expect([...numberTuples(3, columns)]).toEqual([0, 1, 2]);
  const same = [
    (index: number) => [0, 1][index] ?? 0,
    (index: number) => [0x01000193, 0][index] ?? 0,
  ];
  expect([...numberTuples(2, same)]).toEqual([0, 1]);
});
