import { UNWANTED, withdrawalRecords } from '../../ledger/approval-records.ts';
import { FLEET, policyOfScope } from '../../model/ledger/scopes.ts';
import { reportStop, type StopReport } from '../../model/ledger/stopped.ts';
import type { Followed } from '../../rollout/progress/followed.ts';
import { unreachable } from '../../lib/bug.ts';
import { parseInstant, formatInstant, type Instant, type Milliseconds } from '../../lib/time.ts';
import { WorldError, type WorldCode } from '../../model/error.ts';
import type { Change } from '../../model/plan/change.ts';
import type { ReasonCode } from '../../model/plan/reason.ts';
import type { RunReport } from '../../model/ledger/run-report.ts';
import { sumRun } from '../../model/ledger/run-table.ts';
import type { LedgerRecord, RecordBody, RunEnd } from '../../model/ledger/record.ts';
import { findSighting } from '../../model/ledger/sightings.ts';
import type { Journal } from '../../model/ports.ts';
import { ONLINE_AGAIN } from '../../rollout/budgets/down.ts';
import { dueRecords } from '../../rollout/progress/rollout-records.ts';
import { OBSERVERS } from '../../plan/observe/observers.ts';
import { record } from '../outbox/outbox.ts';
import type { Ports } from '../ports.ts';
import type { Survey } from '../reading.ts';
import { account, type ReportInput } from './accounting.ts';
import { attempt } from './attempt.ts';
import type { Command } from './command.ts';
import { findNextWake } from './next-wake.ts';
import { advance, FIRST_COMMAND, START, type RunState } from './machine.ts';
import { findUnreadDetail } from '../in-flight.ts';
import { createRun, type ExecuteInput, type Run, beating, sleepUntil } from './run.ts';
import type { Ended, RunEvent } from './run-event.ts';
import { countPolicies } from './policy-progress.ts';
import { recordProgress } from './rollouts.ts';
import { Interrupted, orGrace, stoppable, untilStopped } from '../stop.ts';
import { recoverOnce, pollInFlight } from './poll.ts';
import { planRecords } from '../send/request.ts';
import { describeSurvey } from './surveyed.ts';
import { divideWork } from './work.ts';

export type { ExecuteInput } from './run.ts';
export type { Survey } from '../reading.ts';

/**
 * How a run ends whose ledger or service is unusable, or that lost its lease; any other code is an
 * error.
 */
const ENDED_BY: Readonly<Partial<Record<WorldCode, Ended>>> = {
  locked: 'locked',
  leaseLost: 'locked',
  planExpired: 'stale',
  planForeign: 'stale',
  planStale: 'stale',
  storeFailed: 'unfit',
  ledgerUnfit: 'unfit',
  ledgerBroken: 'unfit',
  ledgerForeign: 'unfit',
  ledgerNewer: 'unfit',
  ledgerRolledBack: 'unfit',
  permissionsChanged: 'unfit',
  clockSkew: 'unfit',
  branchUnclear: 'unfit',
};

/**
 * The limit of SEEN records in one append, because a large fleet has more than one append can
 * carry.
 */
const PER_APPEND = 500;

/**
 * One run of apply: executes the machine's commands with the ports until nothing more may start and
 * nothing is in progress (protocol X14). The caller has taken the lease; this function releases it,
 * unless a second signal asks to end at once. Never rejects: the report has every change, however
 * the run ends, and `failure` has the error, internal errors included, for the caller to throw.
 */
export async function execute(input: ExecuteInput): Promise<RunReport> {
  const run = createRun(input, stoppable(input.service, input.stop));
  const ended = await live(run, input);
  let told: RunReport | undefined;
  try {
    if (run.stop.requested !== 'now') await lookBack(run, input);
    if (run.stop.requested !== 'now') told = await leave(run, ended);
  } catch (error) {
    return report(run, failedAtEnd(run, ended, asError(error)));
  }
  const { failure } = run.outbox;
  return told ?? report(run, failure ? failedAtEnd(run, ended, failure) : ended);
}

/** Why a run ended, in the order in which it counts (protocol Z3). */
const BY_WEIGHT: readonly Ended[] = [
  'error',
  'unfit',
  'locked',
  'stale',
  'unapproved',
  'guardrail',
  'overtaken',
  'interrupted',
];

/**
 * How a run ends whose last records could not be written (protocol X16): an interruption, say, does
 * not hide that the ledger lacks what was done.
 */
function failedAtEnd(run: Run, ended: Ended | undefined, failure: Error): Ended {
  const last = endedBy(failure);
  if (ended !== undefined && BY_WEIGHT.indexOf(ended) <= BY_WEIGHT.indexOf(last)) return ended;
  run.health.failure = failure;
  return last;
}

