import { type Diagnostic, error } from '../model/documents/diagnostic.ts';
import { SECTIONS, type Section } from '../model/documents/policy.ts';
import type { CheckedDocument } from './authored.ts';
import { explainSchemaErrors, type Explained } from './explain-errors.ts';
import { foundType } from './explain-value.ts';
import { locate, pointerSegment, pointerSegments, type Source } from './locate.ts';
import { CREDENTIALS, holdsSecret } from './rules/secrets.ts';
import { schemaErrors } from './schema.ts';
import { nearest } from '../lib/nearest-name.ts';
import { isObject } from '../lib/objects.ts';

/** Validates one document against the schemas, and reports unknown sections. */
export function validate(source: Source): CheckedDocument {
  const explained = explainAll(source);
  const broken = new Map<string, readonly string[] | undefined>();
  for (const { pointer, mistakes } of explained) {
    const [section = '', name] = pointerSegments(pointer);
    const entry =
      section === 'service' || name === undefined
        ? `/${section}`
        : `/${section}/${pointerSegment(name)}`;
    const whole = mistakes.some((one) => !one.startsWith(`${entry}/`));
    const before = broken.has(entry) ? broken.get(entry) : [];
    broken.set(entry, whole || before === undefined ? undefined : [...before, ...mistakes]);
  }
  return { source, findings: explained.map(({ finding }) => finding), broken };
}

function explainAll(source: Source): readonly Explained[] {
  const { value } = source;
  if (value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) {
    const params = { expected: 'a mapping', found: foundType(value) };
    const finding = error('wrongType', locate(source, ''), params);
    return [{ pointer: '', mistakes: [''], finding }];
  }
  return Object.entries(value).flatMap(([key, content]) =>
    isSection(key)
      ? explainSchemaErrors(source, key, schemaErrors(key, content))
      : key === 'include'
        ? []
        : [{ pointer: '', mistakes: [''], finding: unknownSection(source, key, content) }],
  );
}

/** An entry in the column of its section, which is empty: it is no section, and nothing else is said. */
export function besideSection(source: Source): Diagnostic | undefined {
  const top = isObject(source.value) ? Object.entries(source.value) : [];
  return top.flatMap(([section, content], index) => {
    const [key = '', entry] = top[index + 1] ?? [];
    if (!isSection(section) || content !== null || !isObject(entry) || isSection(key)) return [];
    const at = locate(source, `/${pointerSegment(key)}`, 'key');
    return [error('syntax', at, { problem: 'besideEntry', key, entry: section, indent: 2 })];
  })[0];
}

/** A section that is indented under another: its entries are no fields of an entry there, and nothing else is said. */
export function nestedSection(source: Source): Diagnostic | undefined {
  if (!isObject(source.value)) return undefined;
  for (const [section, content] of Object.entries(source.value)) {
    if (!isSection(section) || !isObject(content)) continue;
    for (const [key, value] of Object.entries(content).filter(([name]) => isSection(name))) {
      if (!isObject(value) || !Object.values(value).every(isObject)) continue;
      const unknown = schemaErrors(section, { [key]: value }).filter(
        ({ keyword, instancePath }) =>
          keyword === 'additionalProperties' && instancePath === `/${key}`,
      );
      if (unknown.length === 0 || unknown.length < Object.keys(value).length) continue;
      const at = locate(source, `/${section}/${key}`, 'key');
      return error('syntax', at, { problem: 'nestedSection', key, section });
    }
  }
  return undefined;
}

function isSection(key: string): key is Section {
  return (SECTIONS as readonly string[]).includes(key);
}

function unknownSection(source: Source, key: string, content: unknown): Diagnostic {
  if (holdsSecret('service', key, content) && !isObject(content))
    return error('looksLikeSecret', locate(source, `/${pointerSegment(key)}`), {
      key,
      variables: CREDENTIALS,
    });
  const known = ['include', ...SECTIONS];
  const suggestion = nearest(key, known);
  return error('unknownKey', locate(source, `/${pointerSegment(key)}`, 'key'), {
    key,
    allowed: known.join(', '),
    ...(suggestion !== undefined && { suggestion }),
  });
}
