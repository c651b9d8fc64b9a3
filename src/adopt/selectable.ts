import { compareTexts } from '../lib/text-order.ts';
import type { CodedColumn } from '../lib/columns.ts';
import type { AdoptedEntry, WrittenFields } from '../model/report/adoption.ts';
import type { EntryNames } from './entry-names.ts';

/** The longest pattern that a selector takes, and the longest ID of a list. */
const MOST_PATTERN = 500;
const MOST_ID = 200;

/** Characters of the IDs of one group; escaped, they are up to six times as long. */
const MOST_LISTED = 100_000;

/** So many devices are named in the policy itself; more get a group. */
const MOST_INLINE = 4;

/** Whether a selector with this text matches this text alone: `*` and `?` cannot be escaped. */
export function isLiteral(text: string | undefined): text is string {
  return text !== undefined && /^[^*?]+$/.test(text) && text.length <= MOST_PATTERN;
}

/** The value of a row; undefined where the device does not have the field. */
export function textAt({ values, codes }: CodedColumn<string>, row: number): string | undefined {
  const code = codes[row] ?? 0;
  return code === 0 ? undefined : values[code];
}

interface ListedSelection {
  readonly select: WrittenFields;
  readonly groups: readonly AdoptedEntry[];
}

/**
 * Selects devices by their IDs, a few in the selector and many through a group. Returns undefined if
 * no list can name one of them.
 */
export function selectListed(
  ids: readonly string[],
  groupNames: EntryNames,
  ...words: readonly string[]
): ListedSelection | undefined {
  if (ids.some((id) => id === '' || id.length > MOST_ID)) return undefined;
  const sorted = ids.toSorted(compareTexts);
  const [first = '', ...more] = sorted;
  if (ids.length <= MOST_INLINE && ids.every(isLiteral))
    return { select: { device: more.length === 0 ? first : sorted }, groups: [] };
  const groups = parts(sorted).map((devices): AdoptedEntry => {
    return { section: 'groups', name: groupNames.claim(...words), fields: { devices } };
  });
  const [only, ...rest] = groups.map(({ name }) => name);
  return { select: { group: rest.length === 0 ? (only ?? '') : [only ?? '', ...rest] }, groups };
}

/** A list in parts that fit into one file each. */
function parts(ids: readonly string[]): readonly (readonly string[])[] {
  const all: string[][] = [[]];
  let size = 0;
  for (const id of ids) {
    size += id.length;
    if (size > MOST_LISTED) {
      all.push([]);
      size = id.length;
    }
    all.at(-1)?.push(id);
  }
  return all;
}