async function live(run: Run, input: ExecuteInput): Promise<Ended | undefined> {
  let state: RunState = { ...START, waitsUntil: run.waitsUntil };
  let command = FIRST_COMMAND;
  let shownAt = -Infinity;
  while (command.do !== 'finish') {
    const event = await perform(run, command, input).catch((error: unknown) => stopped(run, error));
    ({ state, command } = advance(state, event, run.clock.now()));
    const isDue = command.do === 'finish' || run.clock.monotonic() - shownAt >= SHOWN_EVERY_MS;
    if (!COUNTED_AFTER.has(event.is) || !isDue) continue;
    showPolicies(run, state, command);
    shownAt = run.clock.monotonic();
  }
  return state.ended;
}

/** Events after which other changes have ended, run or wait. */
const COUNTED_AFTER: ReadonlySet<RunEvent['is']> = new Set([
  'surveyed',
  'attempted',
  'polled',
  'stopped',
]);

/** All changes are counted for it, so batches that follow each other closely share one. */
const SHOWN_EVERY_MS: Milliseconds = 200;

function showPolicies(run: Run, { queue, parked }: RunState, command: Command): void {
  const policies = countPolicies(run, [...queue, ...parked]);
  const perSecond = run.documents.service.value.pace.requestsPerSecond;
  const isLast = command.do === 'finish';
  const counted = { policies, perSecond, ...(isLast && { isLast }) };
  if (policies.length > 0) run.progress({ type: 'phase', name: 'applying', ...counted });
}

async function perform(run: Run, command: Command, input: ExecuteInput): Promise<RunEvent> {
  switch (command.do) {
    case 'recover':
      run.sampled.clear();
      return recoverOnce(run);
    case 'survey':
      return readFleet(run, input, command.tasksEnded && endsWell(run));
    case 'attempt':
      return attempt(run, command);
    case 'poll':
      return pollInFlight(run, command.all);
    case 'findWake':
      return findNextWake(run);
    case 'sleep':
      await renewBefore(run, input, command.until);
      return { is: 'slept', anew: await sleepUntil(run, command) };
    case 'finish':
      return { is: 'slept' };
    default:
      return unreachable(command);
  }
}

/** Uses a wait for reads that nothing waits for; what fails there is never an error of the run. */
async function renewBefore(run: Run, { renew }: ExecuteInput, until: Instant): Promise<void> {
  if (!renew || run.health.absence || run.outbox.size > 0) return;
  const reading = renew(until).catch(() => undefined);
  await beating(run, untilStopped(reading, run.stop.draining));
}

/** Any error ends the run, like a request to stop (protocol Z4). */
function stopped(run: Run, error: unknown): RunEvent {
  const ended = endedBy(error);
  if (ended === 'interrupted')
    run.progress({ type: 'phase', name: 'stopping', unrecorded: run.outbox.size });
  else run.health.failure = asError(error);
  return { is: 'stopped', ended };
}

/** Whether all that was to start is verified in a recent reading, and nothing waits for what only a reading shows. */
function endsWell({ clock, outcomes, reading, journal, documents }: Run): boolean {
  const { confidence, takenAt } = reading.snapshot;
  const isRecent = takenAt <= clock.now() && clock.now() < takenAt + SERVES;
  const open = documents.onboarding.size + documents.restarts.size + journal.memory.open().length;
  const isVerified = (id: string): boolean => outcomes.said.get(id)?.outcome === 'verified';
  const isWell = ({ id, action, reason: { code, next } }: Change): boolean => {
    if (action === 'run') return isVerified(id);
    return next !== undefined || !WAITS_FOR_OTHERS.has(code);
  };
  const isSound = isRecent && confidence !== 'torn' && open === 0;
  return isSound && [...outcomes.sinceSurvey].every(isVerified) && reading.work.every(isWell);
}

/** What a change waits for that is about other devices than its own. */
const WAITS_FOR_OTHERS: ReadonlySet<ReasonCode> = new Set([
  'waveNotOpen',
  'gatePending',
  'orderPending',
  'budgetExhausted',
  'apiBudget',
  'correlatedOutage',
]);

/** So long after its begin a reading of the fleet serves the end of a run. */
const SERVES: Milliseconds = 60 * 60_000;

