import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hunt } from './hunt.ts';
import { AT_LARGE, MISSING, MUTANTS } from './rules.ts';

const ROOT = join(import.meta.dirname, '../..');
const simulated = MUTANTS.flatMap((mutant) =>
  mutant.seed === undefined ? [] : [{ mutant, seeds: [mutant.seed] }],
);

describe('rules switched off', () => {
  it.each(MUTANTS.map((mutant) => [mutant.id, mutant] as const))('%s fits its source', (_, one) => {
    for (const { file, find, replace } of one.patches) {
      const text = readFileSync(join(ROOT, file), 'utf8');
      expect(text.split(find).length - 1, `${file}: ${find}`).toBe(1);
      expect(replace).not.toBe(find);
    }
  });

  it('names a seed or a test for each, or says that it is still at large', () => {
    const untold = MUTANTS.filter(({ seed, test }) => seed === undefined && test === undefined);
    expect(untold.map(({ id }) => id)).toEqual(AT_LARGE);
    expect(
      MUTANTS.filter(({ test }) => test !== undefined && !existsSync(join(ROOT, test))),
    ).toEqual([]);
    const numbers = [...MUTANTS, ...MISSING].map(({ id }) => Number(id.slice(0, 2)));
    expect([...new Set(numbers)].sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
  });

  it('breaks an invariant on the recorded seed of each', { timeout: 600_000 }, async () => {
    const kills = await hunt(simulated, { threads: 2 });
    const lines = kills.map(
      ({ id, seed, told = 'survives' }) => `${id.padEnd(50)} ${seed} ${told}`,
    );
    process.stdout.write(`${lines.join('\n')}\n`);
    expect(kills.filter(({ seed }) => seed === undefined).map(({ id }) => id)).toEqual([]);
  });
});
