/**
 * What merging a branch into its base would give. `contained`: the branch has all of the base, so it is
 * the merge. Else `lacks` counts the commits of the base that the branch does not have, and `left` is
 * where it left the base.
 */
export type Merge =
  | { readonly is: 'contained' }
  | {
      readonly is: 'merged';
      readonly lacks: number;
      /** The merge, and what else was made for it: in no history that anybody has. */
      readonly commit: string;
      readonly own: readonly string[];
      /** What git needs to read it. */
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly is: 'conflict';
      readonly lacks: number;
      readonly left: string;
      /** Files of the documents in which both sides changed the same lines. */
      readonly files: readonly string[];
    }
  | { readonly is: 'gitTooOld' | 'failed'; readonly lacks: number; readonly left: string }
  /** No commit is in both histories, as far as this clone has them. */
  | { readonly is: 'unrelated'; readonly lacks: number };
