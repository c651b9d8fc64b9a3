import { isWorthNote, type AuditRun } from '../model/ledger/audit.ts';
import type { LedgerRecord } from '../model/ledger/record.ts';
import type { Journal } from '../model/ports.ts';
import { documentsFolder, type LedgerHere } from './here.ts';
import { readLedger } from './ledger.ts';
import { notesRemote, shareNotes } from './shared-notes.ts';
import { printMessages } from '../shell/messages.ts';
import { buildAudit } from '../ledger/audit.ts';
import { addNote } from '../git/write-note.ts';
import { readNotes } from '../git/notes.ts';
import { coverageOf, lastWord } from './prove/prove-notes.ts';

/**
 * Writes a note, from the ledger alone, on each commit whose record this process changed: the
 * applied commit, and the commits of earlier runs whose attempts it settled. A process that settled any also writes
 * those that one before it left, since it was killed. Prints them on stderr.
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
  const isAlone = isSelfContained(since);
  const records = isAlone ? since : await (await readLedger(here)).all();
  const { runs, head } = buildAudit(records);
  const locks = records.filter(({ body }) => body.type === 'LOCK' && body.nonce === nonce);
  const ours = new Set(locks.map(({ epoch }) => epoch));
  const remote = notesRemote(here.documents);
  if (!isAlone) await shareNotes(here);
  const notes = isAlone ? new Map() : await readNotes(documentsFolder(here), here.shell.env);
  const results = [];
  for (const run of runsToNote(runs, ours, { notes, fingerprint })) {
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

/**
 * The runs that a process writes notes of, by its epochs and the notes that are there: those that it changed, and earlier
 * ones whose note is older than their last outcome, or that were killed and have none.
 */
export function runsToNote(
  runs: readonly AuditRun[],
  ours: ReadonlySet<number>,
  noted: Parameters<typeof coverageOf>[0],
): readonly AuditRun[] {
  const covered = coverageOf(noted);
  const isEarlier = ({ epoch }: AuditRun): boolean => [...ours].every((own) => epoch < own);
  const isLeft = (run: AuditRun): boolean => {
    const until = covered(run);
    const isKilled = run.endedAt === undefined && isWorthNote(run);
    return until === undefined ? isKilled : until < lastWord(run);
  };
  return runs.filter((run) => isTouched(run, ours) || (isEarlier(run) && isLeft(run)));
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
