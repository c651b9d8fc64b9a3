import type {
  AuditAttempt,
  AuditIntent,
  AuditPlan,
  AuditRun,
  AuditView,
} from '../../model/ledger/audit.ts';
import type { JsonObject } from '../../lib/canonical.ts';
import { labelled } from '../print/terminal.ts';
import { goalText } from '../words/record-words.ts';
import { momentText } from '../words/moment.ts';
import { tint } from '../sinks/paint.ts';
import { counted, grouped } from '../words/phrase.ts';
import { POST_WORDS, VERDICT_WORDS } from '../words/outcomes.ts';
import { approvalWords, approversWords, AUDIT_WORDS, LEVEL_WORDS } from '../words/record-words.ts';
import { join, say, terminal, type TerminalText } from '../sinks/sinks.ts';
import type { TextStyle } from '../sinks/snippet.ts';
import { wrap } from '../sinks/wrap.ts';
import { TASK_WORDS } from '../words/terms.ts';
import { wordOr } from '../words/entry.ts';
import { classesText } from '../words/ending-words.ts';
import { EVENT_LABELS, eventText } from './audit-events.ts';

/** An exception that raised a limit, from the documents of the commit. */
export interface Raised {
  readonly ticket: string;
  readonly owner: string;
  readonly reason: string;
}

interface AuditOptions extends TextStyle {
  /** By commit and address, if the documents could be read. */
  readonly raised: (commit: string, address: string) => Raised | undefined;
}

/** The history of a fleet, run by run. */
export function* auditText(view: AuditView, style: AuditOptions): Generator<TerminalText> {
  const { runs, idle, head, ledgerId } = view;
  if (head.seq === 0) return yield terminal(AUDIT_WORDS.empty);
  const title = say`Ledger ${terminal(short(ledgerId))}, record ${head.seq}`;
  yield* wrap(
    say`${tint(style.paint, 'bold', title)} ${terminal(short(head.hash))}`,
    style.width,
    2,
  );
  yield* wrap(terminal(AUDIT_WORDS.ids), style.width);
  if (runs.length === 0) yield* ['', terminal(AUDIT_WORDS.nothing)] as TerminalText[];
  for (const run of runs) yield* runLines(run, style);
  if (idle > 0) yield* ['', terminal(`${counted(idle, 'run')} started nothing.`)] as TerminalText[];
}

function* runLines(run: AuditRun, style: AuditOptions): Generator<TerminalText> {
  const { epoch, record, label, tool, startedAt, endedAt, plans, attempts, events } = run;
  const until = endedAt === undefined ? AUDIT_WORDS.unended : `to ${momentText(endedAt)}`;
  const when = momentText(startedAt) + (record === undefined ? `, ${until}` : '');
  const name = record === undefined ? `Run ${epoch}` : `Record ${record}`;
  yield say``;
  const title = tint(style.paint, 'bold', terminal(name));
  yield* wrap(say`${title}  ${terminal(when)}`, style.width, 2);
  yield* labelled('by', terminal(`${label}, version ${tool}`), style);
  const byGate = attempts.some(({ intents }) => intents.some(({ allowed }) => allowed));
  for (const plan of plans) yield* planLines(plan, { ...style, byGate });
  yield* sumsLines(run, style);
  for (const attempt of attempts) yield* attemptLines(attempt, run, style);
  for (const event of events)
    yield* labelled(EVENT_LABELS[event.is] ?? event.is, eventText(event), style);
}

/** The counts of its report; a killed run has none. */
function* sumsLines({ sums, plans, endedAt }: AuditRun, style: TextStyle): Generator<TerminalText> {
  if (sums) {
    const noted = sums.noted > 0 ? [`${grouped(sums.noted)} unchanged`] : [];
    const summary = [classesText(sums.classes), ...noted].filter((text) => text !== '').join('; ');
    if (plans.length === 0) yield* labelled('plan', terminal(sums.planId), style);
    yield* labelled('outcome', terminal(summary || AUDIT_WORDS.noChanges), style);
    const beside = classesText(sums.beside);
    if (beside !== '') yield* labelled('other', terminal(`${beside}${AUDIT_WORDS.beside}`), style);
  } else if (plans.length > 0) {
    const why = endedAt === undefined ? AUDIT_WORDS.unsummed : AUDIT_WORDS.unsummedEnded;
    yield* labelled('outcome', terminal(why), style);
  }
}

