import type { AuditAttempt, AuditIntent, AuditRun, AuditView } from '../../model/ledger/audit.ts';
import type { Instant } from '../../lib/time.ts';
import { allowedText, endsText } from '../outputs/audit.ts';
import type { Inlines } from '../tree.ts';
import { wordOr } from '../words/phrase.ts';
import { momentText } from '../words/moment.ts';
import { POST_WORDS, VERDICT_WORDS } from '../words/outcomes.ts';
import { AUDIT_WORDS, goalText, LEVEL_WORDS } from '../words/record-words.ts';
import { TASK_WORDS } from '../words/terms.ts';
import { textTable, type TextColumn } from './table-data.ts';

/** One device of a task, with what became of it, and the run that sent it. */
interface Outcome {
  readonly run: AuditRun;
  readonly attempt: AuditAttempt;
  readonly intent: AuditIntent;
}

const COLUMNS: readonly TextColumn<Outcome>[] = [
  ['outcome', 'Outcome', outcomeText],
  ['task', 'Task', ({ attempt }) => TASK_WORDS[attempt.task], 'narrow'],
  ['policy', 'Policy', ({ intent }) => intent.policy, 'narrow'],
  ['run', 'Run', ({ run }) => String(run.epoch), 'narrow'],
  [
    'evidence',
    'Evidence',
    ({ intent }) => wordOr(LEVEL_WORDS, intent.settled.at(-1)?.level ?? ''),
    'narrow',
  ],
  ['goal', 'Target', ({ attempt, intent }) => goalText(attempt.task, intent), 'detail'],
  ['ends', 'What happened', ({ intent, run }) => plain(endsText(intent, run)), 'detail'],
  [
    'allowed',
    'Approval',
    ({ intent: { allowed } }) => allowed && plain(allowedText(allowed)),
    'detail',
  ],
  ['sent', 'Sent', ({ attempt }) => momentText(attempt.at), 'detail'],
  ['window', 'Window', ({ attempt }) => attempt.window, 'detail'],
  ['taskId', 'Task ID', ({ attempt }) => attempt.taskId, 'detail'],
  ['intent', 'ID', ({ intent }) => intent.intentId, 'detail'],
  ['attempt', 'Attempt', ({ attempt }) => attempt.attemptId, 'detail'],
];

/** Each device of each task as a row of a page, in the order in which the tasks were sent. */
export function auditTable({ runs }: AuditView, now: Instant) {
  const rows = runs.flatMap((run) =>
    run.attempts.flatMap((attempt) => attempt.intents.map((intent) => ({ run, attempt, intent }))),
  );
  const table = {
    row: 'outcome',
    id: 'attempt',
    columns: COLUMNS,
    command: 'fleetform audit',
    search: 'IDs, policies, tasks, outcomes, reasons',
    deviceOf: ({ intent }: Outcome) => ({ id: intent.device }),
  };
  return textTable(table, rows, now);
}

function outcomeText({ attempt: { outcome = 'inDoubt' }, intent }: Outcome): string {
  const last = intent.settled.at(-1);
  if (last) return VERDICT_WORDS[last.verdict];
  return outcome === 'accepted' ? AUDIT_WORDS.running : wordOr(POST_WORDS, outcome);
}

function plain(inlines: Inlines): string {
  return inlines.map((part) => ('text' in part ? part.text : '')).join('');
}
