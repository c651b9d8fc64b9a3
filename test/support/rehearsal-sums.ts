import { isDeepStrictEqual } from 'node:util';
import { exitOfRun } from '../../src/shell/exit-of-run.ts';
import { buildAudit } from '../../src/ledger/audit.ts';
import { proveRecords } from '../../src/ledger/proof.ts';
import type { AuditRun, AuditView } from '../../src/model/ledger/audit.ts';
import {
  classifyEnding,
  countUnread,
  type Outcome,
  type RunReport,
} from '../../src/model/ledger/run-report.ts';
import {
  addColumns,
  findActor,
  findColumn,
  isDecided,
  PLAN_COLUMNS,
  type PlanColumn,
} from '../../src/model/plan/actor.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { isPhase, type ProgressEvent } from '../../src/model/progress.ts';
import { sumCounts } from '../../src/lib/group-by.ts';
import type { Reason } from '../../src/model/plan/reason.ts';
import type { LedgerRecord } from '../../src/model/ledger/record.ts';
import {
  classEntries,
  RUN_CLASSES,
  type ClassCounts,
  type RunClass,
  type RunSums,
} from '../../src/model/ledger/run-sums.ts';
import { auditBlocks } from '../../src/render/outputs/audit.ts';
import { reportBlocks } from '../../src/render/outputs/run.ts';
import { runSituation, statusSituation } from '../../src/render/view/situations.ts';
import { buildPlanView } from '../../src/render/view/view.ts';
import { hintWords } from '../../src/render/words/review/hint.ts';
import { fleetStatus } from '../../src/report/status.ts';
import { findAllClear, type Situation } from '../../src/model/report/all-clear.ts';
import type { Memory } from '../../src/model/ledger/memory.ts';
import type { Survey } from '../../src/apply/run/execute.ts';
import type { Instant } from '../../src/lib/time.ts';
import type { Block } from '../../src/render/tree.ts';
import { printTerminal } from '../../src/render/print/terminal.ts';
import { noteText } from '../../src/render/data/note.ts';
import { recordedText } from '../../src/render/words/ending-words.ts';
import { runSamples } from '../../src/render/data/metrics.ts';
import { runJson } from '../../src/render/data/output-json.ts';
import { parseRunRow, runRowJson } from '../../src/render/data/run-rows.ts';
import {
  addRows,
  countFailed,
  findRunColumn,
  sumRun,
  tabulateRun,
} from '../../src/model/ledger/run-table.ts';
import { LOOK } from './render-look.ts';

/**
 * Report, note, audit and exit code of a run count the same classes (protocol Z7). `since` is how many records there
 * were before it; a run without a report has died.
 */
export function unequalSums(
  report: RunReport | undefined,
  records: readonly LedgerRecord[],
  since: number,
): readonly string[] {
  const own = records.slice(since).findLast(({ body }) => body.type === 'LOCK');
  if (!own) return [];
  const view = buildAudit(records.filter(({ epoch }) => epoch <= own.epoch));
  const run = view.runs.find(({ epoch }) => epoch === own.epoch);
  if (!report || !hasReleased(records, own.epoch)) return ofKilled(run, view);
  if (report.planId === '') return run?.sums ? ['sums without a plan'] : [];
  const [genesis] = records;
  const owner = genesis?.body.type === 'GENESIS' ? genesis.body.fingerprint : '';
  const proof = proveRecords(records, owner).filter(({ check }) => check === 'sums');
  return [
    ...told(
      proof.every(({ result }) => result === 'proved'),
      'the record and the plan on record',
    ),
    ...ofTable(report),
    ...ofRecord(report, keptIn(records, own.epoch)),
    ...(run ? ofAudit(report, run, view) : []),
  ];
}

