import type { Documents } from '../model/documents/policy.ts';
import type { Journal } from '../model/ports.ts';
import { renamesIn, underPresentNames } from '../plan/present-names.ts';

/**
 * Records the renames that the documents tell, so that `renamedFrom` may go (semantics M23). The lease is held.
 * @returns the documents with the names that their policies have in the ledger
 */
export async function recordRenames(
  journal: Pick<Journal, 'append' | 'memory'>,
  documents: Documents,
): Promise<Documents> {
  for (;;) {
    const { memory } = journal;
    const bodies = renamesIn({ documents, memory }).map((rename) => {
      return { type: 'RENAMED', ...rename } as const;
    });
    if (bodies.length === 0) return underPresentNames({ documents, memory }).documents;
    await journal.append(bodies);
  }
}
