import { isWorthNote, type AuditRun } from '../model/ledger/audit.ts';
import type { LedgerRecord } from '../model/ledger/record.ts';
import type { Journal } from '../model/ports.ts';
import { documentsFolder, type LedgerHere } from './here.ts';
import { readLedger } from './ledger.ts';
import { notesRemote } from './shared-notes.ts';
import { printMessages } from '../shell/messages.ts';
import { buildAudit } from '../ledger/audit.ts';
import { addNote } from '../git/write-note.ts';

/**
 * Writes a note, from the ledger alone, on each commit whose record this process changed: the
 * applied commit, and the commits of earlier runs whose attempts it settled. Prints them on stderr.
 * A note that cannot be written does not affect the run.
 */
export async function leaveNotes(here: LedgerHere, journal: Journal): Promise<void> {
  const [{ notedWords, unnotedWords }, { terminal }] = await Promise.all([
    import('../render/words/record-words.ts'),
    import('../render/sinks/sinks.ts'),
  ]);
  const words = await noted(here, journal).then(
    (notes) =>
      notes.map(({ commit, isDirty, why }) =>
        notedWords(commit, isDirty, why === undefined ? undefined : terminal(why)),
      ),
    (error: unknown) => [unnotedWords(error)],
  );
  // Two runs of one commit share one note.
  for (const each of new Set(words)) printMessages(here.shell, [each]);
}

async function noted(here: LedgerHere, { nonce, since }: Journal) {
  const { noteText } = await import('../render/data/note.ts');
  const { fingerprint } = here.target;
  const records = isSelfContained(since) ? since : await (await readLedger(here)).all();
  const { runs, head } = buildAudit(records);
  const locks = records.filter(({ body }) => body.type === 'LOCK' && body.nonce === nonce);
  const ours = new Set(locks.map(({ epoch }) => epoch));
  const remote = notesRemote(here.documents);
  const results = [];
  for (const run of runs.filter((one) => isTouched(one, ours))) {
    const { commit = '', basis } = run.plans.at(-1) ?? {};
    if (commit === '') continue;
    const isDirty = basis?.dirty === true;
    const text = noteText(run, { head, fingerprint });
    const note = { commit, text, ...(remote !== undefined && { remote }) };
    results.push({
      commit,
      isDirty,
      why: await addNote(documentsFolder(here), here.shell.env, note),
    });
  }
  return results;
}

/** Whether records settle no intent that was attempted before them. */
function isSelfContained(records: readonly LedgerRecord[]): boolean {
  const begun = new Set<string>();
  return records.every(({ body }) => {
    if (body.type === 'ATTEMPT') for (const { id } of body.intents) begun.add(id);
    return body.type !== 'SETTLED' || begun.has(body.intentId);
  });
}

/** A run of this process that is worth a note, or a run whose attempts this process settled. */
function isTouched(run: AuditRun, ours: ReadonlySet<number>): boolean {
  if (ours.has(run.epoch)) return isWorthNote(run);
  const settled = run.attempts.flatMap(({ intents }) =>
    intents.flatMap((intent) => intent.settled),
  );
  return settled.some((one) => ours.has(one.epoch));
}
