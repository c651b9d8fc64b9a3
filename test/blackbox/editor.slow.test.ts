import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findField } from '../../src/config/reference/field.ts';
import { firstFiles } from '../../src/init/first-files.ts';
import { SECTIONS } from '../../src/model/documents/policy.ts';
import { isField, type DocumentField } from '../../src/model/report/field.ts';
import { PATIENCE } from '../support/blackbox.ts';
import { ROOT } from '../support/blackbox-build.ts';
import { inEditor } from '../support/language-server.ts';
import { scratchFolder } from '../support/scratch.ts';

const BUNDLE = JSON.parse(
  readFileSync(join(ROOT, 'schemas', 'fleet.bundle.schema.json'), 'utf8'),
) as object;

/** The schema as a validator; what only editors read is no rule of it. */
function ajvOfBundle() {
  const vocabulary = ['markdownDescription', 'defaultSnippets'];
  return new Ajv2020({ strict: true }).addVocabulary(vocabulary).compile(BUNDLE);
}

const INSTALLED = 'node_modules/fleetform/schemas/fleet.bundle.schema.json';

/** The first line of the documents that `init` writes in a folder of a repository. */
function modeline(fleet: string, schema = INSTALLED): string {
  const ci = { ci: 'github', branch: 'main', isBranchNamed: false } as const;
  const found = { ...ci, home: '', fleet, isOwn: false, schema, sites: [] };
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

/** The fields of an entry of a section, or of the section itself. */
function fieldsOf(section: string): readonly DocumentField[] {
  const found = findField(`${section}.NAME`);
  const field = isField(found) ? found : findField(section);
  return isField(field) ? field.fields : [];
}

/** The beginning of a description, as far as an editor shows it unchanged. */
function firstWords(field: DocumentField | object | undefined): string {
  const text = (field as DocumentField | undefined)?.description ?? '';
  return /^[\w ,]+/.exec(text)?.[0] ?? '';
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
        expect(await hover(8, 6)).toMatch(/How long before.*`maxAge`.*Default: `21d`/);
        expect(await hover(2, 4)).toMatch(/Firmware policy/);
      });
    },
  );

  it('are checked by the copy of the schema that a global install leaves', async () => {
    const path = placed('fleet');
    const copy = '.fleetform.schema.json';
    writeFileSync(join(dirname(path), '..', copy), JSON.stringify(BUNDLE));
    const text = [modeline('fleet', copy), ...TEXT].join('\n');
    await inEditor(path, text, async ({ findings }) => {
      expect(findings.map(({ message }) => message)).toContainEqual(
        expect.stringMatching(/windws/),
      );
    });
  });

  it('are checked, completed and explained in every section', async () => {
    const lines = [modeline('fleet')];
    const places = SECTIONS.map((section) => {
      const fields = fieldsOf(section);
      const isEntry = fields.every(({ path }) => path.startsWith(`${section}.NAME`));
      const indent = ' '.repeat(isEntry ? 4 : 2);
      const at = { section: lines.length, key: lines.length + (isEntry ? 2 : 1) };
      const key = fields[0]?.path.split('.').at(-1) ?? '';
      lines.push(`${section}:`, ...(isEntry ? ['  entry:'] : []));
      lines.push(`${indent}${key}: `, `${indent}notAKey: 1`, indent);
      return { section, fields, at, indent: indent.length };
    });
    await inEditor(placed('fleet'), lines.join('\n'), async (file) => {
      for (const { section, fields, at, indent } of places) {
        const unknown = file.findings.filter(({ message }) => message.includes('notAKey'));
        expect(unknown.map(({ range }) => range.start.line)).toContain(at.key + 1);
        const names = fields.map(({ path }) => path.split('.').at(-1) ?? '');
        const offered = await file.complete(at.key + 2, indent);
        expect(offered, section).toEqual(expect.arrayContaining(names.slice(1)));
        expect(await file.hover(at.section, 1), section).toContain(firstWords(findField(section)));
        expect(await file.hover(at.key, indent + 1), section).toContain(firstWords(fields[0]));
      }
    });
  });

  it('begin with a valid entry in every section', async () => {
    const check = ajvOfBundle();
    for (const section of SECTIONS) {
      const text = [modeline('fleet'), `${section}:`, '  '].join('\n');
      const label = section === 'service' ? 'first fields' : 'new entry';
      const inserted = await inEditor(placed('fleet'), text, (file) => file.snippet(2, 2, label));
      expect(inserted, section).toMatch(/\$\{1:/);
      const filled = (inserted ?? '').replaceAll(/\$\{\d+:([^}]*)\}/g, '$1');
      const document: unknown = parse(`${section}:\n  ${filled.replaceAll('\n', '\n  ')}`);
      expect(check(document), `${section}: ${filled} ${JSON.stringify(check.errors)}`).toBe(true);
    }
  });

  it('are valid by one schema without references to other files', () => {
    const validate = ajvOfBundle();
    expect(validate({ sites: { Berlin: { timeZone: 'Europe/Berlin' } } })).toBe(true);
    expect(validate({ sites: { Berlin: { timezone: 'Europe/Berlin' } } })).toBe(false);
    const refs = [...JSON.stringify(BUNDLE).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref]) => ref);
    expect(refs.length).toBeGreaterThan(50);
    expect(refs.filter((ref) => !ref?.startsWith('#/$defs/'))).toEqual([]);
  });
});