/** Plans the last reading again where the ledger has by now what its plan does not know: a stop, a doubt, a gate sample. */
async function lookBack(run: Run, input: ExecuteInput): Promise<void> {
  const { reading, journal, outcomes } = run;
  if (!reading.survey || !journal.isHeld() || !hasNews(reading.survey, journal.since)) return;
  const planning = input.survey(run.approved, reading.listsNow());
  const survey = await orGrace(planning, run).catch((error: unknown) => {
    // A read that fails says nothing about what was done.
    if (!(error instanceof WorldError || error instanceof Interrupted)) throw error;
  });
  if (!survey || survey === 'late') return;
  reading.replace(survey);
  const mine = new Set(reading.work.map(({ id }) => id));
  for (const { id, action } of survey.plan.changes)
    if (action === 'run' && mine.has(id) && !outcomes.sinceSurvey.has(id)) outcomes.reopen(id);
}

/**
 * Whether a plan may say something else by the records after it. A wave that its reading has closed is closed in it
 * before that is on record, a gate that its reading fails stays shut, and a device that reads online once stays down
 * (protocol X14).
 */
function hasNews({ plan, followed = new Map() }: Survey, since: Journal['since']): boolean {
  const { seq: last } = plan.inputs.ledger;
  const closed = [...followed.values()].flatMap((one) => dueRecords(one, 0).passed);
  const isKnown = ({ body }: LedgerRecord): boolean => {
    if (body.type !== 'SEEN') return body.type === 'BEAT';
    if (body.what === ONLINE_AGAIN) return body.value === 'once';
    if (body.what === 'gateSample') return body.value !== 'good';
    return body.what === 'wavePassed' && closed.some(({ subject }) => subject === body.subject);
  };
  return since.some((record) => record.seq > last && !isKnown(record));
}

/**
 * A reading of the fleet, or at the end the last one with the rows read since, and its plan, compared with the approved
 * plan and checked by the guardrails (protocol X14).
 */
async function readFleet(run: Run, input: ExecuteInput, isRead = false): Promise<RunEvent> {
  const { reading } = run;
  const lists = isRead ? reading.listsNow() : undefined;
  const surveying = input.survey(run.approved, lists);
  const survey = await beating(run, untilStopped(surveying, run.stop.draining));
  run.reading.replace(survey);
  refuseClocks(run, survey);
  await withdrawUnwanted(run, survey);
  const { candidates, ended } = divideWork(run, survey);
  const refused = run.reading.refusals(() => run.reading.work);
  if (refused.length > 0) {
    run.outcomes.refused = refused;
    return { is: 'surveyed', queue: [], ended: 'guardrail' };
  }
  await observe(run, survey);
  await recordProgress(run);
  return { is: 'surveyed', queue: candidates, ...(ended && { ended }) };
}

/** Throws where the clocks differ too much, also where nothing would start: what the run records would have false dates (protocol Y10). */
function refuseClocks({ inFlight }: Run, { plan }: Survey): void {
  const skew = plan.warnings.find(({ code }) => code === 'clocksDiffer');
  if (skew && inFlight.awaited() === 0) throw new WorldError('clockSkew', skew.params);
}

/**
 * Takes back what the documents no longer require, before all else: a later commit that requires it again
 * needs another approval (semantics N77).
 */
async function withdrawUnwanted(run: Run, { plan, unwanted = [] }: Survey): Promise<void> {
  if (unwanted.length === 0) return;
  const who = run.journal.memory.lease?.label ?? '';
  const why = plan.inputs.commit === undefined ? UNWANTED : `${UNWANTED} ${plan.inputs.commit}`;
  await record(run, withdrawalRecords(unwanted, { who, why }));
  run.outcomes.withdrawn += unwanted.length;
}

/**
 * Appends the facts that no later reading can show, as SEEN records, which the next plan uses.
 * Without a new fact it appends nothing.
 */
async function observe(run: Ports, { snapshot, plan }: Survey): Promise<void> {
  const { documents, clock, journal } = run;
  const { memory } = journal;
  const surveyed = { documents, snapshot, memory, changes: plan.changes, now: clock.now() };
  const seen = OBSERVERS.flatMap((observer) => [...observer(surveyed)]).map(
    ({ seenAt, ...seen }): RecordBody => {
      return { type: 'SEEN', ...seen, seenAt: formatInstant(seenAt) };
    },
  );
  for (let from = 0; from < seen.length; from += PER_APPEND)
    await record(run, seen.slice(from, from + PER_APPEND), isNews);
}

/** Another run may have recorded the same fact meanwhile. */
function isNews(body: RecordBody, memory: Ports['journal']['memory']): boolean {
  if (body.type !== 'SEEN') return true;
  const known = findSighting(memory, body.what, body.subject);
  return known === undefined || known.value !== (body.value ?? '');
}