/** The last progress line of a run counts what its result line counts, and none before it counts more. */
export function unequalProgress(
  report: RunReport | undefined,
  progress: readonly ProgressEvent[],
): readonly string[] {
  const counts = progress.filter((event) => isPhase(event, 'applying'));
  const last = counts.at(-1);
  if (!report || last?.isLast !== true) return [];
  const sumOf = (key: 'done' | 'failed', { policies } = last): number =>
    policies.reduce((all, policy) => all + policy[key], 0);
  const { classes, beside } = sumRun(report);
  const verified = (classes.verified ?? 0) + (beside.verified ?? 0);
  const of = (said: number, shown: number, what: string) =>
    told(said === shown, `progress (${said}) and result (${shown}): ${what}`);
  return [
    ...of(sumOf('done'), verified, 'verified'),
    ...of(Math.max(...counts.map((each) => sumOf('done', each))), verified, 'most verified'),
    ...of(sumOf('failed'), countFailed(report), 'failed'),
  ];
}

/** What the last look of a run knows better, as it reads what no plan reads, or the file of the run. */
const LOOKED: ReadonlySet<RunClass> = new Set(['converged', 'unreadable', 'stale']);

/**
 * The table of a run is that of a plan made right after it, of the same fleet, ledger and instant: of a file, the rows
 * of the changes that it has.
 */
export function unlikePlan(report: RunReport, plan: Plan): readonly string[] {
  const { left } = report;
  if (!left) return [];
  const mine = report.isFile ? new Set(report.endings.map(({ change }) => change.id)) : undefined;
  const looked = left.endings.filter((ending) => LOOKED.has(classifyEnding(ending)));
  const apart = new Map(looked.map((each) => [each.change.id, findRunColumn(each)] as const));
  const counts = new Map<string, Record<PlanColumn, number>>();
  const rowOf = (policy: string): Record<PlanColumn, number> => {
    const row = counts.get(policy) ?? { ...addColumns([]) };
    counts.set(policy, row);
    return row;
  };
  for (const { id, at, ...change } of plan.changes)
    if (mine?.has(id) !== false) rowOf(at.policy)[apart.get(id) ?? findColumn(change)] += 1;
  for (const { at, reason, count } of plan.notes)
    rowOf(at.policy)[findColumn({ action: 'note', reason })] += count;
  const onboarded = report.endings.filter(({ change }) => change.task === 'onboardDevice').length;
  const rows = new Map(tabulateRun(report).map((row) => [row.policy, row]));
  return [...new Set([...rows.keys(), ...counts.keys()])].flatMap((policy) => {
    const [run, after] = [rows.get(policy) ?? addColumns([]), rowOf(policy)];
    const unlike = PLAN_COLUMNS.filter(
      (column) => run[column] !== after[column] + (column === 'done' ? beside(run, after) : 0),
    );
    const said = unlike.map((column) => `${column} ${run[column]}, not ${after[column]}`);
    return unlike.length > 0 ? [`${policy} after the run: ${said.join('; ')}`] : [];
  });

  /** What was onboarded is in no list of the next plan. */
  function beside(run: Readonly<Record<PlanColumn, number>>, after: typeof run): number {
    return onboarded > 0 ? Math.max(0, run.done - after.done) : 0;
  }
}

/**
 * The next step of a run is that of a plan and of a status made right after it, of the same reading. A run that ended early
 * says what ended it, a file names its changes alone, a run of a part finishes tasks outside of it, too, and only a last
 * look reads what no plan reads.
 */
export function otherNext(
  report: RunReport,
  now: Instant,
  { plan, debts, followed }: Survey,
  memory: Memory,
): readonly string[] {
  const { left, ended, isFile = false, leftOpen = [], surveyed } = report;
  const isElsewhere = surveyed?.isPart === true && leftOpen.length > 0;
  if (!left || ended !== undefined || isFile || isElsewhere) return [];
  if (left.endings.some((ending) => LOOKED.has(classifyEnding(ending)))) return [];
  const judge = (situation: Situation): { readonly exit: number; readonly next: string } => {
    const { next, exit } = findAllClear(situation);
    // A plan has no IDs of what is in doubt.
    const hint = next.is === 'doubt' ? { ...next, doubt: {} } : next;
    return { exit, next: hintWords(hint, { now }) };
  };
  const torn = plan.inputs.snapshot.confidence === 'torn';
  const status = fleetStatus({ plan, debts, memory, now, ...(followed && { followed }) });
  const own = judge(runSituation(report, now));
  const inPlan = judge(buildPlanView(plan).situation);
  const inStatus = judge(statusSituation({ ...status, ...(torn && { torn }) }));
  const isAlike = isDeepStrictEqual(inPlan, inStatus) && own.next === inPlan.next;
  return isAlike ? [] : [`next steps differ: ${JSON.stringify({ own, inPlan, inStatus })}`];
}

