import type { Diagnostic } from '../model/documents/diagnostic.ts';
import { matchesGlob } from '../lib/glob.ts';
import { nearest } from '../lib/nearest-name.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import { locateValue } from '../model/documents/source.ts';
import type { DeviceFacets } from './clauses.ts';
import { indexNames, type Shown } from './near-miss.ts';
import { isOfOne, type Protecting } from './selecting.ts';
import { type IsSaid, writtenNames } from './written-names.ts';

/** The input of the search for names that the service does not show. */
interface NamesInput {
  readonly documents: Documents;
  readonly snapshot: Snapshot;
  readonly facets: DeviceFacets;
  readonly protecting: Protecting;
  readonly isSaid: IsSaid;
}

const KEYS = ['site', 'tag', 'source', 'group'] as const;
type Key = (typeof KEYS)[number];

/**
 * Sites, sources and groups that a selector names and the service does not show, or that are groups
 * without members. The selector may match others, which hides a misspelling. In a part that keeps devices from tasks, a
 * site, a source or a tag is an error, and so is what misses only by its case: it may have another name now, and its
 * devices are not protected any more (semantics D7).
 */
export function unknownNames(input: NamesInput): readonly Diagnostic[] {
  const shown = shownNames(input);
  return writtenNames(input.documents, KEYS)
    .filter(({ key, written }) => !shown[key].isAny(written))
    .filter(({ entry, part, key }) => !input.isSaid(entry, part, key))
    .flatMap(({ entry, part, pointer, key, written }): Diagnostic | readonly Diagnostic[] => {
      const at = locateValue(entry, pointer);
      if (key === 'group')
        return { code: 'groupEmpty', severity: 'warning', at, params: { written } };
      const meant = shown[key].tellCase(written);
      const suggestion = meant ?? nearest(written, shown[key].values);
      const protector = input.protecting[part].get(entry);
      const isKept = protector && (meant !== undefined || isOfOne(written, protector));
      const severity = isKept ? 'error' : 'warning';
      const near = suggestion === undefined ? {} : { suggestion };
      const said = { written, ...(isKept && protector), ...near };
      if (key !== 'tag')
        return { code: 'nameNotShown', severity, at, params: { what: key, ...said } };
      // Elsewhere it may be written for sites to come.
      if (!isKept && suggestion === undefined) return [];
      return { code: 'tagUnknown', severity, at, params: said };
    });
}

/**
 * Warns about a site in a selector that no entry of `sites` is, and that is nearly one. Needs no
 * live fleet: other sites may be without an entry, so a name that is near none is no finding.
 */
export function misspeltSites(documents: Documents): readonly Diagnostic[] {
  const listed = [...documents.sites.keys()];
  return writtenNames(documents, ['site'])
    .filter(({ written }) => !listed.some((name) => matchesGlob(written, name)))
    .flatMap(({ entry, pointer, written }) => {
      const suggestion = nearest(written, listed);
      if (suggestion === undefined) return [];
      const at = locateValue(entry, pointer);
      return [{ code: 'siteNotListed', severity: 'warning', at, params: { written, suggestion } }];
    });
}

/** Sites and sources count by name and by ID. */
function shownNames({ documents, snapshot, facets }: NamesInput): Readonly<Record<Key, Shown>> {
  const { sites, sources, devices, discovered } = snapshot;
  const found = discovered.flatMap(({ sources = [] }) => sources);
  const places = discovered.flatMap(({ site }) => (site ? [site] : []));
  const named = (refs: Iterable<{ readonly id: string; readonly name?: string }>) =>
    indexNames([...refs].flatMap(({ id, name }) => (name === undefined ? [id] : [id, name])));
  return {
    site: named([...sites, ...devices.sites.values.flat(), ...places]),
    tag: indexNames([...documents.sites.values()].flatMap(({ value }) => value.tags ?? [])),
    source: named([...sources, ...devices.sources.values.flat(), ...found]),
    group: indexNames(facets.groups().values.flatMap(({ held, perhaps }) => [...held, ...perhaps])),
  };
}
