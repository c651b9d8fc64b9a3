import { compareTexts } from '../lib/text-order.ts';
import { zoneInName } from '../lib/city-zones.ts';
import type { Ref } from '../model/fleet/device.ts';
import type { Documents, SiteSettings } from '../model/documents/policy.ts';
import type { Sourced } from '../model/documents/source.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import type { AdoptedEntry, AdoptNotice } from '../model/report/adoption.ts';

interface AdoptedSites {
  readonly entries: readonly AdoptedEntry[];
  readonly notices: readonly AdoptNotice[];
  /** Whether a site has a time zone: none without a key that YAML takes. */
  isZoned(siteId: string): boolean;
}

/** Keys that no document may have, and the longest one that YAML takes with every character escaped. */
const REFUSED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', '<<']);
const MOST_KEY = 160;

/**
 * One entry for each site: by its name, or by its ID where no other site may have the name. A site
 * that the documents know keeps its zone; another one has that of the city in its name, else
 * `timeZone`, which a person checks.
 */
export function siteEntries(
  snapshot: Pick<Snapshot, 'devices' | 'sites' | 'discovered'>,
  timeZone: string | undefined,
  known: Documents['sites'] | undefined,
): AdoptedSites {
  const { sites, shownBy } = allSites(snapshot);
  const entries = new Map<string, AdoptedEntry>();
  const notices: AdoptNotice[] = [];
  const zoned = new Set<string>();
  for (const site of sites) {
    const key = [site.name, site.id].find((text) => isKey(text) && shownBy.get(text)?.size === 1);
    const existing = findKnown(site, known);
    const name = existing?.name ?? key;
    if (name === undefined) {
      notices.push(withoutZone(site.name ?? site.id, existing));
      continue;
    }
    const entry = siteEntry(name, { site, settings: existing?.value, timeZone });
    entries.set(name, entry);
    if (entry.fields['timeZone'] === undefined) notices.push(withoutZone(name, existing));
    else zoned.add(site.id);
  }
  return {
    entries: [...entries.values()].toSorted((a, b) => compareTexts(a.name, b.name)),
    notices,
    isZoned: (siteId) => zoned.has(siteId),
  };
}

function siteEntry(
  name: string,
  about: {
    readonly site: Ref;
    readonly settings: SiteSettings | undefined;
    readonly timeZone: string | undefined;
  },
): AdoptedEntry {
  const { site, settings } = about;
  const own = settings?.timeZone ?? zoneInName(site.name ?? '');
  const timeZone = own ?? about.timeZone;
  const tags = settings?.tags ?? [];
  const fields = { ...(timeZone !== undefined && { timeZone }), ...(tags.length > 0 && { tags }) };
  return { section: 'sites', name, fields, isGuess: own === undefined && timeZone !== undefined };
}

function withoutZone(site: string, existing: Sourced<SiteSettings> | undefined): AdoptNotice {
  return { code: 'siteWithoutZone', site, ...(existing && { at: existing.at }) };
}

function isKey(text: string | undefined): text is string {
  return text !== undefined && text !== '' && text.length <= MOST_KEY && !REFUSED.has(text);
}

function findKnown(
  { id, name }: Ref,
  known: Documents['sites'] | undefined,
): Sourced<SiteSettings> | undefined {
  return known?.get(id) ?? (name === undefined ? undefined : known?.get(name));
}

/**
 * The list of the service, and sites that only devices name. A site has a name only where every row
 * that refers to it shows the same one, since a row is matched by what it shows.
 */
function allSites({
  devices,
  sites,
  discovered,
}: Pick<Snapshot, 'devices' | 'sites' | 'discovered'>): FoundSites {
  const names = new Map<string, Set<string | undefined>>();
  const shownBy = new Map<string, Set<string>>();
  const found = [
    ...sites,
    ...devices.sites.values.flat(),
    ...discovered.flatMap(({ site }) => (site ? [site] : [])),
  ];
  for (const { id, name } of found) {
    names.set(id, (names.get(id) ?? new Set()).add(name));
    for (const text of [id, name ?? id])
      shownBy.set(text, (shownBy.get(text) ?? new Set()).add(id));
  }
  const all = [...names].map(([id, [name, ...others]]): Ref => {
    return name === undefined || others.length > 0 ? { id } : { id, name };
  });
  const ordered = all.toSorted((a, b) => compareTexts(a.name ?? a.id, b.name ?? b.id));
  return { sites: ordered, shownBy };
}

interface FoundSites {
  readonly sites: readonly Ref[];
  /** The IDs of the sites that an entry with this key would be of. */
  readonly shownBy: ReadonlyMap<string, ReadonlySet<string>>;
}
