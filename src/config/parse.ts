import { LineCounter, type Document } from 'yaml';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { DocumentFile } from '../model/policy.ts';
import { compose } from './compose.ts';
import { error } from './findings.ts';
import { spotAt, type Source, type Text } from './locate.ts';
import { MAX_FINDINGS } from './scan.ts';
import { walk } from './walk.ts';

/** Reads one scanned text. Without a source there is at least one finding; with one there may be some as well. */
export function parse(file: DocumentFile): {
  readonly source?: Source;
  readonly findings: readonly Diagnostic[];
} {
  const lines = new LineCounter();
  const text = { file, lines };
  const [document, second] = compose(file.text, lines);
  const unreadable = [
    ...syntaxFindings(text, document),
    ...directiveFindings(text, document),
    ...(second ? [error('severalDocuments', spotAt(text, second.range[0], second.range[0]))] : []),
  ];
  const { value, findings, usable } = walk({ ...text, document });
  if (unreadable.length > 0 || !usable) return { findings: [...unreadable, ...findings] };
  return { source: { ...text, document, value }, findings };
}

/** Unknown tags, and `*` where a pattern was meant, are the walk's to say: it says them better. */
const SAID_BY_WALK: ReadonlySet<string> = new Set(['TAG_RESOLVE_FAILED', 'BAD_ALIAS']);

function syntaxFindings(text: Text, document: Document.Parsed): readonly Diagnostic[] {
  return document.errors
    .filter(({ code }) => !SAID_BY_WALK.has(code))
    .slice(0, MAX_FINDINGS)
    .map(({ code, message, pos }) =>
      error('syntax', spotAt(text, ...pos), {
        problem: code,
        message: message.split('\n', 1)[0] ?? '',
      }),
    );
}

/** `%YAML 1.1` would give other meanings to the same text. */
function directiveFindings(text: Text, document: Document.Parsed): readonly Diagnostic[] {
  const { explicit, version } = document.directives.yaml;
  if (explicit !== true || version === '1.2') return [];
  const message = `%YAML ${version}`;
  const offset = Math.max(0, text.file.text.indexOf('%YAML'));
  const at = spotAt(text, offset, offset + message.length);
  return [error('syntax', at, { problem: 'YAML_VERSION', message })];
}
