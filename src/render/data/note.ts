import type { AuditIntent, AuditRun } from '../../model/ledger/audit.ts';
import {
  RESULT_VERDICTS,
  type LedgerHead,
  type PostOutcome,
  type ResultVerdict,
} from '../../model/ledger/record.ts';
import { classEntries, type ClassCounts } from '../../model/ledger/run-sums.ts';
import { PLAN_COLUMNS } from '../../model/plan/actor.ts';
import { terminal } from '../sinks/sinks.ts';
import { recordedText } from '../words/ending-words.ts';
import { momentText } from '../words/moment.ts';
import { VERDICT_WORDS } from '../words/outcomes.ts';
import { counted, grouped, wordOr } from '../words/phrase.ts';
import { NOTE_WORDS } from '../words/record-words.ts';

/** The outcome of a device of an attempt, as far as the ledger has it. */
type Class = ResultVerdict | Exclude<PostOutcome, 'accepted'> | 'running';

const CLASSES: readonly Class[] = [...RESULT_VERDICTS, 'rejected', 'notSent', 'inDoubt', 'running'];

/**
 * The note on an applied commit: a text for people, then the machine-readable lines. A run that
 * settles attempts of an earlier run adds a new block with the current state. Every word follows
 * from the ledger up to `head`, so that the note can be written again and compared. It contains IDs
 * and counts only, no device.
 */
export function noteText(
  run: AuditRun,
  { head, fingerprint }: { readonly head: LedgerHead; readonly fingerprint: string },
): string {
  const counts = countIntents(run);
  const { commit = '', planId = '' } = run.plans.at(-1) ?? {};
  const { attempts, sums, epoch } = run;
  const said = sums ? recordedText(sums) : countsText(counts);
  const settled = attempts.flatMap(({ intents }) => intents.flatMap((intent) => intent.settled));
  const later = settled.filter((one) => one.epoch !== epoch).map((one) => one.epoch);
  const runs = [...new Set(later)].sort((a, b) => a - b);
  // The totals of the run at its end may be out of date by now.
  const now = sums ? `: ${countsText(counts)} of what it started` : '';
  return [
    `fleetform: ${counted(attempts.length, 'task')} sent: ${said}`,
    terminal(`Run ${run.epoch} by ${run.label}, ${runTimes(run)}.`),
    ...(runs.length === 0 ? [] : [`${NOTE_WORDS.later} ${runs.join(', ')}${now}.`]),
    // A killed run could not count how all changes of its plan ended.
    ...(run.sums === undefined && run.endedAt === undefined ? [NOTE_WORDS.unsummed] : []),
    `\`fleetform audit --commit ${commit.slice(0, 12)}\` ${NOTE_WORDS.outcomes}`,
    '',
    `Plan: ${planId}`,
    `Run: ${run.epoch}`,
    `Counts: ${[...counts].map(([name, count]) => `${name}=${count}`).join(' ')}`,
    ...sumsTail(run),
    `Ledger-Head: ${fingerprint.slice(0, 12)} ${head.seq} ${head.hash}`,
    '',
  ].join('\n');
}

/**
 * The note of a decision that a person recorded, such as a pause: it shows that the ledger was at
 * least this long. The same head always gives the same text.
 */
export function headNoteText(head: LedgerHead, fingerprint: string): string {
  return [
    `fleetform: ${NOTE_WORDS.decision}`,
    '',
    `Ledger-Head: ${fingerprint.slice(0, 12)} ${head.seq} ${head.hash}`,
    '',
  ].join('\n');
}

type Counts = ReadonlyMap<Class, number>;

function countIntents({ attempts }: AuditRun): Counts {
  const last = new Map<string, Class>();
  for (const { intents, outcome } of attempts)
    for (const intent of intents) last.set(intent.intentId, classifyIntent(intent, outcome));
  const all = [...last.values()];
  const counts = CLASSES.map((name) => [name, all.filter((one) => one === name).length] as const);
  return new Map(counts.filter(([, count]) => count > 0));
}

function classifyIntent({ settled }: AuditIntent, outcome: PostOutcome | undefined): Class {
  const verdict = settled.at(-1)?.verdict;
  if (verdict !== undefined) return verdict;
  return outcome === 'accepted' ? 'running' : (outcome ?? 'inDoubt');
}

/** The counts of the run's report, if they are on record. */
function sumsTail({ sums }: AuditRun): readonly string[] {
  if (!sums) return [];
  const pairsOf = (counts: ClassCounts): string =>
    classEntries(counts)
      .map(([name, count]) => `${name}=${count}`)
      .join(' ');
  const { columns } = sums;
  const beside = pairsOf(sums.beside);
  return [
    `Classes: ${pairsOf(sums.classes)}`,
    `Noted: ${sums.noted}`,
    ...(columns
      ? [`Columns: ${PLAN_COLUMNS.map((name) => `${name}=${columns[name]}`).join(' ')}`]
      : []),
    ...(beside === '' ? [] : [`Beside: ${beside}`]),
  ];
}

function countsText(counts: Counts): string {
  return [...counts]
    .map(
      ([name, count]) => `${grouped(count)} ${wordOr({ ...NOTE_WORDS, ...VERDICT_WORDS }, name)}`,
    )
    .join(', ');
}

function runTimes({ startedAt, endedAt }: AuditRun): string {
  const from = momentText(startedAt);
  return endedAt === undefined ? `from ${from}` : `${from} to ${momentText(endedAt)}`;
}
