import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPORTS, REPORT_VERSION } from '../../../../src/model/report/fleet-report.ts';
import { REPORT_FIELDS } from '../../../../src/model/report/report-fields.gen.ts';
import { ROOT } from '../../../habits/sources.ts';

interface Schema {
  readonly properties: { readonly version: { readonly const: number } };
}

const page = readFileSync(join(ROOT, 'docs/report.md'), 'utf8');
const schema = JSON.parse(
  readFileSync(join(ROOT, 'schemas/output/report.schema.json'), 'utf8'),
) as Schema;

const KINDS = { text: 'text', number: 'number', boolean: 'boolean', instant: 'time', list: 'list' };

/** The fields of a section of the page, as `name type`. */
function told(title: string): string[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(title)) ?? '';
  return [...section.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(
    ([, name, kind]) => `${name} ${kind}`,
  );
}

const shared = told('Fields of all devices');

describe.each(REPORTS)('the fields of %s', (name) => {
  const fields = REPORT_FIELDS[name].map((field) => `${field.name} ${KINDS[field.type]}`);

  it('are those of docs/report.md', () => {
    const own = told(`\`${name}\``);
    const hasDevice = fields.includes('vendor text');
    expect([...own, ...(hasDevice ? shared : [])].sort()).toEqual([...fields].sort());
  });
});

it('have the version of the schema and of the page', () => {
  expect(schema.properties.version.const).toBe(REPORT_VERSION);
  expect(page).toContain(`are version ${REPORT_VERSION}, the \`version\` in JSON`);
});
