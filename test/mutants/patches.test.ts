import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PAGES, rulesOf } from '../habits/rules.ts';
import { WITHOUT_LOCK } from '../simulation/without-lock.ts';
import { MUTANTS } from './rules.ts';

const ROOT = join(import.meta.dirname, '../..');

const PATCHED = [...MUTANTS, { id: 'without a lock', patches: WITHOUT_LOCK }];

describe('the patch of a rule that is switched off', () => {
  it.each(PATCHED.map((one) => [one.id, one] as const))('%s fits its source', (_, one) => {
    for (const { file, find, replace } of one.patches) {
      const text = readFileSync(join(ROOT, file), 'utf8');
      expect(text.split(find).length - 1, `${file}: ${find}`).toBe(1);
      expect(replace).not.toBe(find);
    }
  });

  it('is there for each rule of the ground, of what is unknown, and of the all-clear', () => {
    const off = new Set(MUTANTS.flatMap(({ rules = [] }) => rules));
    const rules = PAGES.flatMap(rulesOf).filter((id) => id.startsWith('M'));
    expect(rules.filter((id) => !off.has(id))).toEqual([]);
    expect([...off].filter((id) => !rules.includes(id))).toEqual([]);
  });

  it('is there for each number of the list', () => {
    const numbers = MUTANTS.map(({ id }) => Number.parseInt(id));
    expect(numbers).toEqual(MUTANTS.map((_, index) => index + 1));
  });
});
