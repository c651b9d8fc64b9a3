import { partsBySize } from '../lib/group-by.ts';
import { compareTexts } from '../lib/text-order.ts';
import type { DeviceTable } from '../model/fleet/snapshot.ts';
import type { AdoptedDevice, AdoptedEntry, WrittenValue } from '../model/report/adoption.ts';
import type { EntryNames } from './entry-names.ts';

/** The longest pattern that a selector takes, and the longest ID of a list. */
const MOST_PATTERN = 500;
const MOST_ID = 200;

/** Characters of the IDs of one group; escaped, they are up to six times as long. */
const MOST_LISTED = 100_000;

/** Of so many devices a group has the names, for the reader. */
const MOST_NAMED = 200;

/** Whether a selector with this text matches this text alone: `*` and `?` cannot be escaped. */
export function isLiteral(text: string | undefined): text is string {
  return text !== undefined && /^[^*?]+$/.test(text) && text.length <= MOST_PATTERN;
}

/** Whether a list of documents takes this ID. */
export function isListable(id: string): boolean {
  return id !== '' && id.length <= MOST_ID;
}

/** A group of these devices, by site; more than one where a file would be too long, and none for no device. */
export function listedGroups(
  devices: DeviceTable,
  rows: ReadonlySet<number>,
  { names, name }: { readonly names: EntryNames; readonly name: string },
): readonly AdoptedEntry[] {
  const isNamed = rows.size <= MOST_NAMED;
  const listed = [...rows].map((row): AdoptedDevice => {
    const { id, name: shown, sites } = devices.at(row);
    const site = sites[0]?.name ?? sites[0]?.id;
    return {
      id,
      ...(site !== undefined && { site }),
      ...(isNamed && shown !== id && { name: shown }),
    };
  });
  const bySite = listed.toSorted(
    (a, b) => compareTexts(a.site ?? '', b.site ?? '') || compareTexts(a.id, b.id),
  );
  return partsBySize(bySite, ({ id }) => id.length, MOST_LISTED).map((part) => ({
    section: 'groups',
    name: names.claim(name),
    fields: { devices: part.map(({ id }) => id) },
    listed: part,
  }));
}

/** The names of these entries as a selector has them. */
export function namesIn(entries: readonly AdoptedEntry[]): WrittenValue {
  const [only = '', ...more] = entries.map(({ name }) => name);
  return more.length === 0 ? only : [only, ...more];
}
