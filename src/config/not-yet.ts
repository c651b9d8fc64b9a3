import type { Diagnostic } from '../model/diagnostic.ts';
import { SECTIONS } from '../model/policy.ts';
import { isRecord, placeIn, type Entry, type Fleet } from './authored.ts';
import { error } from './findings.ts';
import { segment } from './locate.ts';

/** One thing that the schemas allow and nothing acts on yet. */
interface Row {
  /** Section, then the way inside an entry; `*` is any key or index. Nothing behind the section: the entry itself. */
  readonly at: string;
  /** What the finding calls it. */
  readonly what: string;
  /** What to write in its place, as YAML. */
  readonly instead?: string;
  /** Holds for this value only; without it whatever is written there counts. */
  readonly when?: (value: unknown, entry: Entry, fleet: Fleet) => boolean;
}

const is = (wanted: unknown) => (value: unknown) => value === wanted;

/**
 * Everything that may be written and is refused: nothing in a document is ignored silently. Whoever makes one of them
 * work deletes its row.
 */
const ROWS: readonly Row[] = [
  { at: 'firmware/restAtIntermediate', what: 'restAtIntermediate: forbid', when: is('forbid') },
];

/** Refuses what is written and would be ignored, at its very place. */
export function* everythingIsHonoured(fleet: Fleet): Generator<Diagnostic> {
  for (const row of ROWS) {
    const [first, ...way] = row.at.split('/');
    const section = SECTIONS.find((one) => one === first);
    if (section) for (const entry of fleet.of(section)) yield* refused(fleet, entry, { row, way });
  }
}

function* refused(
  fleet: Fleet,
  entry: Entry,
  { row, way }: { readonly row: Row; readonly way: readonly string[] },
): Generator<Diagnostic> {
  const { what, instead, when } = row;
  for (const [below, value] of follow(entry.value, way)) {
    if (when && !when(value, entry, fleet)) continue;
    const at = placeIn(entry, below, below === '' ? 'key' : 'value');
    yield error('notHonouredYet', at, { what, ...(instead !== undefined && { instead }) });
  }
}

/** The values at the end of a way, and the pointers that lead there. */
function* follow(
  value: unknown,
  [part, ...rest]: readonly string[],
  below = '',
): Generator<readonly [string, unknown]> {
  if (part === undefined) yield [below, value];
  else if (part === '*' && Array.isArray(value))
    for (const [index, item] of value.entries()) yield* follow(item, rest, `${below}/${index}`);
  else if (isRecord(value) && part in value)
    yield* follow(value[part], rest, `${below}/${segment(part)}`);
}
