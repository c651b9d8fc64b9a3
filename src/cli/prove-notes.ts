import { auditOf } from '../ledger/audit.ts';
import { hashOf } from '../ledger/chain.ts';
import type { AuditRun, Check } from '../model/audit.ts';
import type { LedgerRecord } from '../model/record.ts';
import { noteText } from '../render/note-text.ts';

/** What the notes are held against. */
export interface Noted {
  readonly records: readonly LedgerRecord[];
  readonly fingerprint: string;
  /** Text by commit. */
  readonly notes: ReadonlyMap<string, string>;
  /** The version that may word a note as this one does. */
  readonly tool: string;
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
  const broken = ours.flatMap(({ commit, block }) => judged(block, commit, noted));
  const runs = auditOf(records).runs.filter((run) => run.attempts.length > 0);
  const missing = runs
    .filter((run) => !hasNote(run, ours))
    .map(({ plans }) => plans.at(-1)?.commit);
  const commits = [...new Set(missing)].filter((commit) => commit !== undefined && commit !== '');
  if (ours.length === 0 && commits.length > 0)
    return [{ check: 'notes', result: 'unproved', why: 'noNotes' }];
  const absent = commits.map((commit = ''): Check =>
    finding('unproved', 'noteMissing', { commit }),
  );
  const agreeing = ours.length - broken.length;
  const agree = finding('proved', 'notesAgree', { notes: agreeing });
  return [...(agreeing > 0 ? [agree] : []), ...broken, ...absent];
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
  const { records, fingerprint, tool } = noted;
  const [, , text = '', hash = ''] = HEAD_LINE.exec(block) ?? [];
  const edited = finding('broken', 'noteEdited', { commit });
  if (text === '') return [edited];
  const seq = Number(text);
  const last = records[seq - 1];
  if (!last || hashOf(last) !== hash) return [finding('broken', 'noteElsewhere', { commit, seq })];
  const epoch = Number(/^Run: (\d+)$/m.exec(block)?.[1]);
  const run = auditOf(records.slice(0, seq)).runs.find((one) => one.epoch === epoch);
  const of = run?.plans.at(-1)?.commit;
  if (!run || of !== commit) return [edited];
  const written = noteText(run, { head: { seq, hash }, fingerprint }).trimEnd();
  const isSame = run.tool === tool ? written === block : tailOf(written) === tailOf(block);
  return isSame ? [] : [edited];
}

/** The lines that machines read: another version may word the rest in another way. */
function tailOf(block: string): string {
  return block.slice(block.lastIndexOf('\n\n'));
}

function hasNote(run: AuditRun, ours: readonly { commit: string; block: string }[]): boolean {
  const { commit } = run.plans.at(-1) ?? {};
  return ours.some((one) => one.commit === commit && one.block.includes(`\nRun: ${run.epoch}\n`));
}

function finding(
  result: Check['result'],
  why: string,
  params: Readonly<Record<string, string | number>>,
): Check {
  return { check: 'notes', result, why, params };
}
