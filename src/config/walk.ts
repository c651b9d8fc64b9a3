import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Alias, Document, LineCounter, Node, Pair, Scalar, YAMLMap } from 'yaml';
import { type Diagnostic, type DiagnosticCode, error } from '../model/documents/diagnostic.ts';
import type { Params } from '../model/error.ts';
import type { DocumentFile } from '../model/documents/policy.ts';
import { errorWith } from './findings.ts';
import { locateNode } from './locate.ts';
import { MAX_FINDINGS } from './scan.ts';

/** The most aliases in one file, and the most values after aliases are expanded. */
export const MAX_ALIASES = 20;
export const MAX_VALUES = 600_000;

const REFUSED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const CORE_TAG = /^tag:yaml\.org,2002:(str|int|float|bool|null|map|seq)$/;

/**
 * Scalars that a YAML 1.1 reader takes for a base-60 number or a date. Two readers must agree on a
 * document.
 */
const READ_DIFFERENTLY = /^([-+]?\d[\d_]*(:[0-5]?\d)+(\.\d*)?|\d{4}-\d{1,2}-\d{1,2}([Tt ].*)?)$/;

/** Quotes that word processors write, around a whole value. */
const TYPOGRAPHIC = /^[\u201c-\u201f\u00ab\u2039].*[\u201c-\u201f\u00bb\u203a]$/;

interface Walk {
  readonly file: DocumentFile;
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  readonly findings: Diagnostic[];
  /** Values by node; an alias shares the value of its anchor. */
  readonly values: Map<unknown, { readonly value: unknown; readonly size: number }>;
  /** The maps and lists around the current node. */
  readonly open: Set<unknown>;
  /** The last key that was read. */
  key: string;
  aliases: number;
  size: number;
  /** False once a part of the value had to be omitted. */
  usable: boolean;
}

/**
 * Builds the plain value of a parsed document, and reports what YAML allows but documents must not
 * contain.
 */
export function walk(source: Pick<Walk, 'file' | 'document' | 'lines'>): {
  readonly value: unknown;
  readonly findings: readonly Diagnostic[];
  readonly usable: boolean;
} {
  const state: Walk = {
    ...source,
    findings: [],
    values: new Map(),
    open: new Set(),
    key: '',
    aliases: 0,
    size: 0,
    usable: true,
  };
  const value = build(state, source.document.contents);
  return { value, findings: state.findings, usable: state.usable };
}

function build(state: Walk, node: unknown): unknown {
  state.size += 1;
  if (isAlias(node)) return follow(state, node);
  checkTag(state, node);
  if (isScalar(node)) return scalar(state, node);
  if (!isMap(node) && !isSeq(node)) return null;
  const before = state.size;
  state.open.add(node);
  const value = isMap(node) ? map(state, node) : node.items.map((item) => build(state, item));
  state.open.delete(node);
  state.values.set(node, { value, size: state.size - before });
  return value;
}

function map(state: Walk, node: YAMLMap): unknown {
  const value = Object.create(null) as Record<string, unknown>;
  const keys = new Map<string, unknown>();
  for (const { key: keyNode, value: valueNode } of node.items as Pair<Node, Node>[]) {
    const key = isScalar(keyNode) ? String(keyNode.value ?? '') : '';
    const first = keys.get(key);
    if (first !== undefined) duplicate(state, keyNode, { key, first });
    else if (REFUSED_KEYS.has(key)) refuse(state, 'refusedKey', { node: keyNode, params: { key } });
    else if (key === '<<') refuse(state, 'mergeKey', { node: keyNode, params: {} });
    else {
      state.key = key;
      value[key] = build(state, valueNode);
    }
    keys.set(key, first ?? keyNode);
  }
  return value;
}

function scalar(state: Walk, node: Scalar): unknown {
  if (node.type !== 'PLAIN' || typeof node.value !== 'string') return node.value;
  const key = state.key !== '' && { key: state.key };
  if (READ_DIFFERENTLY.test(node.value)) {
    const problem = /^\d{4}-/.test(node.value) ? 'date' : 'time';
    refuse(state, 'quoteIt', { node, params: { text: node.value, ...key, problem } });
  }
  if (TYPOGRAPHIC.test(node.value))
    refuse(state, 'syntax', { node, params: { problem: 'typographicQuote', ...key } });
  return node.value;
}

function follow(state: Walk, alias: Alias): unknown {
  state.aliases += 1;
  if (state.aliases > MAX_ALIASES)
    return stop(state, alias, { count: state.aliases, limit: MAX_ALIASES });
  const target = alias.resolve(state.document);
  const text = `*${alias.source}`;
  if (!target) {
    refuse(state, 'unquotedStar', { node: alias, params: { text } });
    return text;
  }
  if (state.open.has(target)) {
    state.usable = false;
    refuse(state, 'aliasLoop', { node: alias, params: { anchor: alias.source } });
    return null;
  }
  const built = state.values.get(target);
  state.size += built?.size ?? 0;
  if (state.size > MAX_VALUES) return stop(state, alias, { count: state.size, limit: MAX_VALUES });
  return isScalar(target) ? target.value : built?.value;
}

/** Reports once per file that it has too many aliases, and omits their values. */
function stop(state: Walk, node: Alias, params: Params): null {
  if (state.usable) refuse(state, 'tooManyAliases', { node, params });
  state.usable = false;
  return null;
}

function checkTag(state: Walk, node: unknown): void {
  const tag = (node as Node | null)?.tag;
  if (tag === undefined || CORE_TAG.test(tag)) return;
  refuse(state, 'customTag', { node, params: { tag } });
}

function duplicate(
  state: Walk,
  node: unknown,
  { key, first }: { key: string; first: unknown },
): void {
  if (state.findings.length >= MAX_FINDINGS) return;
  const places = [locateNode(state, node), locateNode(state, first)] as const;
  state.findings.push(errorWith('duplicateKey', places, { key }));
}

function refuse(
  state: Walk,
  code: DiagnosticCode,
  { node, params }: { node: unknown; params: Params },
): void {
  if (state.findings.length >= MAX_FINDINGS) return;
  state.findings.push(error(code, locateNode(state, node), params));
}
