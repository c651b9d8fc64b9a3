import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { findField } from '../../../../src/config/reference/field.ts';
import { isField, type DocumentField } from '../../../../src/model/report/field.ts';
import { valueYaml } from '../../../../src/render/data/yaml.ts';
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

it('explain prints the example of a section in lines that are not wrapped', () => {
  const lines = shown(fieldBlocks(field('windows'))).split('\n');
  expect(lines).toContain('  weeknights: {allow: [{days: tue-thu, from: "01:00", to: "05:00"}]}');
});
