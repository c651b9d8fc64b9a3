import { isWorthNote, type AuditRun } from '../model/ledger/audit.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { LedgerHead, LedgerRecord } from '../model/ledger/record.ts';
import type { Journal } from '../model/ports.ts';
import { documentsFolder } from './documents.ts';
import { readRecords } from './ledger.ts';
import { notesRemote } from './shared-notes.ts';
import { printMessages } from '../shell/messages.ts';
import type { Shell } from '../shell/shell.ts';
import type { ServiceTarget } from './target.ts';

/** A ledger, and the process that wrote to it. */
export interface Writer {
  readonly target: ServiceTarget;
  readonly nonce: string;
}

/**
 * Writes a note, from the ledger alone, on each commit whose record this process changed: the
 * applied commit, and the commits of earlier runs whose attempts it settled. Prints them on stderr.
 * A note that cannot be written does not affect the run.
 */
export async function leaveNotes(
  shell: Shell,
  documents: Documents,
  writer: Writer,
): Promise<void> {
  const [{ notedWords, unnotedWords }, { terminal }] = await Promise.all([
    import('../render/words/record-words.ts'),
    import('../render/sinks/sinks.ts'),
  ]);
  const words = await noted(shell, documents, writer).then(
    (notes) =>
      notes.map(({ commit, why }) =>
        notedWords(commit, why === undefined ? undefined : terminal(why)),
      ),
    (error: unknown) => [unnotedWords(error)],
  );
  // Two runs of one commit share one note.
  for (const each of new Set(words)) printMessages(shell, [each]);
}

/**
 * Writes a note on the current commit after a person recorded a decision in a shared ledger, so that
 * a fresh runner notices the loss of a ledger that holds nothing else (protocol J6). A ledger on this
 * machine is covered by its head pins. Only a note that cannot be written is printed; it does not
 * affect the command.
 */
export async function leaveHeadNote(
  shell: Shell,
  documents: Documents,
  { memory: { head } }: Pick<Journal, 'memory'>,
  { fingerprint }: ServiceTarget,
): Promise<void> {
  const remote = notesRemote(documents);
  if (remote === undefined || head.seq === 0) return;
  await noteHead(shell, documents, { head, fingerprint, remote }).catch(async (error: unknown) => {
    const { unnotedWords } = await import('../render/words/record-words.ts');
    printMessages(shell, [unnotedWords(error)]);
  });
}

interface HeadNote {
  readonly head: LedgerHead;
  readonly fingerprint: string;
  readonly remote: string;
}

async function noteHead(
  shell: Shell,
  documents: Documents,
  { head, fingerprint, remote }: HeadNote,
): Promise<void> {
  const [{ headNoteText }, { addNote }, { openRepository }, { notedWords }, { terminal }] =
    await Promise.all([
      import('../render/text/note-text.ts'),
      import('../git/write-note.ts'),
      import('../git/repo.ts'),
      import('../render/words/record-words.ts'),
      import('../render/sinks/sinks.ts'),
    ]);
  const folder = documentsFolder(shell, documents);
  const commit = (await openRepository(folder, shell.env).head())?.commit;
  if (commit === undefined) return;
  const text = headNoteText(head, fingerprint);
  const why = await addNote(folder, shell.env, { commit, text, remote });
  if (why !== undefined) printMessages(shell, [notedWords(commit, terminal(why))]);
}

async function noted(
  shell: Shell,
  documents: Documents,
  { target, nonce }: Writer,
): Promise<readonly { readonly commit: string; readonly why: string | undefined }[]> {
  const [{ buildAudit: auditOf }, { noteText }, { addNote }] = await Promise.all([
    import('../ledger/audit.ts'),
    import('../render/text/note-text.ts'),
    import('../git/write-note.ts'),
  ]);
  const { fingerprint } = target;
  const { records } = await readRecords(shell, documents, target);
  const { runs, head } = auditOf(records);
  const ours = listEpochs(records, nonce);
  const remote = notesRemote(documents);
  const results = [];
  for (const run of runs.filter((one) => isTouched(one, ours))) {
    const commit = run.plans.at(-1)?.commit ?? '';
    if (commit === '') continue;
    const text = noteText(run, { head, fingerprint });
    const note = { commit, text, ...(remote !== undefined && { remote }) };
    results.push({
      commit,
      why: await addNote(documentsFolder(shell, documents), shell.env, note),
    });
  }
  return results;
}

/** The epochs of one process: a waiting run releases its lease and takes another. */
function listEpochs(records: readonly LedgerRecord[], nonce: string): ReadonlySet<number> {
  const locks = records.filter(({ body }) => body.type === 'LOCK' && body.nonce === nonce);
  return new Set(locks.map(({ epoch }) => epoch));
}

/** A run of this process that is worth a note, or a run whose attempts this process settled. */
function isTouched(run: AuditRun, ours: ReadonlySet<number>): boolean {
  if (ours.has(run.epoch)) return isWorthNote(run);
  const settled = run.attempts.flatMap(({ intents }) =>
    intents.flatMap((intent) => intent.settled),
  );
  return settled.some((one) => ours.has(one.epoch));
}
