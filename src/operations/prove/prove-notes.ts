import { hashOf } from '../../ledger/chain.ts';
import { RunHistory } from '../../ledger/run-history.ts';
import type { AuditRun, AuditCheck } from '../../model/ledger/audit.ts';
import type { LedgerRecord } from '../../model/ledger/record.ts';
import { noteText } from '../../render/text/note-text.ts';

/** What the notes are held against. */
export interface Noted {
  readonly records: readonly LedgerRecord[];
  readonly fingerprint: string;
  /** Text by commit. */
  readonly notes: ReadonlyMap<string, string>;
  /** The version that may word a note as this one does. */
  readonly tool: string;
  /** The records may end before those that the notes know. */
  readonly isOldCopy: boolean;
}

/**
 * Holds every note of a tenant against its ledger: each text follows from the records up to the head
 * that it names, so it is written again and compared. A note is a witness too: a ledger that does
 * not contain its head is another one, or an older one.
 */
export function proveNotes(noted: Noted): readonly AuditCheck[] {
  const ours = [...noted.notes].flatMap(([commit, text]) =>
    blocksOf(text, commit).filter((block) => isOf(block, noted.fingerprint)),
  );
  const { judgements, runs } = judgedAll(ours, noted);
  const doubtful = ours.flatMap((block) => judgements.get(block) ?? []);
  const newest = newestOf(ours);
  const due = runs
    .filter(isNoted)
    .map((run) => ({ run, told: newest.get(nameOf({ commit: commitOf(run), epoch: run.epoch })) }));
  const missing = due.filter(({ told }) => told === undefined).map(({ run }) => commitOf(run));
  const commits = [...new Set(missing)];
  if (ours.length === 0 && commits.length > 0)
    return [{ check: 'notes', result: 'unproved', why: 'noNotes' }];
  const absent = commits.map((commit) => finding('unproved', 'noteMissing', { commit }));
  const stale = due
    .filter(({ run, told = Infinity }) => told < lastWord(run))
    .map(({ run }) =>
      finding('unproved', 'noteStale', { commit: commitOf(run), epoch: run.epoch }),
    );
  const agreeing = ours.length - doubtful.length;
  const agree = finding('proved', 'notesAgree', { notes: agreeing });
  return [...(agreeing > 0 ? [agree] : []), ...doubtful, ...absent, ...stale];
}

/**
 * What is to be said against each block, and the runs as they are by now. The records are gone through once: a block
 * is judged when the head that it names is reached, with what was known then.
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

/** Runs that sent something for a commit. */
function isNoted(run: AuditRun): boolean {
  return run.attempts.length > 0 && commitOf(run) !== '';
}

function commitOf({ plans }: AuditRun): string {
  return plans.at(-1)?.commit ?? '';
}

/** The record up to which the newest block about a run tells, by the name of the run. */
function newestOf(blocks: readonly Block[]): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  for (const block of blocks)
    newest.set(nameOf(block), Math.max(newest.get(nameOf(block)) ?? 0, block.seq));
  return newest;
}

function nameOf({ commit, epoch }: Pick<Block, 'commit' | 'epoch'>): string {
  return `${epoch} ${commit}`;
}

/** The last record that changed what became of a run's attempts. */
function lastWord({ attempts }: AuditRun): number {
  const settled = attempts.flatMap(({ intents }) => intents.flatMap((one) => one.settled));
  return settled.reduce((last, { seq }) => Math.max(last, seq), 0);
}

/** What a run adds to the note on the commit that it applied. */
interface Block {
  readonly commit: string;
  readonly text: string;
  /** The run that it tells of; NaN where it does not say. */
  readonly epoch: number;
  /** The beginning of the fingerprint of its ledger; undefined where it names none. */
  readonly of: string | undefined;
  /** The head that the run left; 0 and none where it names none. */
  readonly seq: number;
  readonly hash: string;
}

const HEAD_LINE = /^Ledger-Head: ([0-9a-f]{12}) (\d{1,15}) ([0-9a-f]{64})$/m;

/** Each block ends with the head that its run left. */
function blocksOf(note: string, commit: string): readonly Block[] {
  const texts = note.trimEnd().split(/(?<=^Ledger-Head: .*)\n+/m);
  return texts.map((text) => {
    const [, owner, seq = '', hash = ''] = HEAD_LINE.exec(text) ?? [];
    const epoch = Number(/^Run: (\d+)$/m.exec(text)?.[1]);
    return { commit, text, epoch, of: owner, seq: Number(seq), hash };
  });
}

/** What names no ledger at all was not written by a run: it is held against this one. */
function isOf({ of: owner }: Block, fingerprint: string): boolean {
  return owner === undefined || owner === fingerprint.slice(0, 12);
}

/** `history` is that of the records up to the head that the block names. */
function judged(
  block: Block,
  history: RunHistory,
  { records, isOldCopy, ...author }: Noted,
): AuditCheck | undefined {
  const { commit, seq, hash } = block;
  if (seq === 0) return finding('broken', 'noteEdited', { commit });
  const last = records[seq - 1];
  if (!last && isOldCopy) return finding('unproved', 'noteAhead', { commit, seq });
  if (!last || hashOf(last) !== hash) return finding('broken', 'noteElsewhere', { commit, seq });
  const run = history.run(block.epoch);
  return run && isAsWritten(block, run, author)
    ? undefined
    : finding('broken', 'noteEdited', { commit });
}

/** A block follows from the records up to the head that it names, so it is written once more. */
function isAsWritten(
  { commit, text, seq, hash }: Block,
  run: AuditRun,
  { fingerprint, tool }: Pick<Noted, 'fingerprint' | 'tool'>,
): boolean {
  if (commitOf(run) !== commit) return false;
  const written = noteText(run, { head: { seq, hash }, fingerprint }).trimEnd();
  return run.tool === tool ? written === text : tailOf(written) === tailOf(text);
}

/** The lines that machines read: another version may word the rest in another way. */
function tailOf(block: string): string {
  return block.slice(block.lastIndexOf('\n\n'));
}

function finding(
  result: AuditCheck['result'],
  why: string,
  params: Readonly<Record<string, string | number>>,
): AuditCheck {
  return { check: 'notes', result, why, params };
}
