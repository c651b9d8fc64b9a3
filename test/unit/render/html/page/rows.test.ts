import { describe, expect, it } from 'vitest';
import { createFinder, noChoice, type Choice } from '../../../../../src/render/html/page/find.ts';
import {
  cellText,
  deviceName,
  editText,
  findRow,
  fullText,
  rowId,
  rowText,
} from '../../../../../src/render/html/page/rows.ts';
import type { Change } from '../../../../../src/model/plan/change.ts';
import { fleetTable } from '../../../../../src/render/html/pages.ts';
import { variedReport } from '../../../../support/fleet-report.ts';
import { columnWord } from '../../../../../src/render/words/review/review-words.ts';
import { change, labels, nightPlan, NOW } from '../../../../support/render-plan.ts';
import { readChanges, readTable } from '../../../../support/table-rows.ts';

const night = [...nightPlan().changes];

describe('the rows of a plan', () => {
  it('are its changes, over as many parts as it takes', () => {
    const changes = labels(9_000).map((device, n) =>
      change(
        { ...device, id: `d-${n}` },
        {
          action: 'wait',
          before: { firmwareVersion: `1.${n}` },
          reason: {
            code: 'offline',
            since: NOW - n * 1_000,
            ...(n % 2 ? { next: 'never' } : { next: NOW + n * 1_000 }),
          },
        },
      ),
    );
    const rows = readChanges(changes);
    expect(rows.ids).toHaveLength(9_000);
    for (const row of [0, 1, 4_095, 4_096, 4_097, 8_999]) {
      expect(deviceName(rows, row)).toBe(changes[row]?.device.name);
      expect(rowText(rows, 'site', row)).toBe(changes[row]?.device.site);
      expect(rowText(rows, 'edit', row)).toBe(`1.${row} → 11.11.73`);
      expect(rows.edits(row)).toEqual([['firmwareVersion', `1.${row}`, '11.11.73']]);
      expect(rows.instants('since')?.[row]).toBe(row === 0 ? 0 : -row);
      expect(rows.instants('next')?.[row]).toBe(row % 2 ? Infinity : row);
    }
    expect(fullText(rows, 'next', 7_200)).toMatch(/^not before .* UTC \(in 2 hours\)$/);
    expect([fullText(rows, 'next', 1), cellText(rows, 'next', 1)]).toEqual([
      '',
      'not automatically',
    ]);
  });

  it('keep their words', () => {
    const rows = readChanges(night);
    night.forEach((each, row) => {
      expect(rowText(rows, 'state', row)).toBe(columnWord(each));
      expect(rowText(rows, 'type', row)).toBe(each.task);
      expect(rowText(rows, 'risk', row)).toBe(`${each.risk} risk`);
      expect(rowText(rows, 'policy', row)).toBe(each.at.policy);
      expect(findRow(rows, rowId(rows, row))).toBe(row);
    });
  });
});

describe('the rows of a fleet', () => {
  it('are its devices, with states in words', () => {
    const report = variedReport(60);
    const rows = readTable(fleetTable(report).of, report.devices);
    expect(rows.ids).toHaveLength(60);
    const [seven, fifty] = [rows.ids.indexOf('dev-7'), rows.ids.indexOf('dev-50')];
    expect(fullText(rows, 'device', seven)).toBe('cam-7 (dev-7)');
    expect(rowText(rows, 'make', seven)).toBe('Axis P3207');
    expect(rowText(rows, 'lifecycleState', fifty)).toBe('end of life');
    const sorted = [...createFinder(rows)(noChoice(rows))].map((row) => deviceName(rows, row));
    expect(sorted.slice(8, 11)).toEqual(['cam-8', 'cam-9', 'cam-10']);
  });
});

describe('what changes', () => {
  it('is told in short: what differs, what is new, or what there is', () => {
    expect(editText([['firmwareVersion', '11.8', '11.11']])).toBe('11.8 → 11.11');
    expect(
      editText([
        ['rotated', null, 'true'],
        ['changed', '2026-05-04', null],
      ]),
    ).toBe('rotated true');
    expect(editText([['status', 'offline', null]])).toBe('offline');
    expect(editText([])).toBe('');
  });
});

describe('filtering', () => {
  const rows = readChanges(night);
  const finder = createFinder(rows);
  const find = (text: string, values: Choice['values'] = {}) =>
    [...finder({ ...noChoice(rows), text, values })].map((row) => night[row]?.id);
  const where = (test: (each: Change) => boolean) => night.filter(test).map(({ id }) => id);

  it('finds by name, id, site, policy, reason and value, in any case', () => {
    expect(find('GATE-00')).toEqual(
      where(({ device }) => device.name?.startsWith('gate-00') === true),
    );
    expect(find('rotations.camera')).toEqual(where(({ at }) => at.policy.startsWith('rotations')));
    expect(find('11.11.73')).toEqual(where(({ after }) => after['firmwareVersion'] === '11.11.73'));
    expect(find('offline lyon')).toEqual(
      where((each) => each.reason.code === 'offline' && each.device.site === 'Lyon'),
    );
    expect(find('no such thing')).toEqual([]);
  });

  it('joins what is chosen', () => {
    expect(find('', { state: 'later', site: 'Lyon' })).toEqual(
      where((each) => columnWord(each) === 'later' && each.device.site === 'Lyon'),
    );
    expect(find('door', { state: 'needs you' })).toEqual([]);
  });

  it('has each value once', () => {
    expect([...rows.column('state').texts].sort()).toEqual(['later', 'needs you', 'now']);
  });
});

describe('sorting', () => {
  const changes = ['cam-10', 'Cam-9', 'cam-9', 'cam-1'].map((name, n) =>
    change(
      { id: `d${n}`, name },
      {
        action: n === 3 ? 'run' : 'wait',
        reason: {
          code: 'offline',
          ...(n === 0 && { next: NOW + 5_000 }),
          ...(n === 1 && { next: 'never' as const }),
        },
      },
    ),
  );
  const rows = readChanges(changes);
  const finder = createFinder(rows);
  const order = (sorting: Choice['sorting']) => [...finder({ ...noChoice(rows), sorting })];

  it('puts numbers by their size, and leaves equals as the plan has them', () => {
    expect(order({ by: 'device', descending: false })).toEqual([3, 1, 2, 0]);
    expect(order({ by: 'device', descending: true })).toEqual([0, 1, 2, 3]);
    expect(order(undefined)).toEqual([0, 1, 2, 3]);
  });

  it('puts now before a time, that before nobody knows, and never last', () => {
    expect(order({ by: 'when', descending: false })).toEqual([3, 0, 2, 1]);
  });

  it('puts states in the order of the columns of a plan, not of the alphabet', () => {
    expect(order({ by: 'state', descending: true })).toEqual([1, 0, 2, 3]);
  });
});