function* planLines(
  plan: AuditPlan,
  style: AuditOptions & { readonly byGate: boolean },
): Generator<TerminalText> {
  const { planId, commit, counts, confidence, approvedBy, fromFile, named } = plan;
  const { unmerged, raisedBy, basis } = plan;
  const origin = commit === '' ? AUDIT_WORDS.noCommit : short(commit);
  const dirty = basis?.dirty === true ? ', with uncommitted documents' : '';
  yield* labelled('commit', terminal(origin + dirty), style);
  const inCommit = commit !== '' && basis?.dirty !== true;
  const { byGate } = style;
  const how = approvalWords(approvedBy ?? (fromFile ? 'file' : 'commit'), { inCommit, byGate });
  yield* labelled('plan', terminal(`${planId}, ${how}${named ? ', by its ID' : ''}`), style);
  const seen = `${counted(counts.devices, 'device')} seen (${confidence})`;
  yield* labelled('counts', terminal(`${counted(counts.changes, 'change')}, ${seen}`), style);
  if (basis) yield* basisLines(basis, style);
  if (unmerged) yield* labelled('unmerged', terminal(`by ${unmerged.who}: ${unmerged.why}`), style);
  for (const address of raisedBy ?? [])
    yield* labelled('raised', raisedText(address, style.raised(commit, address)), style);
}

function* basisLines(
  { documents, snapshot, snapshotFile, ledger, digest, file, commit, at }: Basis,
  style: TextStyle,
): Generator<TerminalText> {
  const inputs = [
    momentText(at),
    ...(commit === undefined ? [] : [`commit ${short(commit)}`]),
    `ledger record ${ledger.seq}`,
    `documents ${short(documents)}`,
    `snapshot ${short(snapshotFile ?? snapshot)}`,
  ];
  yield* labelled('inputs', terminal(inputs.join(', ')), style);
  yield* labelled('digest', terminal(short(file ?? digest)), style);
}

type Basis = NonNullable<AuditPlan['basis']>;

/** A digest or a commit as people compare it; JSON has all of it. */
function short(digest: string): string {
  return digest.slice(0, 12);
}

function raisedText(address: string, raised: Raised | undefined): TerminalText {
  if (!raised) return terminal(address);
  return terminal(`${address}: ${raised.ticket}, ${raised.owner}: ${raised.reason}`);
}

function* attemptLines(
  attempt: AuditAttempt,
  { epoch }: AuditRun,
  style: TextStyle,
): Generator<TerminalText> {
  const { attemptId, at, task, window, outcome, status, taskId, intents } = attempt;
  const answer = wordOr(POST_WORDS, outcome ?? 'inDoubt');
  const what = `${TASK_WORDS[task]} on ${counted(intents.length, 'device')}, window ${window}`;
  const code = status === undefined ? '' : ` (${status})`;
  const ids = taskId === undefined ? '' : `, task ${taskId}`;
  const said = `${momentText(at)}  ${what}: ${answer}${code}${ids}`;
  yield* labelled('attempt', terminal(said), style);
  yield* labelled('', terminal(attemptId), style);
  for (const intent of intents) yield* intentLines(intent, { task, epoch, style });
}

function* intentLines(
  intent: AuditIntent,
  {
    task,
    epoch,
    style,
  }: Pick<AuditAttempt, 'task'> & Pick<AuditRun, 'epoch'> & { style: TextStyle },
): Generator<TerminalText> {
  const { device, policy, settled } = intent;
  const goal = goalText(task, intent);
  const head = say`  ${terminal(device)}  ${terminal(policy)} → ${terminal(goal)}`;
  const words = settled.map(({ verdict, level, at, who, why, epoch: run }) => {
    const how = verdict === 'done' || level === 'person' ? ` (${wordOr(LEVEL_WORDS, level)})` : '';
    const more = [
      ...(who === undefined ? [] : [`by ${who}`]),
      ...(why === undefined ? [] : [why]),
      ...(run === epoch ? [] : [`run ${run}`]),
    ];
    const also = more.length === 0 ? '' : `, ${more.join(': ')}`;
    return terminal(`${wordOr(VERDICT_WORDS, verdict)}${how} ${momentText(at)}${also}`);
  });
  const approval = intent.allowed === undefined ? '' : `, ${allowedText(intent.allowed)}`;
  const end = words.length === 0 ? terminal(AUDIT_WORDS.running) : join(words, '; then ');
  yield* labelled('', say`${head}${terminal(approval)}: ${end}`, style);
}

/** What allowed a device's attempt to start. */
function allowedText({
  record,
  commit,
  approvers,
  pulls,
  preapproved,
}: NonNullable<AuditIntent['allowed']>): string {
  const at = short(commit);
  if (preapproved) return `standing approval of its policy at commit ${at} (record ${record})`;
  const whose = approversWords(approvers);
  const merged = pulls.filter((pull) => pull !== at).map((pull) => `, ${pull}`);
  return `approved${whose} (record ${record}, commit ${at}${merged.join('')})`;
}

/** The same as data, in the form of the records. */
export function auditJson(view: AuditView): JsonObject {
  return view as unknown as JsonObject;
}
