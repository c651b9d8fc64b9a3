import { Document, LineCounter, parseAllDocuments } from 'yaml';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { DocumentFile } from '../model/policy.ts';
import { error } from './findings.ts';
import { spotAt, type Source, type Text } from './locate.ts';
import { MAX_FINDINGS } from './scan.ts';
import { walk } from './walk.ts';

/**
 * YAML 1.2 core and nothing else. Duplicate keys are found by our own walk, which knows both places and takes linear
 * time; keys are always text, so that a site id may be written without quotes.
 */
const OPTIONS = {
  version: '1.2',
  schema: 'core',
  merge: false,
  uniqueKeys: false,
  stringKeys: true,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

/** Reads one scanned text. Without a source there is at least one finding; with one there may be some as well. */
export function parse(file: DocumentFile): {
  readonly source?: Source;
  readonly findings: readonly Diagnostic[];
} {
  const lines = new LineCounter();
  const text = { file, lines };
  const documents = parseAllDocuments(file.text, { ...OPTIONS, lineCounter: lines });
  const [document, second] = [...documents] as Document.Parsed[];
  if (!document) return { source: { ...text, document: NOTHING, value: null }, findings: [] };
  const unreadable = [
    ...syntaxFindings(text, document),
    ...directiveFindings(text, document),
    ...(second ? [error('severalDocuments', spotAt(text, second.range[0], second.range[0]))] : []),
  ];
  const { value, findings, usable } = walk({ ...text, document });
  if (unreadable.length > 0 || !usable) return { findings: [...unreadable, ...findings] };
  return { source: { ...text, document, value }, findings };
}

/** What a file of comments alone comes to. */
const NOTHING = new Document(null) as Document.Parsed;

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
