import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from './rules.ts';
import { linesOf, tryAll } from './table.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('rules switched off', () => {
  it.each(MUTANTS.map((mutant) => [mutant.id, mutant] as const))('%s fits its source', (_, one) => {
    for (const { file, find, replace } of one.patches) {
      const text = readFileSync(join(ROOT, file), 'utf8');
      expect(text.split(find).length - 1, `${file}: ${find}`).toBe(1);
      expect(replace).not.toBe(find);
    }
  });

  it('are all fifty of the list', () => {
    const numbers = MUTANTS.map(({ id }) => Number(id.slice(0, 2)));
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  it('are each seen by what is recorded for them', { timeout: 900_000 }, async () => {
    const rows = await tryAll(MUTANTS, { threads: 2 });
    process.stdout.write(`${linesOf(rows).join('\n')}\n`);
    expect(rows.filter(({ told }) => told === undefined).map(({ id }) => id)).toEqual([]);
  });
});
