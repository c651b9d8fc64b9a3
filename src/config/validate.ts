import type { Diagnostic } from '../model/documents/diagnostic.ts';
import { SECTIONS, type Section } from '../model/documents/policy.ts';
import type { CheckedDocument } from './authored.ts';
import { explainSchemaErrors, type Explained } from './explain-errors.ts';
import { foundType } from './explain-value.ts';
import { error } from './findings.ts';
import {
  entryRanges,
  locate,
  toOffset,
  pointerSegment,
  pointerSegments,
  type Source,
} from './locate.ts';
import { CREDENTIALS, holdsSecret } from './rules/secrets.ts';
import { schemaErrors } from './schema.ts';
import { nearest } from '../lib/nearest-name.ts';
import { isObject } from '../lib/objects.ts';

/**
 * Validates one document against the schemas, and reports unknown sections. Entries around invalid
 * YAML get no further finding, nor do top-level keys after it: the parser may have misplaced them.
 */
export function validate(source: Source, doubts: readonly number[] = []): CheckedDocument {
  const doubtful = doubts.length === 0 ? new Set<string>() : doubtfulEntries(source, doubts);
  const first = Math.min(...doubts);
  const explained = explainAll(source).filter(
    ({ pointer, finding: { at } }) =>
      !doubtful.has(entryPointer(pointer)) &&
      (isEntryPointer(pointer) || at === undefined || toOffset(source, at) < first),
  );
  const broken = new Map<string, readonly string[] | undefined>();
  for (const { pointer, mistakes } of explained) {
    const entry = entryPointer(pointer);
    const whole = mistakes.some((one) => !one.startsWith(`${entry}/`));
    const before = broken.has(entry) ? broken.get(entry) : [];
    broken.set(entry, whole || before === undefined ? undefined : [...before, ...mistakes]);
  }
  for (const entry of doubtful) broken.set(entry, undefined);
  return { source, findings: explained.map(({ finding }) => finding), broken };
}

/** Entries that contain such an offset or end right before it. */
function doubtfulEntries(source: Source, doubts: readonly number[]): ReadonlySet<string> {
  const { text } = source.file;
  const found = new Set<string>();
  for (const { pointer, from, to } of entryRanges(source)) {
    const next = text.slice(to).search(/\S/);
    const end = next < 0 ? text.length : to + next;
    if (doubts.some((at) => text.lastIndexOf('\n', from - 1) < at && at <= end)) found.add(pointer);
  }
  return found;
}

function isEntryPointer(pointer: string): boolean {
  const [section = '', name] = pointerSegments(pointer);
  return isSection(section) && (section === 'service' || name !== undefined);
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
      : [{ pointer: '', mistakes: [''], finding: unknownSection(source, key, content) }],
  );
}

function entryPointer(pointer: string): string {
  const [section = '', name] = pointerSegments(pointer);
  return section === 'service' || name === undefined
    ? `/${section}`
    : `/${section}/${pointerSegment(name)}`;
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
  const suggestion = nearest(key, SECTIONS);
  return error('unknownKey', locate(source, `/${pointerSegment(key)}`, 'key'), {
    key,
    allowed: SECTIONS.join(', '),
    ...(suggestion !== undefined && { suggestion }),
  });
}
