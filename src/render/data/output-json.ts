import { Bug } from '../../lib/bug.ts';
import type { JsonObject } from '../../lib/canonical.ts';
import type { Values } from '../../model/plan/change.ts';
import { WorldError } from '../../model/error.ts';
import { type Ending, type RunReport, countUnread } from '../../model/ledger/run-report.ts';
import { sumRun, tabulateRun } from '../../model/ledger/run-table.ts';
import { addColumns, findActor } from '../../model/plan/actor.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { isObject, pick } from '../../lib/objects.ts';
import { formatDuration, formatInstant, type Instant } from '../../lib/time.ts';
import type { LiftedKind } from '../../model/ledger/record.ts';
import type { CalendarView } from '../../model/plan/calendar.ts';
import { findAllClear } from '../../model/report/all-clear.ts';
import type { OpenStatus, RehearsalReport, Why } from '../../model/report/output.gen.ts';
import type { StatusView } from '../../model/report/status.ts';
import { statusSituation } from '../view/situations.ts';
import { OUTCOME_WORDS } from '../words/outcomes.ts';
import { remainingWork, stepAfter, type RunOptions } from '../outputs/run.ts';
import { BUG_NEXT, BUG_SAYS, EXIT_WORDS } from '../words/commands.ts';
import { errorWords } from '../words/errors.ts';
import { reasonWords } from '../words/reasons.ts';

/** JSON needs no escaping here: its writer escapes control characters. */
const asIs = (text: string): string => text;

/** A failure as JSON: `{"error": {code, summary, detail?, next, params, retry}}`. */
export function errorJson(error: Pick<WorldError, 'code' | 'params' | 'retry'>): JsonObject {
  const { code, params, retry } = error;
  return { error: { code, ...errorWords(code, params, asIs), params, retry } };
}

/** An internal error, in the form of every other failure. */
export function bugJson(bug: Pick<Error, 'message'>): JsonObject {
  const { message } = bug;
  return { error: { code: 'bug', summary: BUG_SAYS, detail: message, next: BUG_NEXT } };
}

/** The options of the report of a run; `lifted`: the scopes that `unpause` lifted first. */
interface RunJsonOptions extends Pick<RunOptions, 'now' | 'exit' | 'command' | 'file'> {
  readonly lifted?: readonly { readonly scope: string; readonly what: LiftedKind }[];
}

/**
 * The report of a run: what ended it early, counts, each change with its outcome, and the meaning
 * of the exit code.
 */
export function runJson(report: RunReport, options: RunJsonOptions): JsonObject {
  const exit = EXIT_WORDS[options.exit];
  const sums = sumRun(report);
  return {
    planId: report.planId,
    exit: {
      code: options.exit,
      ...(exit && { means: exit.says, next: stepAfter(report, options) }),
    },
    ...(options.file !== undefined && {
      left: { file: options.file, changes: remainingWork(report).map(({ change }) => change.id) },
    }),
    ...(options.lifted && {
      lifted: options.lifted.map(({ scope, what }) => ({ scope, what })),
    }),
    ...(report.ended && { ended: report.ended }),
    ...failureJson(report.failure),
    ...(report.surveyed && { coverage: plain(report.surveyed.coverage) }),
    counts: report.counts,
    classes: { ...sums.classes },
    beside: { ...sums.beside },
    policies: tabulateRun(report).map((row) => {
      const { policy, verified, failed } = row;
      return { policy, columns: { ...addColumns([row]) }, verified, failed };
    }),
    noted: sums.noted,
    notRead: countUnread(report),
    attempts: report.attempts,
    ...(report.withdrawn !== undefined && { withdrawn: report.withdrawn }),
    ...(report.requests && { requests: plain(report.requests) }),
    ...(report.unrecorded && { unrecorded: plainList(report.unrecorded) }),
    anomalies: report.anomalies,
    leftOpen: (report.leftOpen ?? []).map((left) => told(left, options.now)),
    settledBeside: (report.closedBeside ?? []).map((left) => told(left, options.now)),
    refused: plainList(report.refused ?? []),
    stops: (report.stops ?? []).map((stop) => told(stop, options.now)),
    endings: report.endings.map((ending) => endingJson(ending, options.now)),
  };
}

