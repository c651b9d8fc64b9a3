import type { Instant } from './time.ts';

/** The commit that a line of a document comes from, or why none can be named. */
export type LineOrigin =
  | {
      readonly is: 'commit';
      readonly commit: string;
      /** The author's name, as the commit has it: a text from outside. */
      readonly author: string;
      /** First line of the commit's message: a text from outside. */
      readonly subject: string;
      readonly at: Instant;
    }
  /** Written in the work tree and in no commit yet. */
  | { readonly is: 'notCommitted' }
  /** Older than what a shallow clone has. */
  | { readonly is: 'cutOff' };
