import { expect, it } from 'vitest';
import { readOptions } from '../../support/options.ts';

const OPTIONS = {
  seeds: { type: 'string', default: '100' },
  seed: { type: 'string' },
  trace: { type: 'boolean', default: false },
} as const;

const USAGE = 'npm run simulate -- [OPTIONS]\n  --seeds VALUE (100)\n  --seed VALUE\n  --trace\n';

function read(...argv: readonly string[]): unknown {
  const ended: unknown[] = [];
  try {
    return readOptions('simulate', OPTIONS, argv, (said, code) => {
      ended.push(code, said);
      throw new Error('ended');
    });
  } catch {
    return ended;
  }
}

it('tells how a command of the tests is used, where it is asked or does not understand', () => {
  expect(read('--help')).toEqual([0, USAGE]);
  expect(read('--sedes', '3')).toEqual([1, expect.stringMatching(/--sedes[^]*npm run simulate/)]);
  expect(read('--seed', '3')).toMatchObject({ seeds: '100', seed: '3', trace: false });
});
