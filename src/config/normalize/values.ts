import { Bug } from '../../lib/bug.ts';
import type {
  BudgetLimit,
  Selector,
  SelectorKeys,
  SiteClause,
  VersionSpec,
} from '../../model/documents/policy.ts';
import { TASK_TYPES, type TaskType } from '../../model/fleet/task.ts';
import { parseDuration, parseInstant, type Instant, type Milliseconds } from '../../lib/time.ts';
import { isRange } from '../../lib/version-order.ts';
import { toList, type Authored } from '../authored.ts';
import { isObject } from '../../lib/objects.ts';

/** A duration that the schema has accepted, in milliseconds. */
export function ms(text: string): Milliseconds {
  return known(parseDuration(text), text);
}

/** An instant that the schema has accepted. */
export function parsedInstant(text: string): Instant {
  return known(parseInstant(text), text);
}

/** Reads `30%` as 30. */
export function percent(text: string): number {
  return Number.parseFloat(text);
}

/** A number as a count, a percentage as a percent. */
export function parsedLimit(written: string | number): BudgetLimit {
  return typeof written === 'number' ? { count: written } : { percent: percent(written) };
}

/** `11.11.61`, a range or x-range, or `approved`. */
export function versionSpec(text: string): VersionSpec {
  if (text === 'approved') return { is: 'approved' };
  return isRange(text) ? { is: 'range', text } : { is: 'exact', version: text };
}

/** One task type, a list, or `all`, which is the default. */
export function tasks(written: Authored['tasks'] | undefined): readonly TaskType[] {
  const names = toList<string>(written ?? 'all');
  return TASK_TYPES.filter((task) => names.includes('all') || names.includes(task));
}

/** A selector with a list for every key. */
export function selector(written: Authored['selector']): Selector {
  const { not } = written;
  return { ...keys(written), ...(not && { not: keys(not) }) };
}

const GLOB_KEYS = [
  'device',
  'name',
  'vendor',
  'model',
  'deviceType',
  'firmwareVersion',
  'source',
  'group',
] as const;

function keys(written: Authored['selector']): SelectorKeys {
  const { site } = written;
  const globs = GLOB_KEYS.flatMap((key) => {
    const value = written[key];
    return value === undefined ? [] : [[key, toList<string>(value)] as const];
  });
  return { ...Object.fromEntries(globs), ...(site !== undefined && { site: siteClause(site) }) };
}

function siteClause(written: NonNullable<Authored['selector']['site']>): SiteClause {
  if (typeof written === 'string' || !isClause(written)) return { name: toList<string>(written) };
  const { name, tag } = written;
  return {
    ...(name !== undefined && { name: toList<string>(name) }),
    ...(tag !== undefined && { tag: toList<string>(tag) }),
  };
}

function isClause(
  written:
    readonly string[] | { readonly name?: Authored['globs']; readonly tag?: Authored['globs'] },
): written is { readonly name?: Authored['globs']; readonly tag?: Authored['globs'] } {
  return isObject(written);
}

function known<T>(value: T | undefined, text: string): T {
  if (value === undefined) throw new Bug(`a value passed its schema and cannot be read: ${text}`);
  return value;
}
