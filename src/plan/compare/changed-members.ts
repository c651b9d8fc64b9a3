import { matchesAny } from '../../lib/glob.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { listDialectKeys } from '../../model/fleet/dialect-keys.ts';
import { type DialectKey, resolveDialect } from '../../model/fleet/dialect.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { ChangedSetting } from '../../model/documents/written-form.ts';
import { deviceFacets } from '../../desired/facets.ts';
import { createMatcher } from '../../desired/matcher.ts';
import { keysOf, PARTS, type Selecting, selectorsIn } from '../../desired/selecting.ts';

/**
 * How many devices each of what protects them had and has, of those whose devices are others, also by a tag or a group. The
 * reading is in the dialect of the request: what another one said of a site or a source is not in it.
 */
export function changedMembers(
  before: Documents,
  after: Documents,
  snapshot: Snapshot,
): readonly ChangedSetting[] {
  const now = membersIn(after, snapshot);
  const unread = unreadBy(before, after);
  return [...membersIn(before, snapshot)].flatMap(([address, was]) => {
    const is = now.get(address) ?? was;
    const at = `${address}.devices`;
    if (now.has(address) && unread.has(address))
      return { at, before: { untold: true }, after: is.length };
    if (is.length === was.length && is.every((row, index) => row === was[index])) return [];
    const known = new Set(was);
    const common = is.filter((row) => known.has(row)).length;
    const members = [is.length, is.length - common, was.length - common];
    return { at, before: was.length, after: { members } };
  });
}

/** The rows of the devices, unclear ones included, of what protects devices or lets them pass, by address. */
function membersIn(documents: Documents, { devices }: Snapshot): ReadonlyMap<string, number[]> {
  const entries = selectorsIn(documents).filter(({ section, entry: { name } }) => {
    const isKept = section === 'groups' && documents.groups.get(name)?.value.redundancy === true;
    return isKept || ['budgets', 'freezes', 'exceptions'].includes(section);
  });
  const selectors = entries.map(({ select }) => select);
  const match = createMatcher(selectors, deviceFacets(documents, devices));
  const rows = entries.map((): number[] => []);
  for (let row = 0; row < devices.length; row++)
    for (const found of Object.values(match(row))) for (const at of found) rows[at]?.push(row);
  return new Map(entries.map(({ address }, index) => [address, rows[index] ?? []]));
}

/** The addresses of what selected by a site or a source, of which another dialect says the names elsewhere. */
function unreadBy(before: Documents, after: Documents): ReadonlySet<string> {
  const [old, now] = [before, after].map(({ service }) => resolveDialect(service.value.dialect));
  const isOther = (key: DialectKey): boolean => old?.[key] !== now?.[key];
  const fields = (['site', 'source'] as const).filter((key) =>
    listDialectKeys(`${key}s`).some(isOther),
  );
  const all = fields.length > 0 ? selectorsIn(before) : [];
  const isDirect = (each: Selecting): boolean =>
    PARTS.some((part) => fields.some((key) => keysOf(each, part)[key] !== undefined));
  const groups = all.filter((each) => each.section === 'groups' && isDirect(each));
  const isBehind = (each: Selecting): boolean =>
    PARTS.some((part) => {
      const { group = [] } = keysOf(each, part);
      return groups.some(({ entry }) => matchesAny(group, entry.name));
    });
  const unread = all.filter((each) => isDirect(each) || isBehind(each));
  return new Set(unread.map(({ address }) => address));
}
