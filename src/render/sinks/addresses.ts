import { groupBy } from '../../lib/group-by.ts';
import { cut, cutMiddle, GRAPHEMES, textWidth } from './width.ts';

/**
 * Cuts the addresses of one table to at most `columns` each, so that no two different ones look the
 * same: names that a cut would make equal are cut in what they share, before the point where they
 * differ.
 */
export function cutAddresses<Text extends string>(
  addresses: readonly Text[],
  columns: number,
): readonly Text[] {
  const shown = new Map<Text, Text>();
  const taken = new Set<Text>();
  for (const group of groupBy(new Set(addresses), (each) => cutAddress(each, columns)).values())
    for (const [address, text] of distinguish(group, columns, (each) =>
      cutAddress(each, columns),
    )) {
      const own = taken.has(text) ? numbered(text, taken, columns) : text;
      taken.add(own);
      shown.set(address, own);
    }
  return addresses.map((address) => shown.get(address) ?? address);
}

type Cut<Text> = (address: Text) => Text;

/** Texts of addresses that `shorten` makes equal; they differ after a prefix that all of them share. */
function distinguish<Text extends string>(
  addresses: readonly Text[],
  columns: number,
  shorten: Cut<Text>,
  known = 0,
): readonly (readonly [Text, Text])[] {
  const shared = sharedStart(addresses);
  if (addresses.length < 2 || shared.length <= known)
    return addresses.map((address) => [address, shorten(address)]);
  const lead = cut(shared, Math.max(1, Math.floor(columns / 2)));
  const next: Cut<Text> = (address) => {
    const rest = address.slice(shared.length) as Text;
    return `${lead}${cut(rest, columns - textWidth(lead))}` as Text;
  };
  return [...groupBy(addresses, next).values()].flatMap((group) =>
    distinguish(group, columns, next, shared.length),
  );
}

/** The longest text that all start with, in whole graphemes. */
function sharedStart<Text extends string>(texts: readonly Text[]): Text {
  const [first, ...others] = texts;
  let length = 0;
  for (const { segment } of GRAPHEMES.segment(first ?? '')) {
    const longer = (first ?? '').slice(0, length + segment.length);
    if (!others.every((other) => other.startsWith(longer))) break;
    length += segment.length;
  }
  return (first ?? '').slice(0, length) as Text;
}

/** The last resort, for a column too narrow to show where names differ. */
function numbered<Text extends string>(text: Text, taken: ReadonlySet<Text>, columns: number) {
  for (let number = 2; ; number += 1) {
    const end = `…${number}`;
    const own = (cut(text, columns - end.length).replace(/…$/, '') + end) as Text;
    if (!taken.has(own)) return own;
  }
}

/**
 * Cuts the address of a policy (`section.name`): its section first, and only then the middle of its
 * name, since policies of one table differ at the start or at the end of their names.
 */
export function cutAddress<Text extends string>(address: Text, columns: number): Text {
  if (textWidth(address) <= columns) return address;
  const dot = address.indexOf('.');
  if (dot < 0) return cutMiddle(address, columns);
  const name = address.slice(dot) as Text;
  const space = columns - textWidth(name);
  if (space >= 1) return `${cut(address.slice(0, dot) as Text, space)}${name}` as Text;
  return `…${cutMiddle(name, columns - 1)}` as Text;
}
