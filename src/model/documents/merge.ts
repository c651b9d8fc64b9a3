/**
 * The result of merging a branch into its base. `contained`: the branch has all commits of the
 * base, so the branch is the merge. Otherwise `lacks` counts the commits of the base that the
 * branch does not have, and `left` is the commit where the branch left the base.
 */
export type Merge =
  | { readonly is: 'contained' }
  | {
      readonly is: 'merged';
      readonly lacks: number;
      /** The merge commit. `own` lists each commit that was made for it; no branch has them. */
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
