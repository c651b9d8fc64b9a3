import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MUTANTS } from '../mutants/rules.ts';
import { ROOT } from './sources.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const page = read('docs/reliability.md');

/** The number that stands before some words of the page. */
function figure(words: string): number {
  const [, number = ''] = new RegExp(`([\\d,]+) ${words}`).exec(page) ?? [];
  return Number(number.replaceAll(',', ''));
}

it('docs/reliability.md tells of as many rules switched off as there are', () => {
  expect(figure('rules switched off')).toBe(MUTANTS.length);
  expect(figure('are seen')).toBe(MUTANTS.length);
});

it('docs/reliability.md tells of as many cells, pairs and fleets as the full campaign tries', () => {
  const { counts } = JSON.parse(read('test/campaign.json')) as {
    readonly counts: Readonly<Record<string, { readonly full: number }>>;
  };
  expect(figure('meaningful cells')).toBe(counts['faultCells']?.full);
  expect(figure('cells with the fault')).toBe(counts['faultCellsEvery']?.full);
  expect(figure('pairs of faults \\|')).toBe(counts['faultPairs']?.full);
  expect(figure('fleets \\|')).toBe(counts['simulation']?.full);
  expect(figure('kills of real')).toBe(counts['kills']?.full);
});
