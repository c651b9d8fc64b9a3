import { toList } from '../../lib/objects.ts';
import { type Diagnostic, error, warning } from '../../model/documents/diagnostic.ts';
import { matchesGlob } from '../../lib/glob.ts';
import { nearest } from '../../lib/nearest-name.ts';
import {
  compareVersions,
  isExactVersion,
  isForeignRange,
  parseRange,
  spelledOtherwise,
} from '../../lib/version-order.ts';
import {
  eachOf,
  placeIn,
  type AuthoredEntry,
  type AuthoredFleet,
  type Authored,
  type DocumentRule,
} from '../authored.ts';
import { errorWith } from '../findings.ts';
import { selectorsIn } from './values-of.ts';

export const VERSION_RULES: readonly DocumentRule[] = [
  versionsFit,
  downgradesHaveTickets,
  pinsAboveFloor,
];

type Selector = Authored['selector'];

/** Checks versions: no `latest`, no glob, and no range where an exact version is required. */
function* versionsFit(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('firmware')) {
    const { version, minVersion, order, select } = entry.value;
    if (version !== undefined) yield* authoredVersion(entry, version);
    yield* exact(entry, minVersion, '/minVersion');
    for (const [at, each] of (order ?? []).entries()) yield* exact(entry, each, `/order/${at}`);
    const vendor = singleVendor(select);
    yield* otherSpelling(entry, vendor);
    if (version === undefined || minVersion === undefined) continue;
    if (liesBelow({ vendor, order }, version, minVersion))
      yield error('versionBelowFloor', placeIn(entry, '/version'), { version, minVersion });
  }
  for (const entry of fleet.of('exceptions')) yield* exact(entry, entry.value.version, '/version');
  for (const { entry, value, below } of selectorsIn(fleet))
    yield* rangesIn(entry, value, `${below}/firmwareVersion`);
}

/** A downgrade needs a ticket. */
function* downgradesHaveTickets(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('firmware'))
    if (entry.value.downgrade === 'allow' && entry.value.ticket === undefined)
      yield error('ticketMissing', placeIn(entry, '/downgrade'), { policy: entry.address });
}

/**
 * A pin below the floor of a policy that surely applies to its devices. The plan checks what
 * depends on the live fleet.
 */
function* pinsAboveFloor(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const pin of fleet.of('exceptions')) {
    const { type, version, select, acceptsRisk } = pin.value;
    if (type !== 'pin' || acceptsRisk === true || version === undefined || !select) continue;
    for (const policy of fleet.of('firmware')) {
      const { minVersion, order } = policy.value;
      if (minVersion === undefined || !covers(policy.value.select, select)) continue;
      const vendor = singleVendor(select) ?? singleVendor(policy.value.select);
      if ((compareVersions(vendor, version, minVersion, order) ?? 0) >= 0) continue;
      const places = [placeIn(pin, '/version'), placeIn(policy, '/minVersion')] as const;
      const names = { exception: pin.address, policy: policy.address };
      yield errorWith('pinBelowFloor', places, { ...names, version, minVersion });
    }
  }
}

/** Warns about a version that is spelled as another vendor does: the service would never list it. */
function* otherSpelling(
  entry: AuthoredEntry<'firmware'>,
  vendor: string | undefined,
): Generator<Diagnostic> {
  for (const key of ['version', 'minVersion'] as const) {
    const value = entry.value[key];
    if (vendor === undefined || value === undefined || !isExactVersion(value)) continue;
    const example = spelledOtherwise(vendor, value);
    if (example === undefined) continue;
    const params = { value, problem: 'otherVendor', example: `"${example}"` };
    yield warning('badVersion', placeIn(entry, `/${key}`), params);
  }
}

function* authoredVersion(entry: AuthoredEntry, version: string): Generator<Diagnostic> {
  if (version === 'approved' || parseRange(version)) return;
  const problem = versionProblem(version);
  if (!problem) return;
  const example = exampleFor(version);
  const params = { value: version, problem, ...(example !== undefined && { example }) };
  yield error('badVersion', placeIn(entry, '/version'), params);
}

/** What a version of another tool means here: `^11` and `11 - 11` are `>=11 <12`, `11.11.*` is `11.11.x`. */
function exampleFor(version: string): string | undefined {
  const [, from, to] = /^(\d[\d.]*)\s+-\s+(\d[\d.]*)$/.exec(version) ?? [];
  if (from !== undefined && to !== undefined) return `">=${from} <=${to}"`;
  const [, caret, major] = /^\^((\d+)(?:\.\d+)*)$/.exec(version) ?? [];
  if (caret !== undefined) return `">=${caret} <${Number(major) + 1}"`;
  const [, prefix] = /^(\d+(?:\.\d+)*)\.\*$/.exec(version) ?? [];
  return prefix === undefined ? undefined : `"${prefix}.x"`;
}

/** A word near `approved` would be a version that no service offers, and the policy would do nothing. */
function versionProblem(version: string): string | undefined {
  if (version.toLowerCase() === 'latest') return 'latest';
  if (!/\d/.test(version) && nearest(version, ['approved'])) return 'misspelt';
  if (isForeignRange(version)) return 'foreign';
  return isExactVersion(version) ? undefined : 'pattern';
}

function* exact(
  entry: AuthoredEntry,
  version: string | undefined,
  below: string,
): Generator<Diagnostic> {
  if (version !== undefined && !isExactVersion(version))
    yield error('badVersion', placeIn(entry, below), {
      value: version,
      problem: 'notExact',
      example: '"11.11.73"',
    });
}

function* rangesIn(entry: AuthoredEntry, selector: Selector, below: string): Generator<Diagnostic> {
  for (const { value, below: at } of eachOf(selector.firmwareVersion, below))
    if (/^[<>]/.test(value) && !parseRange(value)) {
      const params = { value, problem: 'pattern', example: '">=11.5 <12"' };
      yield error('badVersion', placeIn(entry, at), params);
    }
}

/** Whether every version that the target allows is below the floor; false if undecided. */
function liesBelow(
  {
    vendor,
    order,
  }: { readonly vendor: string | undefined; readonly order: readonly string[] | undefined },
  wanted: string,
  floor: string,
): boolean {
  const range = parseRange(wanted);
  const isBelow = (version: string) => (compareVersions(vendor, version, floor, order) ?? 0) < 0;
  if (!range) return wanted !== 'approved' && isBelow(wanted);
  if (range.is === 'xRange') return isBelow([...range.prefix, Number.MAX_SAFE_INTEGER].join('.'));
  return range.all.some(({ operator, version }) => {
    if (operator === '<') return isBelow(version) || version === floor;
    return (operator === '<=' || operator === '=') && isBelow(version);
  });
}

/**
 * The vendor of a selector that names exactly one, since only versions of one vendor can be
 * compared.
 */
function singleVendor({ vendor }: Selector): string | undefined {
  const [only, ...more] = toList<string>(vendor);
  return more.length === 0 && only !== undefined && !/[*?]/.test(only) ? only : undefined;
}

/** Whether `outer` surely selects every device that `inner` selects. */
function covers(outer: Selector, inner: Selector): boolean {
  return Object.entries(outer).every(([key, wide]) => {
    if (key === 'not' || key === 'site') return JSON.stringify(wide) === JSON.stringify(inner[key]);
    const globs = toList(wide as string | readonly string[]);
    if (key === 'device' && globs.includes('*')) return true;
    const narrow = toList(inner[key as 'device']);
    return (
      narrow.length > 0 &&
      narrow.every((text) => globs.some((glob) => !glob.includes('?') && matchesGlob(glob, text)))
    );
  });
}
