import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { DocumentFile } from '../model/documents/policy.ts';
import { depthExceeds, MAX_DEPTH } from './depth.ts';
import { error, wholeFile, type Spot } from './findings.ts';

/** Limits of what is read (semantics D2). */
export const MAX_FILE_BYTES = 1_048_576;
export const MAX_FILES = 5_000;
export const MAX_FLEET_BYTES = 20 * 1_048_576;

/** How many findings of one kind a single file may add; a hostile file is not worth a million. */
export const MAX_FINDINGS = 50;

/**
 * Controls, byte order marks, and what an editor shows as nothing or in another order: a reviewer must see what is
 * there. A carriage return that no line feed follows hides the line before it.
 */
const FORBIDDEN = new RegExp(
  [
    '[\\0-\\x08\\v\\f\\x0e-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e]',
    '[\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\ufffe\\uffff]',
    '[\\u{e0000}-\\u{e0fff}]',
    '\\p{Surrogate}',
    '\\r(?!\\n)',
  ].join('|'),
  'gu',
);

/** What must be refused before any parser sees the text. Too deep: it must not be parsed; else see `readable`. */
export function scan(file: DocumentFile): readonly Diagnostic[] {
  const found = forbiddenCharacters(file);
  if (found.length > 0) return found;
  const deep = depthExceeds(file.text, MAX_DEPTH);
  if (deep === undefined) return [];
  return [error('nestedTooDeep', spotAt(file, deep, 1), { limit: MAX_DEPTH })];
}

/** The same text with every such character replaced, so that the rest of it can be checked in the same round. */
export function readable(file: DocumentFile): DocumentFile {
  const text = file.text.replace(FORBIDDEN, (found, at: number) =>
    at === 0 && found === '\ufeff' ? found : '\ufffd'.repeat(found.length),
  );
  return { ...file, text };
}

/** Checks the number and the sizes of files, before their content is looked at. */
export function checkLimits(
  files: readonly { readonly path: string; readonly bytes: number }[],
): readonly Diagnostic[] {
  const findings = files
    .filter(({ bytes }) => bytes > MAX_FILE_BYTES)
    .map(({ path, bytes }) =>
      error('fileTooLarge', wholeFile(path), { bytes, limit: MAX_FILE_BYTES }),
    );
  if (files.length > MAX_FILES)
    findings.push(withoutPlace('tooManyFiles', { count: files.length, limit: MAX_FILES }));
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > MAX_FLEET_BYTES)
    findings.push(withoutPlace('fleetTooLarge', { bytes, limit: MAX_FLEET_BYTES }));
  return findings;
}

/** Strict UTF-8. Where a byte is wrong: the finding, and no text. */
export function decode(path: string, bytes: Uint8Array): string | Diagnostic {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const lenient = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const offset = lenient.indexOf('\ufffd');
    return error('notUtf8', spotAt({ path, text: lenient }, offset, 1), { offset });
  }
}

function forbiddenCharacters(file: DocumentFile): Diagnostic[] {
  const findings: Diagnostic[] = [];
  for (const match of file.text.matchAll(FORBIDDEN)) {
    if (match.index === 0 && match[0] === '\ufeff') continue;
    if (findings.length === MAX_FINDINGS) break;
    const hex = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const at = spotAt(file, match.index, match[0].length);
    findings.push(error('forbiddenCharacter', at, { character: `U+${hex}` }));
  }
  return findings;
}

function spotAt(
  file: { readonly path: string; readonly text: string },
  offset: number,
  length: number,
): Spot {
  const before = file.text.slice(0, offset);
  const line = before.split('\n').length;
  return { file: file.path, line, column: offset - before.lastIndexOf('\n'), length };
}

function withoutPlace(
  code: 'tooManyFiles' | 'fleetTooLarge',
  params: Diagnostic['params'],
): Diagnostic {
  return { code, severity: 'error', params };
}
