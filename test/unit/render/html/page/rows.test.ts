import { describe, expect, it } from 'vitest';
import { countFacets } from '../../../../../src/render/html/page/filter-facets.ts';
import { createRowFinder } from '../../../../../src/render/html/page/row-filter.ts';
import { createSorter } from '../../../../../src/render/html/page/row-order.ts';
import {
  createReader,
  rowDevice,
  editText,
  rowEntry,
  rowWord,
  type ReportRows,
} from '../../../../../src/render/html/page/report-rows.ts';
import type { Change } from '../../../../../src/model/plan/change.ts';
import { reportParts } from '../../../../../src/render/html/report-parts.ts';
import { change, labels, nightPlan, NOW } from '../../../../support/render-plan.ts';

function readBack(changes: readonly Change[]): ReportRows {
  const reader = createReader(changes.length);
  for (const part of reportParts(changes, { page: { now: NOW }, originsOf: () => [], windows: [] }))
    reader.take(JSON.parse(JSON.stringify(part)));
  return reader.rows;
}

const night = [...nightPlan().changes];

describe('the rows of a report', () => {
  it('are the changes of the plan, over as many parts as it takes', () => {
    const changes = labels(9_000).map((device, n) =>
      change(
        { ...device, id: `d-${n}` },
        {
          before: { firmwareVersion: `1.${n}` },
          reason: {
            code: 'offline',
            since: NOW - n * 1_000,
            ...(n % 2 ? { next: 'never' } : { next: NOW + n * 1_000 }),
          },
        },
      ),
    );
    const rows = readBack(changes);
    expect(rows.length).toBe(9_000);
    for (const row of [0, 1, 4_095, 4_096, 4_097, 8_999]) {
      expect(rowDevice(rows, row)).toBe(changes[row]?.device.name);
      expect(rowEntry(rows, 'site', row)).toBe(changes[row]?.device.site);
      expect(editText(rowEntry(rows, 'edit', row))).toBe(`1.${row} → 11.11.73`);
      expect(rows.since[row]).toBe(row);
      expect(rows.next[row]).toBe(row % 2 ? Infinity : row);
    }
  });

  it('keep their words', () => {
    const rows = readBack(night);
    night.forEach((each, row) => {
      expect(rowWord.action(rows, row)).toBe(each.action);
      expect(rowWord.task(rows, row)).toBe(each.task);
      expect(rowWord.risk(rows, row)).toBe(each.risk);
      expect(rowEntry(rows, 'place', row).policy).toBe(each.at.policy);
    });
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
  const rows = readBack(night);
  const facets = countFacets(rows);
  const finder = createRowFinder(rows, facets);
  const all = createSorter(rows, facets).order(undefined);
  const find = (text: string, values: Record<string, string> = {}) =>
    [...finder.find({ text, facets: values }, all)].map((row) => night[row]?.id);
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
    expect(find('', { action: 'wait', site: 'Lyon' })).toEqual(
      where((each) => each.action === 'wait' && each.device.site === 'Lyon'),
    );
    expect(find('door', { action: 'skip' })).toEqual([]);
  });

  it('counts each value', () => {
    const { labels: names, counts } = facets.action;
    expect(Object.fromEntries(names.map((name, n) => [name, counts[n]]))).toEqual({
      run: 199,
      wait: 13,
      skip: 1,
    });
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
  const rows = readBack(changes);
  const sorter = createSorter(rows, countFacets(rows));

  it('puts numbers by their size, and leaves equals as the plan has them', () => {
    expect([...sorter.order({ by: 'device', descending: false })]).toEqual([3, 1, 2, 0]);
    expect([...sorter.order({ by: 'device', descending: true })]).toEqual([0, 1, 2, 3]);
    expect([...sorter.order(undefined)]).toEqual([0, 1, 2, 3]);
  });

  it('puts now before a time, that before nobody knows, and never last', () => {
    expect([...sorter.order({ by: 'when', descending: false })]).toEqual([3, 0, 2, 1]);
  });
});
