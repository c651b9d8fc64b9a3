import { isOpen } from '../../ledger/transitions.ts';
import { Bug } from '../../lib/bug.ts';
import { isWanted, type Change, type Changes, type NoteClass } from '../../model/plan/change.ts';
import { findColumn } from '../../model/plan/actor.ts';
import type { IntentState, Memory } from '../../model/ledger/memory.ts';
import {
  OUTCOMES,
  isNotSent,
  type ClosedBeside,
  type Ending,
  type LeftOpen,
  type Outcome,
  type RunReport,
} from '../../model/ledger/run-report.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { classOf, intentChangeId, type Said } from '../outcomes.ts';

/** The plan of a run's report: the approved one, or the first one of a run without a file. */
export interface Answerable {
  readonly id: string;
  readonly changes: Changes;
  readonly notes: readonly NoteClass[];
}

/** The inputs of a report. `plan` is absent where the run ended before there was one. */
export interface ReportInput extends Pick<
  RunReport,
  | 'approved'
  | 'anomalies'
  | 'attempts'
  | 'withdrawn'
  | 'unrecorded'
  | 'ended'
  | 'failure'
  | 'refused'
  | 'stops'
> {
  readonly plan: Answerable | undefined;
  /** The last plan of the run, and what happened since. */
  readonly last?: LastPlan | undefined;
  /** By change id. */
  readonly said: ReadonlyMap<string, Said>;
  readonly memory: Pick<Memory, 'open' | 'intentsOf' | 'intents'>;
  /**
   * Intents of this run whose end it did not see: an append that appeared to fail, or a run that
   * took over, may have closed them.
   */
  readonly touched?: ReadonlySet<string>;
  /** Why the last poll of an intent did not return its task, as a detail. */
  readonly unread?: (intent: IntentState) => string | undefined;
}

/** A plan that was made after all that it knows of. */
interface LastPlan extends Answerable {
  /** Changes that were sent, or ended, after it was made. */
  readonly since: ReadonlySet<string>;
  /** The changes that a file approved and that are as approved; absent without a file. */
  readonly approved?: ReadonlySet<string>;
}

const NO_PLAN: Answerable = { id: '', changes: [], notes: [] };

/**
 * The report of a run, however it ended: every change of the plan in exactly one class, with sums
 * that equal the plan (I7). A change without a result in this run gets it from the ledger, then
 * from the plan.
 */
export function account(input: ReportInput): RunReport {
  const { plan = NO_PLAN, ended, failure, refused, stops, anomalies, attempts } = input;
  const { unrecorded = [], withdrawn = 0 } = input;
  const endings = [...plan.changes].map((change) => toEnding(change, input));
  const counts = count(endings);
  const planned = new Set(endings.map(({ change }) => change.id));
  const sum = Object.values(counts).reduce((total, one) => total + one, 0);
  if (sum !== plan.changes.length) throw new Bug(`${sum} of ${plan.changes.length} accounted for`);
  return {
    planId: plan.id,
    ...(input.approved && { approved: true }),
    endings,
    notes: plan.notes,
    ...(input.last && { left: standing(input.last, endings, input) }),
    counts,
    leftOpen: leftOpen(input, planned),
    closedBeside: [...input.said].flatMap(
      ([changeId, { intentId = '', outcome, detail }]): ClosedBeside[] => {
        const intent = input.memory.intents.get(intentId);
        if (planned.has(changeId) || !intent || isOpen(intent)) return [];
        const { task, device, policy } = intent;
        return [
          { intentId, task, device, policy, outcome, ...(detail !== undefined && { detail }) },
        ];
      },
    ),
    ...(unrecorded.length > 0 && { unrecorded }),
    anomalies,
    attempts,
    ...(withdrawn > 0 && { withdrawn }),
    ...(ended && { ended }),
    ...(failure && { failure }),
    ...(refused && { refused }),
    ...(stops && { stops }),
  };
}

function toEnding(change: Change, input: ReportInput): Ending {
  const intents = input.memory.intentsOf(change.device.id, change.task);
  const open = intents.find(isOpen);
  const closed = intents.findLast(({ id, verdict }) => verdict && input.touched?.has(id));
  const recorded = open ? openEnding(open, input) : closed && closedEnding(closed);
  const said = withPlan(
    input.said.get(change.id) ?? recorded ?? unsaid(change, input.ended),
    input,
  );
  if (isNotSent(said) && isBetweenSteps(change, intents))
    return { change, ...said, outcome: 'betweenSteps' };
  return { change, ...(open ? withAttempt(said, open) : said) };
}

/** Where the run leaves the changes of its last plan; of a file, those that it has, and those that no policy wants now. */
function standing(
  { changes, notes, since, approved }: LastPlan,
  all: readonly Ending[],
  input: ReportInput,
): NonNullable<RunReport['left']> {
  const own = new Map(all.map((ending) => [ending.change.id, ending]));
  const mine = [...changes].filter(({ id }) => !approved || own.has(id));
  const endings = mine.map((change): Ending => {
    const { id, action, reason } = change;
    const isOther = approved !== undefined && isWanted(change) && !approved.has(id);
    const ofFile = isOther && own.get(id);
    if (ofFile) return { ...ofFile, change };
    const ending = toEnding(change, input);
    const isVerified = ending.outcome === 'verified';
    if (action === 'run' && isNotSent(ending))
      return ending.reason?.why === 'takenOver' ? { ...ending, column: 'now' } : ending;
    if (since.has(id) && (isVerified || isNotSent(ending))) return ending;
    const column = findColumn(change);
    if (column === 'running') return { ...ending, column };
    return {
      ...(isVerified ? { change, ...unsaid(change, input.ended) } : ending),
      reason,
      column,
    };
  });
  const known = new Set(mine.map(({ id }) => id));
  const dropped = (approved ? all : []).filter(
    ({ change: { id }, reason }) => reason?.code === 'left' && !known.has(id),
  );
  return { endings: [...endings, ...dropped], notes };
}

