import type { ScopeProblem } from '../../model/plan/scope.ts';
import type { PartFlags } from '../part/resolve-part.ts';

/** A trailer as understood: the part that it names, its limit, and the items that are not understood. */
export interface ParsedScope {
  readonly part: Required<PartFlags>;
  /** The maximum of devices. */
  readonly atMost?: number;
  readonly problems: readonly ScopeProblem[];
}

/** The length of a trailer in characters that is read. */
export const MAX_SCOPE = 1_000;

/**
 * Parses the value of a `Scope:` trailer, such as `firmware.axis-*, site HQ*, at most 20 devices`:
 * items between commas, each the address of a policy or a glob, `site NAME`, `device NAME` or `at
 * most N devices` (semantics G9). A colon may follow `site` and `device`, and a value with a comma
 * is in double quotes. Reports each item that is not understood, and never throws.
 */
export function parseScope(text: string): ParsedScope {
  if (text.length > MAX_SCOPE) return { part: NO_PART, problems: [malformed('tooLong', '')] };
  const items = splitItems(text);
  if (!items) return { part: NO_PART, problems: [malformed('quote', text)] };
  const part = { only: [] as string[], site: [] as string[], device: [] as string[] };
  const problems: ScopeProblem[] = [];
  const limits: number[] = [];
  for (const item of items) {
    const read = readItem(item);
    if ('problem' in read) problems.push(malformed(read.problem, item === '' ? text : item));
    else if ('limit' in read) limits.push(read.limit);
    else part[read.key].push(read.value);
    if (limits.length > 1) problems.push(malformed('twice', item));
    limits.splice(1);
  }
  const [atMost] = limits;
  return { part, ...(atMost !== undefined && { atMost }), problems };
}

type Item =
  | { readonly problem: string }
  | { readonly limit: number }
  | { readonly key: keyof PartFlags; readonly value: string };

function readItem(item: string): Item {
  if (item === '') return { problem: 'empty' };
  const [, limit] = LIMIT.exec(item) ?? [];
  if (limit !== undefined) return { limit: Number(limit) };
  const [, kind = 'only', name = item] = PLACE.exec(item) ?? [];
  const key = kind.toLowerCase() as keyof PartFlags;
  const value = /^"[^"]*"$/.test(name) ? name.slice(1, -1).trim() : name;
  const isUnreadable = value === '' || (key === 'only' && isNoAddress(name));
  return isUnreadable ? { problem: 'item' } : { key, value };
}

const NO_PART: ParsedScope['part'] = { only: [], site: [], device: [] };

const LIMIT = /^at most (\d{1,9}) devices?$/i;
const PLACE = /^(site|device)(?:\s*:\s*|\s+)(\S.*)$/i;

/** Words without a quote, or `site` and `device` without a name. */
function isNoAddress(text: string): boolean {
  return !text.startsWith('"') && (/\s/.test(text) || /^(?:site|device):?$/i.test(text));
}

function malformed(why: string, item: string): ScopeProblem {
  return { code: 'malformed', params: { why, item } };
}

/** The trimmed texts between commas outside double quotes; undefined if a quote is not closed. */
function splitItems(text: string): readonly string[] | undefined {
  const parts = text.split('"');
  if (parts.length % 2 === 0) return undefined;
  const items = [''];
  parts.forEach((part, index) => {
    const isQuoted = index % 2 === 1;
    const [first = '', ...others] = isQuoted ? [`"${part}"`] : part.split(',');
    items.push(`${items.pop() ?? ''}${first}`, ...others);
  });
  return items.map((item) => item.trim());
}
