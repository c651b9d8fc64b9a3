import { canonical, type Json, type JsonObject } from '../lib/canonical.ts';
import { formatInstant, parseInstant, type Instant } from '../lib/time.ts';
import {
  FACT_KINDS,
  FACT_PROBLEMS,
  factKey,
  type Contradicted,
  type Fact,
  type FactKind,
  type FactValue,
} from './fact.ts';
import { jsonValue } from '../lib/json-text.ts';
import { isObject } from '../lib/objects.ts';

/** Version of the line format; lines of another one are not read. */
const FACTS_FORMAT = 1;

/** No line of ours is longer; a longer one is not even parsed. */
const LONGEST_LINE = 8_192;

/** Whose facts a file holds. */
export interface FactsOwner {
  /** Fingerprint of the service. */
  readonly tenant: string;
  /** Id of the ledger; empty before the first run. */
  readonly ledger: string;
}

/** What a file held: its facts, the newest of each key, and how many lines were of no use. */
export interface FactsRead {
  readonly facts: ReadonlyMap<string, Fact>;
  readonly dropped: number;
  /** The file belongs to another service: none of its lines was read. */
  readonly foreign?: true;
  /** No record names some of the shared files: none of their lines was read (semantics M24). */
  readonly unnamed?: true;
}

/** A file of facts as lines without line ends: the owner, then one fact each, in the order of keys (semantics N4). */
export function* factLines(owner: FactsOwner, facts: Iterable<Fact>): Generator<string> {
  const { tenant, ledger } = owner;
  yield canonical({ format: FACTS_FORMAT, kind: 'facts', ledger, tenant });
  const lines = Array.from(facts, (fact): [string, Fact] => [factKey(fact), fact]);
  lines.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  for (const [, fact] of lines) yield factLine(fact);
}

/** One fact as its line, which is also what decides between two of the same instant. */
export function factLine({ at, id, kind, reader, who, value, contradicts }: Fact): string {
  const against = contradicts && instantTexts(contradicts, ['at', 'from', 'since']);
  return canonical({
    at: formatInstant(at),
    contradicts: against,
    id,
    kind,
    reader,
    who,
    value: toJson(value),
  });
}

/**
 * Reads a file of facts. A line that is not understood is dropped and counted, never an error: losing
 * facts costs requests and nothing else (semantics N7, N14).
 * @param tenant the fingerprint of the service that is read now
 */
export function readFactLines(lines: Iterable<string>, tenant: string): FactsRead {
  const facts = new Map<string, Fact>();
  let dropped = 0;
  let header: JsonObject | undefined;
  for (const line of lines) {
    if (line === '') continue;
    const value = parse(line);
    if (header === undefined) {
      header = value ?? {};
      if (header['format'] !== FACTS_FORMAT || header['kind'] !== 'facts') dropped += 1;
      else if (header['tenant'] !== tenant) return { facts, dropped, foreign: true };
      else continue;
      header = { unusable: true };
      continue;
    }
    const fact = header['unusable'] === true || !value ? undefined : factIn(value);
    if (fact) addNewest(facts, fact);
    else dropped += 1;
  }
  return { facts, dropped };
}

/**
 * The newest fact of a key counts; of two from one instant the greater text, so that any order gives the same
 * (semantics N9).
 */
export function addNewest(facts: Map<string, Fact>, fact: Fact): void {
  const key = factKey(fact);
  const known = facts.get(key);
  if (known && known.at > fact.at) return;
  if (known?.at === fact.at && factLine(known) >= factLine(fact)) return;
  facts.set(key, fact);
}

/** Several files as one, in any order (semantics N9). */
export function mergeFacts(...all: readonly Iterable<Fact>[]): ReadonlyMap<string, Fact> {
  const merged = new Map<string, Fact>();
  for (const facts of all) for (const fact of facts) addNewest(merged, fact);
  return merged;
}

function parse(line: string): JsonObject | undefined {
  const value = line.length > LONGEST_LINE ? undefined : (jsonValue(line) as Json);
  return isObject(value) ? value : undefined;
}