/**
 * Releases the lease, with the counts of the report. An earlier append of this run without a clear
 * answer may still succeed until an append is acknowledged; a later step then corrects its entry
 * about an attempt that was never sent.
 * @returns the report whose counts are on record; undefined where another one has to say what came after them
 */
async function leave(run: Run, ended: Ended | undefined): Promise<RunReport | undefined> {
  const { outbox, journal, outcomes, approved } = run;
  await outbox.flushAtEnd();
  const isRefused = approved !== undefined && (sumRun(report(run, ended)).classes.stale ?? 0) > 0;
  if (isRefused) await orGrace(recordRefused(run), run);
  let told: RunReport | undefined;
  const end = (): RunEnd => {
    told = report(run, ended);
    const coverage = told.surveyed?.onRecord;
    const hasPlan = (outcomes.answersFor ?? approved) !== undefined;
    return { ...(hasPlan && { sums: sumRun(told) }), ...(coverage && { coverage }) };
  };
  await orGrace(journal.release(end), run);
  if (outbox.size + outbox.unsent === 0) return told;
  await outbox.flushAtEnd();
  return undefined;
}

/**
 * A run of an approved plan that skipped stale changes records its plan and who approved it, even
 * if it attempted nothing: its note and the audit by commit need that (protocol Z7). A run without
 * an approved plan makes a new plan each time and would repeat the record each night. A run that a
 * guardrail refused ended earlier and records nothing.
 */
async function recordRefused(run: Run): Promise<void> {
  if (run.outcomes.attempts === 0 && run.outcomes.refused.length === 0)
    await record(run, planRecords(run));
}

/** Ends of a run that nothing failed in. */
const WITHOUT_FAILURE: ReadonlySet<Ended> = new Set(['interrupted', 'guardrail', 'overtaken']);

/** The report has a failure only where it ended the run, not where the run recovered from it. */
function report(run: Run, ended: Ended | undefined): RunReport {
  const { approved, outcomes, inFlight, outbox } = run;
  const { answersFor, said, anomalies, attempts, withdrawn, refused } = outcomes;
  const { failure } = run.health;
  const isByFailure = ended !== undefined && !WITHOUT_FAILURE.has(ended);
  const stops = stopsAtEnd(run);
  const accounted = account({
    plan: answersFor ?? approved,
    last: lastPlan(run),
    ...(stops.length > 0 && { stops }),
    approved: approved !== undefined,
    said,
    memory: run.journal.memory,
    anomalies,
    attempts,
    withdrawn,
    unrecorded: outbox.unrecorded(),
    unread: (intent) => findUnreadDetail(inFlight.of(intent)),
    touched: new Set([...outcomes.touched, ...inFlight.intentIds]),
    ...(ended && { ended }),
    ...(isByFailure && failure && { failure }),
    ...(ended === 'guardrail' && { refused }),
  });
  const surveyed = describeSurvey(run, accounted.endings);
  const isFile = approved !== undefined && (run.approval?.by ?? 'file') === 'file';
  return { ...accounted, ...(surveyed && { surveyed }), ...(isFile && { isFile }) };
}

/** The plan of the last reading; undefined in a run that only finishes tasks, or had none. */
function lastPlan({ approved, outcomes, reading }: Run): ReportInput['last'] {
  const { plan } = reading.survey ?? {};
  if (!plan?.coverage) return undefined;
  const { id, changes, notes } = plan;
  const ids = approved && new Set(reading.work.map((change) => change.id));
  return { id, changes, notes, since: outcomes.sinceSurvey, ...(ids && { approved: ids }) };
}

/** The stop rules in force for the policies of the last reading, with what they hold. */
function stopsAtEnd({ reading, journal }: Run): readonly StopReport[] {
  const { memory } = journal;
  const { survey } = reading;
  const rollouts = survey ? reading.followNow() : new Map<string, Followed>();
  return [...memory.stops.values()]
    .filter((stop) => {
      const policy = policyOfScope(stop.scope);
      if (policy === FLEET) return true;
      const digest = rollouts.get(policy)?.input.targetDigest;
      return digest !== undefined && (stop.wish ?? digest) === digest;
    })
    .map((stop) => {
      const isLater = survey && (parseInstant(survey.plan.evaluatedAt) ?? 0) >= stop.at;
      return reportStop(stop, { memory, ...(isLater && { changes: survey.plan.changes }) });
    });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** How a run ends after this error. */
export function endedBy(error: unknown): Ended {
  if (error instanceof Interrupted) return 'interrupted';
  return (error instanceof WorldError ? ENDED_BY[error.code] : undefined) ?? 'error';
}
