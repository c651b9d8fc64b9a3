import { isAlias, isCollection, isMap, isScalar, isSeq } from 'yaml';
import type { Document, LineCounter, Node, Pair, YAMLMap } from 'yaml';
import type { DocumentFile } from '../model/documents/policy.ts';
import type { SourceLocation } from '../model/documents/source.ts';
import type { Spot } from './findings.ts';

/** A parsed document with what is needed to locate its values. */
export interface Source {
  readonly file: DocumentFile;
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  /** The plain value: maps without a prototype, lists and scalars. */
  readonly value: unknown;
}

/** A text and the offsets of its lines. */
export type SourceText = Pick<Source, 'file' | 'lines'>;

/** What a finding concerns: the value at a pointer, or its key. */
export type Aspect = 'key' | 'value';

interface FoundNode {
  readonly key?: Node;
  readonly value?: Node;
}

/**
 * The location of a JSON pointer (`/firmware/axis-p32/version`). A missing or multi-line value is
 * located at its key; a pointer without a node at the nearest one around it.
 */
export function locate(source: Source, pointer: string, aspect: Aspect = 'value'): Spot {
  const found = find(source, pointerSegments(pointer));
  const shown = aspect === 'key' || spansLines(source, found.value) ? found.key : found.value;
  return locateNode(source, shown ?? found.value ?? found.key);
}

/** Splits a JSON pointer and removes its escapes. */
export function pointerSegments(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Escapes one segment of a JSON pointer. */
export function pointerSegment(key: string | number): string {
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The text range of every entry, the service included. */
export function* entryRanges(
  source: Source,
): Generator<{ readonly pointer: string; readonly from: number; readonly to: number }> {
  const top = source.document.contents;
  if (!isMap(top)) return;
  for (const [section, { key, value }] of indexPairs(top as YAMLMap)) {
    if (section === 'service' || !isMap(value)) {
      yield { pointer: `/${pointerSegment(section)}`, ...pairRange(key, value) };
      continue;
    }
    for (const [name, pair] of indexPairs(value))
      yield {
        pointer: `/${pointerSegment(section)}/${pointerSegment(name)}`,
        ...pairRange(pair.key, pair.value),
      };
  }
}

function pairRange(key: Node, value: Node | null) {
  const [from, end] = nodeRange(key);
  return { from, to: value ? Math.max(end, nodeRange(value)[1]) : end };
}

export function toOffset({ lines }: SourceText, { line, column }: Spot | SourceLocation): number {
  return (lines.lineStarts[line - 1] ?? 0) + column - 1;
}

/** The exact text of a scalar, quotes included. */
export function authoredText(source: Source, pointer: string): string {
  const node = find(source, pointerSegments(pointer)).value;
  return isScalar(node) ? nodeText(source, node) : '';
}

/** The location of a node; the first character of the file without one. */
export function locateNode(source: SourceText, node: unknown): Spot {
  return spotAt(source, ...nodeRange(node));
}

/** The location of a text range, up to the end of its first line. */
export function spotAt({ file, lines }: SourceText, from: number, to: number): Spot {
  const { line, col } = lines.linePos(from);
  const written = file.text.slice(from, to).split('\n', 1)[0] ?? '';
  const length = Math.max(1, written.trimEnd().length);
  return { file: file.path, line: Math.max(1, line), column: Math.max(1, col), length };
}

function find(source: Source, path: readonly string[]): FoundNode {
  let found: FoundNode = { ...(source.document.contents && { value: source.document.contents }) };
  for (const part of path) {
    const node = isAlias(found.value) ? found.value.resolve(source.document) : found.value;
    const next = step(node, part);
    if (!next) return found;
    found = next;
  }
  return found;
}

function step(node: unknown, part: string): FoundNode | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(part)];
    return item === undefined ? undefined : { value: item as Node };
  }
  const pair = isMap(node) ? indexPairs(node).get(part) : undefined;
  if (!pair) return undefined;
  return { key: pair.key, ...(pair.value && { value: pair.value }) };
}

/** Caches the keys of maps, which may have thousands of entries that are looked up often. */
const PAIRS = new WeakMap<YAMLMap, ReadonlyMap<string, Pair<Node, Node | null>>>();

function indexPairs(map: YAMLMap): ReadonlyMap<string, Pair<Node, Node | null>> {
  const known = PAIRS.get(map);
  if (known) return known;
  const pairs = new Map<string, Pair<Node, Node | null>>();
  for (const pair of map.items as Pair<Node, Node | null>[]) {
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    if (!pairs.has(key)) pairs.set(key, pair);
  }
  PAIRS.set(map, pairs);
  return pairs;
}

function spansLines(source: Source, node: unknown): boolean {
  return isCollection(node) && nodeText(source, node).trimEnd().includes('\n');
}

function nodeText(source: Source, node: unknown): string {
  return source.file.text.slice(...nodeRange(node));
}

/** The offsets of a node and of its end. */
export function nodeRange(node: unknown): readonly [number, number] {
  const range = (node as { range?: readonly number[] } | undefined)?.range;
  return [range?.[0] ?? 0, range?.[1] ?? 0];
}