function factIn(line: JsonObject): Fact | undefined {
  const { at, id, kind, reader, who, value, contradicts, ...more } = line;
  const instant = instantIn(at);
  const known = FACT_KINDS.find((one) => one === kind);
  if (!known || instant === undefined || !isObject(value) || Object.keys(more).length > 0)
    return undefined;
  if (!isText(id) || !isText(reader) || (who !== undefined && !isText(who))) return undefined;
  const held = valueIn(known, value);
  const against = contradicts === undefined ? undefined : contradictedIn(contradicts);
  if (!held || (contradicts !== undefined && !against)) return undefined;
  return {
    kind: known,
    id,
    at: instant,
    reader,
    ...(who !== undefined && { who }),
    value: held,
    ...(against && { contradicts: against }),
  };
}

function contradictedIn(value: Json): Contradicted | undefined {
  const { at, from, since, ...more } = isObject(value) ? value : {};
  const [read, begun, first] = [at, from, since].map(instantIn);
  if (read === undefined || begun === undefined || first === undefined) return undefined;
  return Object.keys(more).length > 0 ? undefined : { at: read, from: begun, since: first };
}

function valueIn(kind: FactKind, value: JsonObject): FactValue | undefined {
  if (value['problem'] !== undefined) return problemIn(value);
  if (kind === 'target') return versionsIn(value);
  if (kind === 'certificate' && value['none'] === true)
    return Object.keys(value).length === 1 ? { is: 'none' } : undefined;
  return kind === 'password'
    ? datesIn(value, 'password', ['changed', 'oldest', 'expires', 'listed'])
    : datesIn(value, 'certificate', ['notBefore', 'notAfter', 'listed']);
}

function problemIn({ problem, since, ...more }: JsonObject): FactValue | undefined {
  const known = FACT_PROBLEMS.find((one) => one === problem);
  if (!known || Object.keys(more).length > 0) return undefined;
  if (since === undefined) return { is: 'problem', problem: known };
  const first = instantIn(since);
  return first === undefined ? undefined : { is: 'problem', problem: known, since: first };
}

function versionsIn({ versions, ...more }: JsonObject): FactValue | undefined {
  if (!Array.isArray(versions) || Object.keys(more).length > 0) return undefined;
  const paths = versions as readonly Json[];
  const isPath = (path: Json): path is readonly string[] =>
    Array.isArray(path) && path.length > 0 && (path as readonly Json[]).every(isText);
  return paths.every(isPath) ? { is: 'versions', versions: paths } : undefined;
}

function datesIn<K extends 'password' | 'certificate'>(
  value: JsonObject,
  kind: K,
  names: readonly string[],
): FactValue | undefined {
  const found: Record<string, Instant | string> = {};
  for (const [name, content] of Object.entries(value)) {
    if (name === 'mark') {
      if (!isText(content) || !/^[0-9a-f]{16}$/.test(content)) return undefined;
      found[name] = content;
      continue;
    }
    const instant = names.includes(name) ? instantIn(content) : undefined;
    if (instant === undefined) return undefined;
    found[name] = instant;
  }
  return { is: kind, ...found };
}

function toJson(value: FactValue): JsonObject {
  switch (value.is) {
    case 'password':
      return {
        ...instantTexts(value, ['changed', 'oldest', 'expires', 'listed']),
        mark: value.mark,
      };
    case 'certificate':
      return { ...instantTexts(value, ['notBefore', 'notAfter', 'listed']), mark: value.mark };
    case 'none':
      return { none: true };
    case 'versions':
      return { versions: value.versions };
    case 'problem':
      return { problem: value.problem, ...instantTexts(value, ['since']) };
  }
}

function instantTexts<K extends string>(
  value: Readonly<Partial<Record<K, Instant>>>,
  names: readonly K[],
): JsonObject {
  const known = names.flatMap((name) =>
    value[name] === undefined ? [] : [[name, value[name]] as const],
  );
  return Object.fromEntries(known.map(([name, instant]) => [name, formatInstant(instant)]));
}

/** Only as we write it: another spelling of the same instant is not ours. */
function instantIn(value: Json | undefined): Instant | undefined {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined;
  return instant !== undefined && formatInstant(instant) === value ? instant : undefined;
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}
