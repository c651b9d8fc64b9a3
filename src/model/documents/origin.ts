import { parseInstant, type Instant } from '../../lib/time.ts';

/** The commit that a line of a document comes from, or why none can be named. */
export type LineOrigin =
  | {
      readonly is: 'commit';
      readonly commit: string;
      /** The author's name, as the commit has it: a text from outside. */
      readonly author: string;
      /** First line of the commit's message: a text from outside. */
      readonly subject: string;
      /** RFC 3339. */
      readonly at: string;
    }
  /** Written in the work tree and in no commit yet. */
  | { readonly is: 'notCommitted' }
  /** Older than what a shallow clone has. */
  | { readonly is: 'cutOff' };

/** Each commit once, newest first; lines in no commit come before all, what is cut off comes last. */
export function newestFirst<T extends LineOrigin>(origins: Iterable<T>): readonly T[] {
  const told = new Map<string, T>();
  for (const origin of origins) told.set(keyOf(origin), origin);
  return [...told.values()].sort((a, b) => ageOf(b) - ageOf(a) || (keyOf(a) < keyOf(b) ? -1 : 1));
}

function ageOf(origin: LineOrigin): Instant {
  if (origin.is === 'commit') return parseInstant(origin.at) ?? -Infinity;
  return origin.is === 'notCommitted' ? Infinity : -Infinity;
}

function keyOf(origin: LineOrigin): string {
  return origin.is === 'commit' ? origin.commit : origin.is;
}
