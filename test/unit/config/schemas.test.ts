import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { schemaErrors } from '../../../src/config/schema.ts';
import { DIALECT_ROWS } from '../../../src/dialect.gen.ts';
import { SECTIONS } from '../../../src/model/documents/policy.ts';

const FOLDER = fileURLToPath(new URL('../../../schemas/', import.meta.url));
type Schema = Readonly<Record<string, unknown>>;

const read = (name: string) =>
  JSON.parse(readFileSync(`${FOLDER}${name}.schema.json`, 'utf8')) as Schema;
const propertiesOf = (schema: unknown) =>
  ((schema as Schema | undefined)?.['properties'] ?? {}) as Readonly<Record<string, Schema>>;

describe('the schemas of the documents', () => {
  test('are one per section, joined by the one of a whole document', () => {
    expect(Object.keys(propertiesOf(read('fleet')))).toEqual(['include', ...SECTIONS]);
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('.schema.json'));
    for (const section of SECTIONS) expect(files).toContain(`${section}.schema.json`);
  });

  test.each(['common', 'dialect', 'fleet', ...SECTIONS])(
    '%s has an id, a title and a description',
    (name) => {
      const schema = read(name);
      expect(schema['$id']).toBe(`https://schemas.fleetform.example/${name}.schema.json`);
      expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
      expect(schema['title']).toBeTypeOf('string');
      expect(schema['description']).toBeTypeOf('string');
    },
  );

  test.each(SECTIONS)('%s: its own examples fit', (section) => {
    const examples = read(section)['examples'] as readonly unknown[];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(schemaErrors(section, example)).toEqual([]);
  });

  test('every field says what it is, for completion in an editor', () => {
    for (const section of SECTIONS) {
      const definitions = Object.values((read(section)['$defs'] ?? {}) as Schema);
      for (const schema of [read(section), ...definitions])
        for (const [key, field] of Object.entries(propertiesOf(schema)))
          expect(
            field['title'] ?? field['description'] ?? field['$ref'],
            `${section} ${key}`,
          ).toBeTypeOf('string');
    }
  });

  test('the dialect has exactly the assumptions of the table, with their defaults', () => {
    expect(propertiesOf(read('service'))['dialect']).toEqual({ $ref: 'dialect.schema.json' });
    const dialect = propertiesOf(read('dialect'));
    const defaults = Object.entries(dialect).map(([key, field]) => [key, field['default']]);
    expect(defaults).toEqual(DIALECT_ROWS.map(({ key, default: assumed }) => [key, assumed]));
  });
});

describe('the generated validators', () => {
  const ajv = new Ajv2020({ allErrors: true, strict: false, inlineRefs: false, messages: false });
  for (const name of ['common', 'dialect', ...SECTIONS]) ajv.addSchema(read(name));

  /** What a person may have got wrong in one place: a value of another type, a key too many, one too few. */
  function* spoilt(value: unknown): Generator<unknown> {
    yield* [null, 7, -1, '', 'x y', true, [], [[]], {}, { unknown: 1 }];
    if (typeof value !== 'object' || value === null) return;
    for (const [key, each] of Object.entries(value)) {
      const { [key]: _, ...others } = value as Record<string, unknown>;
      if (!Array.isArray(value)) yield others;
      for (const other of spoilt(each))
        yield Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
    }
  }

  const vocabulary = ['markdownDescription', 'defaultSnippets'];
  const bundle = new Ajv2020({ strict: true })
    .addVocabulary(vocabulary)
    .compile(read('fleet.bundle'));

  test.each(SECTIONS)('%s: the bundle for editors takes what the schema takes', (section) => {
    const id = `https://schemas.fleetform.example/${section}.schema.json`;
    for (const example of read(section)['examples'] as readonly unknown[])
      for (const value of [example, ...spoilt(example)])
        expect(bundle({ [section]: value }), JSON.stringify(value)).toBe(ajv.validate(id, value));
  });

  test.each(SECTIONS)('%s: finds what the schema itself finds', (section) => {
    const id = `https://schemas.fleetform.example/${section}.schema.json`;
    const told = (errors: readonly object[] | null | undefined) =>
      (errors ?? []).map((error) => ({ ...error, schema: 0, parentSchema: 0, data: 0 }));
    let wrong = 0;
    for (const example of read(section)['examples'] as readonly unknown[])
      for (const value of spoilt(example)) {
        const wanted = ajv.validate(id, value) ? [] : told(ajv.errors);
        expect(told(schemaErrors(section, value)), JSON.stringify(value)).toEqual(wanted);
        wrong += Math.min(1, wanted.length);
      }
    expect(wrong).toBeGreaterThan(10);
  });
});
