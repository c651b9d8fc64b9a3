import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './sources.ts';

interface Locked {
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

it('holds every package of the lock file to its content', () => {
  const open = Object.entries(packages).filter(([path, { integrity }]) => path && !integrity);
  expect(open.map(([path]) => path)).toEqual([]);
});
