import type { Documents } from '../model/policy.ts';
import { folderOf } from './documents.ts';
import { readRecords } from './ledger.ts';
import { notesRemote } from './notes.ts';
import { print } from './output.ts';
import type { Shell } from './shell.ts';
import type { Target } from './target.ts';

/**
 * Leaves a note on the commit that a run applied, made from the ledger alone, and says so on stderr.
 * A note that cannot be written changes nothing about the run.
 */
export async function leaveNote(
  shell: Shell,
  documents: Documents,
  { target, nonce }: { readonly target: Target; readonly nonce: string },
): Promise<void> {
  const [{ notedWords }, { terminal }] = await Promise.all([
    import('../render/record-words.ts'),
    import('../render/sinks.ts'),
  ]);
  const told = await noted(shell, documents, { target, nonce }).catch((error: unknown) => ({
    commit: '',
    why: error instanceof Error ? error.message : String(error),
  }));
  if (!told) return;
  const { commit, why } = told;
  print(shell.err, [notedWords(commit, why === undefined ? undefined : terminal(why))]);
}

async function noted(
  shell: Shell,
  documents: Documents,
  { target, nonce }: { readonly target: Target; readonly nonce: string },
): Promise<{ readonly commit: string; readonly why: string | undefined } | undefined> {
  const [{ auditOf }, { noteText }, { addNote }] = await Promise.all([
    import('../ledger/audit.ts'),
    import('../render/note-text.ts'),
    import('../git/write-note.ts'),
  ]);
  const { fingerprint } = target;
  const { records } = await readRecords(shell, documents, target);
  const { runs, head } = auditOf(records);
  const isOurs = ({ attemptId }: { attemptId: string }): boolean =>
    attemptId.startsWith(`${nonce}.`);
  const run = runs.findLast(({ attempts }) => attempts.some(isOurs));
  const commit = run?.plans.at(-1)?.commit ?? '';
  if (!run || commit === '') return undefined;
  const remote = notesRemote(documents);
  const text = noteText(run, { head, fingerprint });
  const note = { commit, text, ...(remote !== undefined && { remote }) };
  return { commit, why: await addNote(folderOf(shell, documents), shell.env, note) };
}
