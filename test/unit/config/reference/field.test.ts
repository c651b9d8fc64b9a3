import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explain } from '../../../../src/cli/commands/explain.ts';
import { findField } from '../../../../src/config/reference/field.ts';
import { TASKS, TASK_TYPES } from '../../../../src/model/fleet/task.ts';
import { SECTIONS } from '../../../../src/model/documents/policy.ts';
import { isField, type DocumentField } from '../../../../src/model/report/field.ts';
import type { Shell } from '../../../../src/shell/shell.ts';
import { ROOT } from '../../../support/blackbox-build.ts';

const foundOnce = new Map<string, DocumentField>();

/** A field is looked up once for all tests: it is searched from the root of all schemas. */
function field(path: string): DocumentField {
  const found = foundOnce.get(path) ?? findField(path);
  if (!isField(found)) throw new Error(`${path} is unknown`);
  foundOnce.set(path, found);
  return found;
}

/** Every field below a path, once. */
function* fieldsBelow(path: string, seen = new Set<string>()): Generator<DocumentField> {
  for (const member of field(path).fields) {
    if (seen.has(member.path)) continue;
    seen.add(member.path);
    const whole = field(member.path);
    yield whole;
    if (whole.fields.length > 0) yield* fieldsBelow(member.path, seen);
  }
}

const namesIn = ({ fields }: DocumentField) => fields.map(({ path }) => path.split('.').at(-1));

describe('a field of the documents', () => {
  it('has words, and an example, a default or a list of values, wherever it is', () => {
    const all = [...fieldsBelow('')];
    expect(all.length).toBeGreaterThan(400);
    const mute = all.filter((each) => !(each.description ?? each.title));
    const bare = all.filter(
      (each) =>
        each.fields.length + each.examples.length + each.values.length === 0 &&
        !('default' in each),
    );
    expect([mute, bare].map((each) => each.map(({ path }) => path))).toEqual([[], []]);
  });

  it('is `include` or a section at the top', () => {
    expect(namesIn(field(''))).toEqual(['include', ...SECTIONS]);
  });

  it.each([
    ['firmware.version', 'firmware.NAME.version'],
    ['firmware.axis-p32.version', 'firmware.NAME.version'],
    ['firmware.axis.select.site.tag', 'firmware.NAME.select.site.tag'],
    ['rollouts.waves.soak', 'rollouts.NAME.waves.soak'],
    ['service.pace.pollEvery', 'service.pace.pollEvery'],
    ['firmware.axis', 'firmware.NAME'],
    ['groups.lobby.select.vendor', 'groups.NAME.select.vendor'],
    ['groups.lobby.select.not.vendor', 'groups.NAME.select.not.vendor'],
  ])('is found with the names of entries or without: %s', (path, found) => {
    expect(field(path).path).toBe(found);
  });

  it('has what stands beside a reference and what it refers to', () => {
    expect(field('firmware.version')).toMatchObject({
      description: expect.stringContaining('Target version: exact'),
      types: ['string'],
      isRequired: false,
      examples: expect.arrayContaining(['approved']),
    });
    expect(field('firmware.downgrade')).toMatchObject({
      values: ['forbid', 'allow'],
      default: 'forbid',
      isRequired: false,
    });
    expect(field('firmware.windows')).toMatchObject({ isRequired: true });
    expect(field('sites.tags')).toMatchObject({ types: ['array'], itemTypes: ['string'] });
  });

  it.each([
    ['firmwear', '', 'firmware'],
    ['firmware.verzion', 'firmware', 'version'],
    ['firmware.version.x', 'firmware.NAME.version', undefined],
  ])('is not guessed: %s', (path, within, known) => {
    const found = findField(path);
    expect(found).toMatchObject({ within });
    if (!isField(found) && known !== undefined) expect(found.known).toContain(known);
  });

  it('that only sections have is named with them', () => {
    const found = findField('maxAge');
    expect(found).toMatchObject({ unknown: 'maxAge', elsewhere: ['rotations.maxAge'] });
    const wide = findField('select');
    expect(!isField(wide) && wide.elsewhere).toEqual(
      expect.arrayContaining(['groups.select', 'firmware.select', 'rotations.select']),
    );
    expect(findField('firmware.lobby.maxAge')).toMatchObject({ elsewhere: [] });
  });

  it.each(['running', 'verify'] as const)('timeouts.%s names its default for each task', (what) => {
    const { description = '' } = field(`rollouts.timeouts.${what}`);
    const named = [...description.matchAll(/(\d+)m\b/g)].map(([, minutes]) => Number(minutes));
    const defaults = TASK_TYPES.map((task) => TASKS[task][what] / 60_000);
    expect(new Set(named)).toEqual(new Set(defaults));
  });

  it('is found for every property of every schema, each with a text', () => {
    const silent: string[] = [];
    for (const section of SECTIONS) walk(field(section), silent);
    expect(silent).toEqual([]);
  });
});

/** Goes down every path, which ends where a selector may have a `not`. */
function walk({ path, fields }: DocumentField, silent: string[]): void {
  for (const below of fields) {
    if (below.path.includes('.not')) continue;
    const found = field(below.path);
    if ((found.description ?? found.title ?? '') === '') silent.push(found.path);
    if (found.path !== path) walk(found, silent);
  }
}

async function printed(name: string, format: 'text' | 'json' = 'text'): Promise<string> {
  let text = '';
  const out = { write: (more: string) => void (text += more), isTerminal: false, columns: 80 };
  const shell = { out, env: {} } as unknown as Shell;
  expect(await explain.run({ field: name, format }, shell)).toBe(0);
  return text;
}

describe('fleetform explain', () => {
  it('prints type, meaning, values and default in 80 columns', async () => {
    const text = await printed('firmware.downgrade');
    expect(text).toBe(
      [
        'firmware.NAME.downgrade',
        'string',
        'Whether the target may be older than the installed version, or have no known',
        '  order with it. `allow` requires a ticket.',
        '',
        'Values',
        '  forbid',
        '  allow',
        '',
        'Default',
        '  forbid',
        '',
      ].join('\n'),
    );
    for (const section of SECTIONS)
      for (const line of (await printed(section)).split('\n'))
        expect(line.length).toBeLessThanOrEqual(80);
  });

  it('prints the same as JSON', async () => {
    const { version, field: found } = JSON.parse(await printed('firmware.version', 'json')) as {
      version: number;
      field: DocumentField;
    };
    expect([version, found.path]).toEqual([1, 'firmware.NAME.version']);
    const schema = readFileSync(join(ROOT, 'schemas/output/explain.schema.json'), 'utf8');
    expect(JSON.parse(schema)).toMatchObject({ required: ['version', 'field'] });
  });

  it('names the nearest field for one that there is not', async () => {
    await expect(printed('firmware.verzion')).rejects.toMatchObject({
      code: 'fieldUnknown',
      params: { name: 'verzion', within: 'firmware', suggestion: 'version' },
    });
  });
});