/** Members that code has in milliseconds and JSON as RFC 3339; of `finish`, all that it has. */
const INSTANTS: ReadonlySet<string> = new Set(
  'againFrom at attemptedAt breachesAt evaluatedAt finish from last lastNext lastSignAt mostAt next nextDue oldest readAt settledAt since startedAt takenAt to until'.split(
    ' ',
  ),
);

/** Data as JSON: instants as RFC 3339, and reasons in words too. Absent members stay absent. */
function told(data: object, now: Instant): JsonObject {
  const members = Object.entries(data).map(([name, value]: readonly [string, unknown]) => [
    name,
    toldMember(name, value, now),
  ]);
  return Object.fromEntries(members) as JsonObject;
}

function toldMember(name: string, value: unknown, now: Instant): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => toldMember(name, each, now));
  if (typeof value === 'number') return INSTANTS.has(name) ? formatInstant(value) : value;
  if (!isObject(value) || name === 'params') return value;
  const isReason = name === 'reason' || name === 'halted';
  if (isReason) return reasonJson(value as unknown as Reason, now);
  if (name !== 'finish') return told(value, now);
  return Object.fromEntries(
    Object.entries(value).map(([each, at]) => [each, toldMember(name, at, now)]),
  );
}

export function rehearsalJson(report: RehearsalReport): JsonObject {
  return told(report, report.from);
}

/** The explanation of one device. */
export function whyJson(why: Why): JsonObject {
  return told(why, why.evaluatedAt);
}

export function calendarJson({ from, to, entries }: CalendarView): JsonObject {
  return told({ from, to, horizon: formatDuration(to - from), entries }, from);
}

/** A status with its exit code, and how old what is open is. */
export function statusJson(view: StatusView): JsonObject {
  const { at, timeZone, readAt, torn, part, coverage, ledgerLost, clocksDiffer, refused } = view;
  const { policies, pauses, run, paused, inDoubt, unseen, inFlight, refusing } = view;
  const outcome = findAllClear(statusSituation(view)).exit;
  const aged = (all: readonly OpenStatus[] | undefined) =>
    all?.map((open) => ({ ...open, age: formatDuration(Math.max(0, at - open.since)) }));
  return {
    ...told({ at, timeZone, readAt, torn, part, outcome }, at),
    ...plain({ coverage, ledgerLost, clocksDiffer, refused }),
    ...(refusing && refusing.length > 0 && plain({ refusing })),
    ...told({ policies, pauses, run, paused }, at),
    ...told({ inDoubt: aged(inDoubt), unseen: aged(unseen), inFlight: aged(inFlight) }, at),
  };
}

/** Invalid documents also end a run; their problems are listed separately. */
function failureJson(failure: Error | undefined): JsonObject {
  if (failure instanceof WorldError) return errorJson(failure);
  return failure instanceof Bug ? bugJson(failure) : {};
}

function endingJson(ending: Ending, now: Instant): JsonObject {
  const { change, outcome } = ending;
  return {
    change: change.id,
    task: change.task,
    device: plain(change.device),
    at: plain(change.at),
    outcome,
    means: OUTCOME_WORDS[outcome].says,
    ...told(pick(ending, 'reason', 'detail', 'intentId', 'taskId', 'resultOnly', 'shown'), now),
  };
}

/** A reason with its instants as RFC 3339, and in words. */
function reasonJson(reason: Reason, now: Instant): JsonObject {
  const words = reasonWords(reason, { now, sink: asIs });
  return {
    ...told(pick(reason, 'code', 'why', 'since', 'next'), now),
    actor: findActor(reason),
    ...(reason.params && { params: reason.params as Values }),
    text: words.summary,
    todo: words.next,
  };
}

/** Types a model value, which is plain data already, as a JSON object. */
function plain(value: object): JsonObject {
  return value as JsonObject;
}

function plainList(values: readonly object[]): readonly JsonObject[] {
  return values as readonly JsonObject[];
}