/** The columns of the table of a run are sums of the classes that its first lines count. */
function ofTable(report: RunReport): readonly string[] {
  const { classes, noted } = sumRun(report);
  const rows = tabulateRun(report);
  const columns = addRows(rows);
  const count = (...names: readonly RunClass[]): number =>
    names.reduce((all, name) => all + (classes[name] ?? 0), 0);
  const bad = count('unverified', 'failed', 'rolledBack', 'aborted');
  const all = PLAN_COLUMNS.reduce((total, column) => total + columns[column], 0);
  const { left = { endings: report.endings, notes: [] } } = report;
  const onboarded = report.endings.filter(({ change }) => change.task === 'onboardDevice').length;
  const least = left.endings.length + (report.left ? sumCounts(left.notes) : noted);
  return [
    ...told(columns.verified <= count('verified'), 'DONE and the report'),
    ...told(columns.failed <= bad && columns.person >= columns.failed, 'NEEDS YOU and the report'),
    ...told(all >= least && all <= least + onboarded, 'the columns and the report'),
    ...told(
      isDeepStrictEqual(rows.map(runRowJson).map(parseRunRow), rows),
      'the rows and the outcome file',
    ),
    ...told(
      isDeepStrictEqual(
        runJson(report, { now: 0, exit: 0 })['policies'],
        rows.map((row) => {
          const { policy, verified, failed } = row;
          return { policy, columns: addColumns([row]), verified, failed };
        }),
      ),
      'the table and its JSON',
    ),
    ...ofMetrics(report),
  ];
}

/** The metrics of a run count its outcomes, within its plan and beside it. */
function ofMetrics(report: RunReport): readonly string[] {
  const run = { command: 'apply', exit: 0, endedAt: 0, took: 0, report };
  const sums: Record<string, number> = {};
  for (const [name, value, , outcome = ''] of runSamples(run))
    if (name === 'run_changes') sums[outcome] = (sums[outcome] ?? 0) + value;
  const { classes, beside } = sumRun(report);
  return RUN_CLASSES.flatMap((name) =>
    told(sums[name] === (classes[name] ?? 0) + (beside[name] ?? 0), 'the report and the metrics'),
  );
}

function keptIn(records: readonly LedgerRecord[], of: number): RunSums | undefined {
  const release = records.find(({ body, epoch }) => epoch === of && body.type === 'RELEASE');
  return release?.body.type === 'RELEASE' ? release.body.sums : undefined;
}

function ofRecord(report: RunReport, kept: RunSums | undefined): readonly string[] {
  const { classes = {}, beside = {} } = kept ?? {};
  return [
    ...told(isDeepStrictEqual(kept, sumRun(report)), 'the record and the report'),
    ...told(sum(classes) === report.endings.length, 'the record and the plan'),
    ...ofExit(report, classes, beside),
  ];
}

/** Nothing that came after the lease was given back makes its sums old. */
function hasReleased(records: readonly LedgerRecord[], of: number): boolean {
  const own = records.filter(({ epoch }) => epoch === of);
  return own.at(-1)?.body.type === 'RELEASE';
}

function ofKilled(run: AuditRun | undefined, view: AuditView): readonly string[] {
  if (!run || run.plans.length === 0) return [];
  return [
    ...told(run.sums === undefined, 'a killed run and its sums'),
    ...told(textOf(run, view).includes('outcome not recorded'), 'a killed run and its audit'),
  ];
}

