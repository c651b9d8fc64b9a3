import { hashRecord } from '../../ledger/chain.ts';
import { RunHistory } from '../../ledger/run-history.ts';
import { isWorthNote, type AuditRun, type AuditCheck, finding } from '../../model/ledger/audit.ts';
import type { LedgerRecord } from '../../model/ledger/record.ts';
import { headNoteText, noteText } from '../../render/data/note.ts';

export interface Noted {
  readonly records: readonly LedgerRecord[];
  readonly fingerprint: string;
  /** Text by commit. */
  readonly notes: ReadonlyMap<string, string>;
  /** The version whose notes have the same wording. */
  readonly tool: string;
  /** The records may end before those that the notes cover. */
  readonly isOldCopy: boolean;
}

/**
 * Checks every note of a tenant against its ledger: each text follows from the records up to the
 * head that it names, so it is written again and compared. A ledger that does not contain the head
 * of a note is a different or an older one. Also returns the runs of the ledger.
 */
export function proveNotes(noted: Noted): {
  readonly checks: readonly AuditCheck[];
  readonly runs: readonly AuditRun[];
} {
  const ours = blocksOf(noted);
  const { judgements, runs } = judgedAll(ours, noted);
  const doubtful = ours.flatMap((block) => judgements.get(block) ?? []);
  const covered = coverageOf(noted);
  const due = runs.filter((run) => isWorthNote(run) && lastCommit(run) !== '');
  const missing = due.filter((run) => covered(run) === undefined).map(lastCommit);
  const commits = [...new Set(missing)];
  if (ours.length === 0 && commits.length > 0)
    return { checks: [{ check: 'notes', result: 'unproved', why: 'noNotes' }], runs };
  const absent = commits.map((commit) => finding('notes', 'unproved', 'noteMissing', { commit }));
  const stale = due
    .filter((run) => (covered(run) ?? Infinity) < lastWord(run))
    .map((run) =>
      finding('notes', 'unproved', 'noteStale', { commit: lastCommit(run), epoch: run.epoch }),
    );
  const agreeing = ours.length - doubtful.length;
  const agree = finding('notes', 'proved', 'notesAgree', { notes: agreeing });
  return { checks: [...(agreeing > 0 ? [agree] : []), ...doubtful, ...absent, ...stale], runs };
}

/** The last record that the notes on a run cover, as far as it has any. */
export function coverageOf(
  noted: Pick<Noted, 'notes' | 'fingerprint'>,
): (run: AuditRun) => number | undefined {
  const newest = newestByRun(blocksOf(noted));
  return (run) => newest.get(runName({ commit: lastCommit(run), epoch: run.epoch }));
}

/** The blocks that the notes have of a tenant. */
function blocksOf({ notes, fingerprint }: Pick<Noted, 'notes' | 'fingerprint'>) {
  const own = fingerprint.slice(0, 12);
  // A block that names no ledger was not written by a run: it is checked against this one.
  return [...notes].flatMap(([commit, text]) =>
    splitBlocks(text, commit).filter(({ of: owner = own }) => owner === own),
  );
}

/**
 * The finding for each block, and the current runs. It walks the records once: a block is checked
 * when the walk reaches its head, with what was known then.
 */
function judgedAll(
  blocks: readonly Block[],
  noted: Noted,
): {
  readonly judgements: ReadonlyMap<Block, AuditCheck | undefined>;
  readonly runs: readonly AuditRun[];
} {
  const { records } = noted;
  const history = new RunHistory();
  const judgements = new Map<Block, AuditCheck | undefined>();
  let seq = 0;
  for (const block of blocks.toSorted((a, b) => a.seq - b.seq)) {
    for (; seq < Math.min(block.seq, records.length); seq += 1) take(history, records[seq]);
    judgements.set(block, judged(block, history, noted));
  }
  for (; seq < records.length; seq += 1) take(history, records[seq]);
  return { judgements, runs: history.runs() };
}

function take(history: RunHistory, record: LedgerRecord | undefined): void {
  if (record) history.add(record);
}

function lastCommit({ plans }: AuditRun): string {
  return plans.at(-1)?.commit ?? '';
}

/** The last record that the newest block about a run covers, by the name of the run. */
function newestByRun(blocks: readonly Block[]): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  for (const block of blocks)
    newest.set(runName(block), Math.max(newest.get(runName(block)) ?? 0, block.seq));
  return newest;
}

function runName({ commit, epoch }: Pick<Block, 'commit' | 'epoch'>): string {
  return `${epoch} ${commit}`;
}

/** The last record that changed the outcome of a run's attempts. */
export function lastWord({ attempts }: AuditRun): number {
  const settled = attempts.flatMap(({ intents }) => intents.flatMap((one) => one.settled));
  return settled.reduce((last, { seq }) => Math.max(last, seq), 0);
}

/** The part of one run in the note on its commit. */
interface Block {
  readonly commit: string;
  readonly text: string;
  /** The run that it covers; NaN if it names none. */
  readonly epoch: number;
  /** The start of its ledger's fingerprint; undefined if it names none. */
  readonly of: string | undefined;
  /** The head after the run; 0 and empty if it names none. */
  readonly seq: number;
  readonly hash: string;
}

const HEAD_LINE = /^Ledger-Head: ([0-9a-f]{12}) (\d{1,15}) ([0-9a-f]{64})$/m;

/** Splits a note into blocks; each block ends with the head after its run. */
function splitBlocks(note: string, commit: string): readonly Block[] {
  const texts = note.trimEnd().split(/(?<=^Ledger-Head: .*)\n+/m);
  return texts.map((text) => {
    const [, owner, seq = '', hash = ''] = HEAD_LINE.exec(text) ?? [];
    const epoch = Number(/^Run: (\d+)$/m.exec(text)?.[1]);
    return { commit, text, epoch, of: owner, seq: Number(seq), hash };
  });
}

/** `history` covers the records up to the head that the block names. */
function judged(
  block: Block,
  history: RunHistory,
  { records, isOldCopy, ...author }: Noted,
): AuditCheck | undefined {
  const { commit, seq, hash } = block;
  if (seq === 0) return finding('notes', 'broken', 'noteEdited', { commit });
  const last = records[seq - 1];
  if (!last && isOldCopy) return finding('notes', 'unproved', 'noteAhead', { commit, seq });
  if (!last || hashRecord(last) !== hash)
    return finding('notes', 'broken', 'noteElsewhere', { commit, seq });
  const run = history.run(block.epoch);
  const isTrue = run ? isAsWritten(block, run, author) : isOfHead(block, author);
  return isTrue ? undefined : finding('notes', 'broken', 'noteEdited', { commit });
}

/** Writes the block again from the records up to the head that it names, and compares. */
function isAsWritten(
  { commit, text, seq, hash }: Block,
  run: AuditRun,
  { fingerprint, tool }: Pick<Noted, 'fingerprint' | 'tool'>,
): boolean {
  if (lastCommit(run) !== commit) return false;
  const written = noteText(run, { head: { seq, hash }, fingerprint }).trimEnd();
  return run.tool === tool ? written === text : machineLines(written) === machineLines(text);
}

/** The note of a decision follows from the head alone, whatever the commit and the version. */
function isOfHead(
  { text, seq, hash }: Block,
  { fingerprint }: Pick<Noted, 'fingerprint'>,
): boolean {
  return headNoteText({ seq, hash }, fingerprint).trimEnd() === text;
}

/** The machine-readable lines: another version may word the rest differently. */
function machineLines(block: string): string {
  return block.slice(block.lastIndexOf('\n\n'));
}