/** Without an approved plan, the next run makes a plan of its own of what is stale. */
function withPlan<S extends Said>(said: S, { approved }: ReportInput): S {
  const { reason } = said;
  if (reason?.code !== 'stale' || approved === true) return said;
  return { ...said, reason: { ...reason, why: 'replanned' } };
}

/** Whether the device had, when it was planned, an intermediate version that a run has verified. */
function isBetweenSteps({ before }: Change, intents: readonly IntentState[]): boolean {
  const last = intents.findLast(({ verdict }) => verdict === 'done');
  return last?.towards !== undefined && Object.values(before).includes(last.target);
}

/** A doubt says when the task was attempted: its quarantine begins there. */
function withAttempt(said: Said, { attemptedAt: since }: IntentState): Said {
  if (said.outcome !== 'inDoubt') return said;
  return { ...said, reason: { code: 'inDoubt', ...said.reason, since } };
}

/** An intent that the ledger closed without this run noticing. */
function closedEnding(intent: IntentState): Said | undefined {
  const { id: intentId, taskId, verdict } = intent;
  const known = { intentId, ...(taskId !== undefined && { taskId }) };
  return verdict && { outcome: classOf(intent, verdict), ...known };
}

/** An intent that is open at the end of its run: in doubt, or still running. */
function openEnding(intent: IntentState, input: ReportInput): Said {
  const { taskId, detail } = knownTask(intent, input);
  const known = { intentId: intent.id, ...(taskId !== undefined && { taskId }) };
  const unread = input.unread?.(intent);
  return intent.phase === 'running'
    ? { outcome: 'atWork', ...known, ...(unread !== undefined && { detail: unread }) }
    : { outcome: 'inDoubt', reason: { code: 'inDoubt' }, ...known, ...(detail && { detail }) };
}

/** The task is accepted, and in no ledger: a file has it for the next run on this machine. */
const UNRECORDED = 'unrecorded';

/** The same, and no file has it. */
const UNKEPT = 'unkept';

/**
 * The service task of an open intent, and why it is in doubt. An acceptance that the ledger lacks is
 * in doubt for every other machine; the report names its task.
 */
function knownTask(
  { taskId, attemptId, row }: IntentState,
  { unrecorded = [] }: Pick<ReportInput, 'unrecorded'>,
): { readonly taskId?: string | undefined; readonly detail?: string | undefined } {
  const held = unrecorded.find((each) => each.attemptId === attemptId);
  if (taskId !== undefined || held === undefined) return { taskId, detail: row };
  if (held.taskId === undefined) return { detail: held.row };
  return { taskId: held.taskId, detail: held.file === undefined ? UNKEPT : UNRECORDED };
}

function unsaid(change: Change, ended: RunReport['ended']): Said {
  if (change.action === 'skip' || change.action === 'note')
    return { outcome: 'skipped', reason: change.reason };
  return {
    outcome: 'notStarted',
    reason: change.action === 'wait' ? change.reason : cutOff(ended),
  };
}

function cutOff(ended: RunReport['ended']): Reason {
  if (ended === undefined) return { code: 'notReached' };
  if (ended === 'interrupted') return { code: 'interrupted' };
  return { code: 'notReached', why: ended === 'guardrail' ? 'refused' : 'endedEarly' };
}

function count(endings: readonly Ending[]): Readonly<Record<Outcome, number>> {
  const of = (outcome: Outcome) => endings.filter((ending) => ending.outcome === outcome).length;
  const counts = OUTCOMES.map((outcome) => [outcome, of(outcome)]);
  return Object.fromEntries(counts) as Record<Outcome, number>;
}

function leftOpen(
  { memory, said, unrecorded = [] }: ReportInput,
  planned: ReadonlySet<string>,
): readonly LeftOpen[] {
  return memory
    .open()
    .filter(({ task, device }) => !planned.has(intentChangeId({ task, device })))
    .map((intent): LeftOpen => {
      const { id: intentId, task, device, policy, phase, attemptedAt } = intent;
      const { taskId, detail: known } = knownTask(intent, { unrecorded });
      const isHeld = unrecorded.some(({ attemptId }) => attemptId === intent.attemptId);
      const beside = said.get(intentChangeId({ task, device }));
      const detail = beside?.detail ?? (isHeld ? known : undefined);
      const isLate = beside?.outcome === 'timedOut';
      return {
        intentId,
        task,
        device,
        policy,
        outcome: phase !== 'running' ? 'inDoubt' : isLate ? 'timedOut' : 'atWork',
        since: attemptedAt,
        ...(taskId !== undefined && { taskId }),
        ...(detail !== undefined && { detail }),
      };
    });
}
