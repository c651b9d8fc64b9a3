import type { Documents, Selector, SelectorKeys } from '../model/documents/policy.ts';
import type { Sourced } from '../model/documents/source.ts';
import { keysOf, type Part, PARTS, pointerOf, selectorsIn } from './selecting.ts';

/** A key of selectors whose values name something; `tag` is the one of `site`. */
export type NameKey = keyof SelectorKeys | 'tag';

/** Whether a finding about an entry already suggests another name for this key of a part. */
export type IsSaid = (entry: Sourced<unknown>, part: Part, key: NameKey) => boolean;

/** One name or pattern in a selector, and its location. */
interface WrittenName<K> {
  readonly section: string;
  readonly entry: Sourced<unknown>;
  readonly part: Part;
  /** All keys of the part. */
  readonly keys: Selector;
  readonly key: K;
  readonly pointer: string;
  readonly written: string;
}

/** What the selectors of the documents have under these keys, in the order of the entries, their parts and the keys. */
export function writtenNames<K extends NameKey>(
  documents: Documents,
  wanted: readonly K[],
): readonly WrittenName<K>[] {
  return selectorsIn(documents).flatMap((selecting) =>
    PARTS.flatMap((part) => {
      const { section, entry } = selecting;
      const keys = keysOf(selecting, part);
      const names = { ...keys, site: keys.site?.name, tag: keys.site?.tag };
      return wanted.flatMap((key: NameKey & K) =>
        (names[key] ?? []).map((written) => {
          const pointer = `${pointerOf(selecting, part)}/${key === 'tag' ? 'site/tag' : key}`;
          return { section, entry, part, keys, key, pointer, written };
        }),
      );
    }),
  );
}
