import { getOrAdd } from '../lib/maps.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { Params } from '../model/error.ts';
import type { DocumentFile } from '../model/documents/policy.ts';
import { HIDDEN, quotable, shownQuote, withoutSecretForms } from '../model/documents/quoted.ts';

/** Parameters that never contain an authored value: key names, our own words, suggestions. */
const OURS: ReadonlySet<string> = new Set(
  [
    'key within allowed keys other beside section expected found',
    'rule limit count problem reference policy example variables anchor',
  ].flatMap((names) => names.split(' ')),
);

/**
 * Removes secrets from the params of findings: anything in the form of a secret, and every value if
 * the finding points at one. Frames hide secrets on their own; this is for messages and JSON.
 */
export function conceal(
  findings: readonly Diagnostic[],
  files: readonly DocumentFile[],
): readonly Diagnostic[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const read = new Map<string, Lines>();
  return findings.map((finding) => {
    const { at, params } = finding;
    const text = at && texts.get(at.file);
    if (!at || text === undefined) return { ...finding, params: concealed(params) };
    const lines = getOrAdd(read, at.file, () => ({
      written: text.split('\n'),
      quoted: quotable(text).split('\n'),
    }));
    const shown = stretch(lines.quoted, at);
    if (!shown.includes(HIDDEN)) return { ...finding, params: concealed(params) };
    const secret = { written: stretch(lines.written, at), shown: shownQuote(shown) };
    return { ...finding, params: concealed(params, secret) };
  });
}

interface Lines {
  readonly written: readonly string[];
  readonly quoted: readonly string[];
}

function stretch(
  lines: readonly string[],
  { line, column, length = 1 }: NonNullable<Diagnostic['at']>,
): string {
  return (lines[line - 1] ?? '').slice(column - 1, column - 1 + length);
}

interface Secret {
  readonly written: string;
  readonly shown: string;
}

function concealed(params: Params, secret?: Secret): Params {
  const members = Object.entries(params).flatMap(([name, value]) => {
    if (OURS.has(name) && value !== secret?.written) return [[name, value] as const];
    if (secret) return name === 'suggestion' ? [] : [[name, secret.shown] as const];
    return [[name, typeof value === 'string' ? withoutSecretForms(value) : value] as const];
  });
  return Object.fromEntries(members);
}
