import { parseInstant, type Instant } from '../../lib/time.ts';

/** The commit that a line of a document comes from, or why none can be named. */
export type LineOrigin =
  | {
      readonly is: 'commit';
      readonly commit: string;
      /** The author's name in the commit: untrusted text. */
      readonly author: string;
      /** First line of the commit's message: untrusted text. */
      readonly subject: string;
      /** RFC 3339. */
      readonly at: string;
      /**
       * The number of newer commits to the documents. Every commit that builds on this one is
       * newer; none that it builds on is. Absent in plans that older versions saved.
       */
      readonly newer?: number;
    }
  /** The line is in the work tree and in no commit. */
  | { readonly is: 'notCommitted' }
  /** The commit is older than the history of a shallow clone. */
  | { readonly is: 'cutOff' };

/**
 * Each commit once, newest first; uncommitted lines come first, lines beyond a shallow clone last.
 * A commit is newer than all that it builds on, whatever the clocks of their authors were; the
 * clocks decide only where the position of a commit in the history is not known.
 */
export function newestFirst<T extends LineOrigin>(origins: Iterable<T>): readonly T[] {
  const newest = new Map<string, T>();
  for (const origin of origins) newest.set(originKey(origin), origin);
  const all = [...newest.values()];
  const isKnown = all.every((origin) => origin.is !== 'commit' || origin.newer !== undefined);
  const rankOf = isKnown ? originRank : (origin: T) => -originTime(origin);
  return all.sort((a, b) => {
    const [first, second] = [rankOf(a), rankOf(b)];
    if (first !== second) return first < second ? -1 : 1;
    return originKey(a) < originKey(b) ? -1 : 1;
  });
}

function originRank(origin: LineOrigin): number {
  if (origin.is === 'commit') return origin.newer ?? 0;
  return origin.is === 'notCommitted' ? -1 : Infinity;
}

function originTime(origin: LineOrigin): Instant {
  if (origin.is === 'commit') return parseInstant(origin.at) ?? -Infinity;
  return origin.is === 'notCommitted' ? Infinity : -Infinity;
}

function originKey(origin: LineOrigin): string {
  return origin.is === 'commit' ? origin.commit : origin.is;
}
