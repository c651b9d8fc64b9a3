import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './sources.ts';

interface Locked {
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

/** Development only; its script looks for a folder that this repository does not name. */
const WITH_INSTALL_SCRIPT = ['node_modules/msw'];

it('runs no script of another package at installation', () => {
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(scripted.map(([path]) => path)).toEqual(WITH_INSTALL_SCRIPT);
});

it('holds every package of the lock file to its content', () => {
  const open = Object.entries(packages).filter(([path, { integrity }]) => path && !integrity);
  expect(open.map(([path]) => path)).toEqual([]);
});

it('holds the packages of a user to 15 of ours and 45 in all', () => {
  const ours = Object.keys(packages['']?.dependencies ?? {});
  const installed = Object.entries(packages).filter(([path, { dev }]) => path && dev !== true);
  expect(ours.length).toBeLessThanOrEqual(15);
  expect(installed.length).toBeGreaterThan(ours.length);
  expect(installed.length).toBeLessThanOrEqual(45);
});
