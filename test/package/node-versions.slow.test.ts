import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE } from '../support/blackbox.ts';
import { install, installPacked, run } from './packed.ts';

let [folder, home] = ['', ''];
beforeAll(() => {
  ({ folder, home } = installPacked());
}, PATIENCE.timeout);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Installs a release of Node.js as a package of this platform; returns its executable. */
function installNode(version: string): string {
  const name = `node-${process.platform}-${process.arch}`;
  const place = join(folder, `node-${version}`);
  mkdirSync(place);
  install(place, '--no-save', '--prefix', place, `${name}@${version}`);
  return join(place, 'node_modules', name, 'bin', 'node');
}

describe('the package, installed into an empty folder', PATIENCE, () => {
  // The oldest release that `engines` allows, and the newest of each line.
  it.each(['20.19.0', '22', '24'])('plans, applies and verifies on Node.js %s', (version) => {
    const node = installNode(version);
    expect(run(home, node, '--version')).toContain(`v${version}`);
    const entry = join(home, 'node_modules', 'fleetform', 'dist', 'main.js');
    expect(run(home, node, entry, 'demo')).toContain('Done in');
    const code = `import { plan } from 'fleetform'; console.log(typeof plan);`;
    expect(run(home, node, '--input-type=module', '-e', code)).toBe('function\n');
  });
});
