import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { firstFiles } from '../../src/init/first-files.ts';
import { PATIENCE } from '../support/blackbox.ts';
import { ROOT } from '../support/blackbox-build.ts';
import { inEditor } from '../support/language-server.ts';
import { scratchFolder } from '../support/scratch.ts';

const BUNDLE = JSON.parse(
  readFileSync(join(ROOT, 'schemas', 'fleet.bundle.schema.json'), 'utf8'),
) as object;

/** The first line of the documents that `init` writes in a folder of a repository. */
function modeline(fleet: string): string {
  const ci = { ci: 'github', branch: 'main', isBranchNamed: false } as const;
  const found = { ...ci, home: '', fleet, isOwn: false, sites: [] };
  const { text = '' } = firstFiles(found).find(({ path }) => path.endsWith('policies.yaml')) ?? {};
  return text.split('\n')[0] ?? '';
}

/** A path in a repository with the package installed. */
function placed(fleet: string): string {
  const home = scratchFolder('editor', ['node_modules']);
  const path = join(home, fleet, 'policies.yaml');
  mkdirSync(dirname(path), { recursive: true });
  mkdirSync(join(home, 'node_modules'));
  symlinkSync(ROOT, join(home, 'node_modules', 'fleetform'));
  return path;
}

const TEXT = [
  'firmware:',
  '  axis-p32:',
  '    select: {vendor: Axis}',
  '    version: "11.11.x"',
  '    windws: nights',
  'rotations:',
  '  camera-passwords:',
  '    headStart: 3d',
  '    ',
];

describe('documents in an editor', PATIENCE, () => {
  it.each(['fleet', 'ops/berlin/fleet'])(
    'are checked, completed and explained in %s',
    async (fleet) => {
      const text = [modeline(fleet), ...TEXT].join('\n');
      await inEditor(placed(fleet), text, async ({ findings, complete, hover }) => {
        const told = findings.map(({ message, range }) => [message, range.start.line]);
        expect(told).toContainEqual([expect.stringMatching(/windws/), 5]);
        expect(await complete(9, 4)).toEqual(
          expect.arrayContaining(['maxAge', 'renewBefore', 'leavesInService', 'windows']),
        );
        expect(await hover(8, 6)).toMatch(/How long before.*maxAge.*Default: 21d/);
        expect(await hover(2, 4)).toMatch(/Firmware policy/);
      });
    },
  );

  it('are valid by one schema without references to other files', () => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
    const validate = ajv.compile(BUNDLE);
    expect(validate({ sites: { Berlin: { timeZone: 'Europe/Berlin' } } })).toBe(true);
    expect(validate({ sites: { Berlin: { timezone: 'Europe/Berlin' } } })).toBe(false);
    const refs = [...JSON.stringify(BUNDLE).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref]) => ref);
    expect(refs.length).toBeGreaterThan(200);
    expect(refs.filter((ref) => !ref?.startsWith('#/$defs/'))).toEqual([]);
  });
});