function ofAudit(report: RunReport, run: AuditRun, view: AuditView): readonly string[] {
  const sums = sumRun(report);
  const { classes, columns } = sums;
  const title = printed(reportBlocks(report, { now: 0, exit: 0 }))[0] ?? '';
  const phrase = recordedText(sums);
  const note = noteText(run, { head: view.head, fingerprint: view.fingerprint });
  const line = classEntries(classes)
    .map(([name, count]) => `${name}=${count}`)
    .join(' ');
  return [
    ...told(isDeepStrictEqual(run.sums, sumRun(report)), 'audit and report'),
    ...told(textOf(run, view).includes(`outcome ${phrase}`), 'the text of audit and the report'),
    ...told(note.includes(`\nClasses: ${line}\n`), 'note and report'),
    ...told(note.includes(` sent: ${phrase}\n`), 'the text of the note and the report'),
    ...told(
      note.includes(
        `\nColumns: ${PLAN_COLUMNS.map((name) => `${name}=${columns?.[name]}`).join(' ')}\n`,
      ),
      'the columns of the note and of the table',
    ),
    // Where the run sent nothing, its first line is what its reading shows.
    ...told(
      report.attempts === 0 || phrase.startsWith(title.replace(/^.* sent: |\.$/g, '')),
      'the result line and the note',
    ),
  ];
}

/** Where nothing ended the run early, its classes alone make the exit code (Z3). */
function ofExit(report: RunReport, classes: ClassCounts, beside: ClassCounts): readonly string[] {
  if (report.ended !== undefined || report.failure) return [];
  const has = (...names: readonly RunClass[]): boolean =>
    names.some((name) => (classes[name] ?? 0) + (beside[name] ?? 0) > 0);
  const codes = [
    [report.approved === true && has('stale'), 8],
    [has('inDoubt'), 5],
    [has('failed', 'rolledBack', 'aborted', 'unverified', 'unreadable') || needsPerson(report), 4],
    [has('timedOut', 'atWork', 'betweenSteps', 'notStarted') || isMoreLeft(report), 7],
  ] as const;
  const expected = codes.find(([isSo]) => isSo)?.[1] ?? 0;
  return told(exitOfRun(report) === expected, 'the record and the exit code');
}

/** What the last plan of a run leaves to a person, or covers nothing (semantics M31). */
function needsPerson(report: RunReport): boolean {
  const { surveyed, left, endings } = report;
  const isOpen = ({ reason, outcome }: { reason?: Reason; outcome?: Outcome }): boolean =>
    reason !== undefined &&
    outcome !== 'verified' &&
    reason.code !== 'inDoubt' &&
    findActor(reason) === 'person' &&
    !isDecided(reason);
  const sums = addRows(tabulateRun(report));
  const selected = PLAN_COLUMNS.reduce((all, column) => all + sums[column], 0);
  const isCovered = surveyed === undefined || surveyed.coverage.selected > 0 || selected > 0;
  return (left?.endings ?? endings).some(isOpen) || !isCovered;
}

/** What the last reading leaves to a later run. */
function isMoreLeft({ surveyed, left, endings, notes }: RunReport): boolean {
  const open = left?.endings ?? endings;
  const isDue = open.some(({ outcome }) => outcome === 'notStarted' || outcome === 'betweenSteps');
  const isHeld = open.some(
    ({ reason, outcome }) =>
      outcome === 'skipped' && reason && (isDecided(reason) || findActor(reason) === 'time'),
  );
  const isUnread = countUnread(left ?? { notes }) > 0;
  return isHeld || surveyed?.isTorn === true || isUnread || isDue;
}

function textOf(run: AuditRun, view: AuditView): string {
  const blocks = auditBlocks({ ...view, runs: [run] }, () => undefined, { now: 0 });
  return printed(blocks).join('\n').replace(/ +/g, ' ');
}

function printed(blocks: readonly Block[]): readonly string[] {
  return [...printTerminal(blocks, { ...LOOK, width: 2_000 })];
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((all, count) => all + count, 0);
}

function told(isEqual: boolean, what: string): readonly string[] {
  return isEqual ? [] : [`${what} count differently`];
}
