import { auditOf } from '../ledger/audit.ts';
import { hashOf } from '../ledger/chain.ts';
import type { AuditRun, Check } from '../model/audit.ts';
import type { LedgerHead, LedgerRecord } from '../model/record.ts';
import { noteText } from '../render/note-text.ts';

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
export function proveNotes(noted: Noted): readonly Check[] {
  const { records, notes, fingerprint } = noted;
  const blocks = [...notes].flatMap(([commit, text]) =>
    blocksOf(text).map((block) => ({ commit, block })),
  );
  const ours = blocks.filter(({ block }) => isOf(block, fingerprint));
  const doubtful = ours.flatMap(({ commit, block }) => judged(block, commit, noted));
  const runs = auditOf(records).runs.filter(isNoted);
  const missing = runs.filter((run) => newestOf(run, ours) === undefined).map(commitOf);
  const commits = [...new Set(missing)];
  if (ours.length === 0 && commits.length > 0)
    return [{ check: 'notes', result: 'unproved', why: 'noNotes' }];
  const absent = commits.map((commit) => finding('unproved', 'noteMissing', { commit }));
  const stale = runs
    .filter((run) => (newestOf(run, ours) ?? Infinity) < lastWord(run))
    .map((run) => finding('unproved', 'noteStale', { commit: commitOf(run), epoch: run.epoch }));
  const agreeing = ours.length - doubtful.length;
  const agree = finding('proved', 'notesAgree', { notes: agreeing });
  return [...(agreeing > 0 ? [agree] : []), ...doubtful, ...absent, ...stale];
}

/** Runs that sent something for a commit. */
function isNoted(run: AuditRun): boolean {
  return run.attempts.length > 0 && commitOf(run) !== '';
}

function commitOf({ plans }: AuditRun): string {
  return plans.at(-1)?.commit ?? '';
}

/** The record up to which the newest block about a run tells; undefined where there is none. */
function newestOf(run: AuditRun, ours: readonly Block[]): number | undefined {
  const commit = commitOf(run);
  const of = ours.filter(
    (one) => one.commit === commit && one.block.includes(`\nRun: ${run.epoch}\n`),
  );
  if (of.length === 0) return undefined;
  return Math.max(...of.map(({ block }) => Number(HEAD_LINE.exec(block)?.[2] ?? 0)));
}

/** The last record that changed what became of a run's attempts. */
function lastWord({ attempts }: AuditRun): number {
  const settled = attempts.flatMap(({ intents }) => intents.flatMap((one) => one.settled));
  return settled.reduce((last, { seq }) => Math.max(last, seq), 0);
}

interface Block {
  readonly commit: string;
  readonly block: string;
}

const HEAD_LINE = /^Ledger-Head: ([0-9a-f]{12}) (\d{1,15}) ([0-9a-f]{64})$/m;

/** Each run that applied a commit adds a block, which ends with the head that it left. */
function blocksOf(text: string): readonly string[] {
  return text.trimEnd().split(/(?<=^Ledger-Head: .*)\n+/m);
}

/** What names no ledger at all was not written by a run: it is held against this one. */
function isOf(block: string, fingerprint: string): boolean {
  const of = HEAD_LINE.exec(block)?.[1];
  return of === undefined || of === fingerprint.slice(0, 12);
}

function judged(block: string, commit: string, noted: Noted): readonly Check[] {
  const { records, isOldCopy } = noted;
  const [, , text = '', hash = ''] = HEAD_LINE.exec(block) ?? [];
  const seq = Number(text);
  if (seq === 0) return [finding('broken', 'noteEdited', { commit })];
  const last = records[seq - 1];
  if (!last && isOldCopy) return [finding('unproved', 'noteAhead', { commit, seq })];
  if (!last || hashOf(last) !== hash) return [finding('broken', 'noteElsewhere', { commit, seq })];
  const isSame = isAsWritten(block, commit, { ...noted, head: { seq, hash } });
  return isSame ? [] : [finding('broken', 'noteEdited', { commit })];
}

/** A block follows from the records up to the head that it names, so it is written once more. */
function isAsWritten(
  block: string,
  commit: string,
  { records, fingerprint, tool, head }: Noted & { readonly head: LedgerHead },
): boolean {
  const epoch = Number(/^Run: (\d+)$/m.exec(block)?.[1]);
  const { runs } = auditOf(records.slice(0, head.seq));
  const run = runs.find((one) => one.epoch === epoch);
  if (!run || commitOf(run) !== commit) return false;
  const written = noteText(run, { head, fingerprint }).trimEnd();
  return run.tool === tool ? written === block : tailOf(written) === tailOf(block);
}

/** The lines that machines read: another version may word the rest in another way. */
function tailOf(block: string): string {
  return block.slice(block.lastIndexOf('\n\n'));
}

function finding(
  result: Check['result'],
  why: string,
  params: Readonly<Record<string, string | number>>,
): Check {
  return { check: 'notes', result, why, params };
}
