import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { findField } from '../../../../src/config/reference/field.ts';
import { isField, type DocumentField } from '../../../../src/model/report/field.ts';
import { valueYaml } from '../../../../src/render/data/yaml.ts';
import { SECTIONS } from '../../../../src/model/documents/policy.ts';
import { schemaErrors } from '../../../../src/config/schema.ts';
import { shown } from '../../../support/render-look.ts';
import { fieldBlocks } from '../../../../src/render/outputs/explain.ts';

function field(path: string): DocumentField {
  const found = findField(path);
  if (!isField(found)) throw new Error(`${path} is unknown`);
  return found;
}

/** A field and every field below it. */
function everyField(path = ''): readonly DocumentField[] {
  const top = field(path);
  return [top, ...top.fields.flatMap((each) => everyField(each.path))];
}

it('every example and default of a field can be copied as YAML', () => {
  const values = everyField().flatMap(({ examples, ...rest }) => [
    ...examples,
    ...('default' in rest ? [rest.default] : []),
  ]);
  expect(values.length).toBeGreaterThan(150);
  for (const value of values)
    for (const version of ['1.1', '1.2'] as const)
      expect(parse(valueYaml(value, 78).join('\n'), { version })).toEqual(value);
});

/** The document below a field. */
function documentOf(path: string): string | undefined {
  const [, text] = shown(fieldBlocks(field(path), field(path.split('.')[0] ?? ''))).split(
    'In a document\n',
  );
  return text?.split('\n\n')[0];
}

it('explain prints the example of a section in lines that are not wrapped', () => {
  expect(documentOf('windows')).toBe(
    '  windows: {weeknights: {allow: [{days: tue-thu, from: "01:00", to: "05:00"}]}}',
  );
});

it('explain prints whole entries that fit the schema', () => {
  for (const section of SECTIONS) {
    const document = parse(documentOf(section) ?? '') as Readonly<Record<string, unknown>>;
    expect(schemaErrors(section, document[section]), section).toEqual([]);
  }
  const { exceptions } = parse(documentOf('exceptions.allow') ?? '') as {
    exceptions: Readonly<Record<string, object>>;
  };
  for (const entry of Object.values(exceptions))
    expect(Object.keys(entry)).toEqual(
      expect.arrayContaining(['type', 'allow', 'until', 'reason', 'owner', 'ticket']),
    );
});

it('what acknowledges reasons that nobody can mend is an entry to paste', () => {
  const { exceptions } = parse(documentOf('exceptions.reasons') ?? '') as {
    exceptions: Readonly<Record<string, { type: string; reasons: readonly string[] }>>;
  };
  expect(Object.values(exceptions)).toMatchObject([
    { type: 'acknowledge', reasons: ['endOfSupport', 'noPath', 'noTargetFirmware'] },
  ]);
});
