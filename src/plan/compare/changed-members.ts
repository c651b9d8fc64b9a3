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
  const [old, now] = [membersIn(before, snapshot), membersIn(after, snapshot)];
  const unread = unreadBy(before, after);
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((address) => {
    const [was, is] = [old.get(address), now.get(address)];
    const at = `${address}.devices`;
    if (was && unread.has(address)) return { at, before: { untold: true }, after: is?.length };
    // Of the others a plan speaks as a whole.
    if (!was || !is)
      return address.startsWith('exceptions.')
        ? { at, before: was?.length, after: is?.length }
        : [];
    if (is.length === was.length && is.every((row, index) => row === was[index])) return [];
    const known = new Set(was);
    const common = is.filter((row) => known.has(row)).length;
    const members = [is.length, is.length - common, was.length - common];
    return { at, before: was.length, after: { members } };
  });
}

/** The rows of the devices, unclear ones included, of what protects devices or lets them pass, by address. */
function membersIn(documents: Documents, { devices }: Snapshot): ReadonlyMap<string, number[]> {
  const { groups, budgets, freezes, exceptions } = documents;
  const redundant = [...groups].filter(
    ([, { value }]) => value.redundancy && value.is === 'select',
  );
  const sections = { groups: new Map(redundant), budgets, freezes, exceptions };
  const entries = Object.entries(sections).flatMap(([section, named]) =>
    [...named].map(([name, { value }]) => ({ address: `${section}.${name}`, value })),
  );
  const selectors = entries.map(({ value }) => ('select' in value && value.select) || {});
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
