import type { Diagnostic } from '../model/diagnostic.ts';
import { SECTIONS, type Section } from '../model/policy.ts';
import { isRecord, type Checked } from './authored.ts';
import { explain, type Explained } from './explain.ts';
import { foundType } from './explain-value.ts';
import { error } from './findings.ts';
import { locate, segment, segments, type Source } from './locate.ts';
import { CREDENTIALS, holdsSecret } from './rules/secrets.ts';
import { schemaErrors } from './schema.ts';
import { nearest } from '../model/nearest.ts';

/** Checks one document against the schemas: unknown sections here, the content of each section by its schema. */
export function validate(source: Source): Checked {
  const explained = explainAll(source);
  return {
    source,
    findings: explained.map(({ finding }) => finding),
    broken: new Set(explained.map(({ pointer }) => entryPointer(pointer))),
  };
}

function explainAll(source: Source): readonly Explained[] {
  const { value } = source;
  if (value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) {
    const params = { expected: 'a map', found: foundType(value) };
    return [{ pointer: '', finding: error('wrongType', locate(source, ''), params) }];
  }
  return Object.entries(value).flatMap(([key, content]) =>
    isSection(key)
      ? explain(source, key, schemaErrors(key, content))
      : [{ pointer: '', finding: unknownSection(source, key, content) }],
  );
}

function entryPointer(pointer: string): string {
  const [section = '', name] = segments(pointer);
  return section === 'service' || name === undefined
    ? `/${section}`
    : `/${section}/${segment(name)}`;
}

function isSection(key: string): key is Section {
  return (SECTIONS as readonly string[]).includes(key);
}

function unknownSection(source: Source, key: string, content: unknown): Diagnostic {
  if (holdsSecret('service', key, content) && !isRecord(content))
    return error('looksLikeSecret', locate(source, `/${segment(key)}`), {
      key,
      variables: CREDENTIALS,
    });
  const suggestion = nearest(key, SECTIONS);
  return error('unknownKey', locate(source, `/${segment(key)}`, 'key'), {
    key,
    allowed: SECTIONS.join(', '),
    ...(suggestion !== undefined && { suggestion }),
  });
}
