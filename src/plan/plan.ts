import { compileSelector } from '../desired/select.ts';
import { sharedZone } from '../calendar/site-zone.ts';
import { desire } from '../desired/desire.ts';
import type { Changes, NoteClass } from '../model/plan/change.ts';
import { kindsIn } from '../model/plan/change-rows.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';
import { type Counts, PLAN_VERSION } from '../model/plan/plan.ts';
import type { Documents, Selector } from '../model/documents/policy.ts';
import { policiesByAddress } from '../model/documents/policies.ts';
import { pauseNotes } from '../model/ledger/pauses.ts';
import { lostPlaces } from '../model/ledger/scopes.ts';
import { compareTexts } from '../lib/text-order.ts';
import { pick } from '../lib/objects.ts';
import { formatInstant } from '../lib/time.ts';
import type { Desired } from '../model/plan/desired-state.ts';
import { acknowledge } from './acknowledge.ts';
import { admit } from './admit/admit.ts';
import { lateUpgrades } from './observe/approvals.ts';
import { measureCoverage } from './coverage.ts';
import { blockedBudgets } from './findings/blocked.ts';
import { prepare, withBudgets, type Tracked } from './decide/decision-input.ts';
import type { Drafts } from './draft-table.ts';
import { draft } from './drafts.ts';
import { hiddenEffects } from './findings/effects.ts';
import { endedExceptions, endingExceptions } from './findings/ending-exceptions.ts';
import { doubtfulGenerations } from './findings/generations.ts';
import { factNotices } from './findings/fact-notices.ts';
import { lateRollouts } from './findings/late.ts';
import { forecast, type Forecast, type ForecastInput } from './forecast/forecast.ts';
import { exceptionEffects } from './findings/exception-effects.ts';
import { planId } from './identify.ts';
import type { FindingInput, Planned, PlannerInput } from './input.ts';
import { overdueListings } from './observe/listings.ts';
import { planOrder } from './order.ts';
import { nameOutsideWaves, planPart } from './part/plan-part.ts';
import { nameFindings } from './findings/names.ts';
import { orderGaps } from './findings/orders.ts';
import { pinsBelowFloor } from './findings/pins.ts';
import { createIncidentFindings } from './findings/incidents.ts';
import { createReach } from './findings/reach.ts';
import { renewalLoops } from './findings/renewals.ts';
import { doubtfulRollouts } from './findings/rollout-findings.ts';
import { statedOrders } from './findings/stated-orders.ts';
import { openPredecessors } from './decide/predecessors.ts';
import { startJudging } from './decide/judging.ts';
import { assignRollouts } from './decide/rollouts.ts';
import { unreadableRows } from './findings/unreadable-rows.ts';
import { listPlanWaves } from './waves.ts';
import { asWarnings, findRefusals, refuseChanges } from './refusals.ts';

export type { Approval, Planned, PlannerInput } from './input.ts';

/**
 * The changes that apply would make, and why: every desired state is decided, put in order, and
 * gets its share or waits. The same input gives the same plan; this reads neither devices nor a
 * clock.
 */
export function plan(input: PlannerInput): Planned {
  const planned = decideOnce(input);
  // An exception may have its effect outside the part.
  const { part: _part, ...whole } = input;
  const compared = input.part && input.documents.exceptions.size > 0 ? decideOnce(whole) : planned;
  const members = (selector: Selector) => compileSelector(selector, input);
  const without = (documents: Documents) => decideOnce({ ...whole, documents });
  return withFindings(planned, exceptionEffects({ ...input, members }, compared, without));
}

/** A plan with more problems, sorted in. */
export function withFindings(planned: Planned, found: readonly Diagnostic[]): Planned {
  if (found.length === 0) return planned;
  const diagnostics = inOrder([...planned.diagnostics, ...found]);
  return {
    ...planned,
    diagnostics,
    plan: { ...planned.plan, warnings: pickWarnings(diagnostics) },
  };
}

/** The changes of the part that is planned, in order, and those outside it. */
function divide({ part }: PlannerInput, { keys, isInPart }: Drafts) {
  const all = planOrder(keys);
  if (!part) return { all, order: all, outside: new Uint32Array() };
  return { all, order: all.filter(isInPart), outside: all.filter((index) => !isInPart(index)) };
}

/** Every decision before shares are assigned, with what observed them. */
function decideAll(whole: Tracked, desired: Desired) {
  const incidents = createIncidentFindings(whole);
  const reach = createReach(whole);
  const observers = [reach.observe, incidents.observe];
  const judging = startJudging(whole, desired, { rest: reach.rest, observers });
  const precede = openPredecessors(whole, desired, judging);
  const follow = assignRollouts(whole, desired, { judging, predecessors: precede?.(whole) });
  const followed = follow(whole);
  const predecessors = precede?.({ ...whole, followed });
  const known = { ...whole, followed, ...(predecessors && { predecessors }) };
  const drafts = draft(known, desired, judging);
  return { known, precede, follow, followed, incidents, reach, drafts };
}

function decideOnce(input: PlannerInput): Planned {
  const desired = desire(input);
  const whole = withBudgets(prepare(input));
  const decided = decideAll(whole, desired);
  const { known, precede, follow, followed, incidents, reach, drafts } = decided;
  const { columns, notes, hours, jobs } = drafts;
  const { all, order, outside } = divide(input, drafts);
  const { members } = whole;
  const seen = reach.findings();
  const changes = columns.view(order);
  const doubtful = [...doubtfulRollouts(input, followed, changes)];
  const named = [...nameFindings(input)];
  const refusing = [...desired.diagnostics, ...seen, ...doubtful, ...named];
  refuseChanges(drafts, findRefusals(refusing, input.documents));
  const free = admit(drafts, { order, outside, jobs }, whole);
  acknowledge(columns, drafts.acknowledged);
  nameOutsideWaves(columns, order, { ...input, followed });
  const noteClasses = notes.classes();
  const parts = { input: known, order, jobs, followed };
  const foretold = foretell(drafts, noteClasses, { ...parts, changes });
  const blocked = blockedBudgets({ ...input, members }, changes);
  const found = [
    ...findingsIn({ ...input, members }, desired, changes),
    ...orderGaps(known, changes),
  ];
  const ahead = [
    ...lateRollouts(foretold.ended, input.documents),
    ...incidents.findings(changes, { ...input, foretold }),
  ];
  const diagnostics = inOrder(
    asWarnings([...found, ...blocked, ...seen, ...doubtful, ...named, ...ahead], input.documents),
  );
  const part = planPart(input, { ...drafts.outside(), run: free });
  const listed = part ? { changes: columns.view(all), own: changes } : { changes };
  const waves = listPlanWaves(listed, followed, foretold.opensAt);
  const open = hours.hoursFor(waves);
  const pauses = pauseNotes(input.memory, input.now, {
    sites: [...input.snapshot.sites, ...input.snapshot.devices.sites.values.flat()],
    addresses: policiesByAddress(input.documents),
    lostPlace: lostPlaces(input.snapshot),
  });
  const due = drafts.due.find();
  const unselecting = desired.diagnostics.flatMap(({ code, params }) =>
    code === 'selectsNothing' ? [String(params['policy'])] : [],
  );
  const decisions = { changes, notes, classes: noteClasses, due, unselecting };
  return {
    plan: {
      version: PLAN_VERSION,
      id: planId(changes, input.inputs.service.fingerprint, input.part),
      evaluatedAt: formatInstant(input.now),
      ...sharedZone(input.documents.sites, input.snapshot.sites),
      expiresAt: formatInstant(input.now + input.expiresAfter),
      inputs: input.inputs,
      ...(pauses.length > 0 && { pauses }),
      ...(part && { part }),
      changes,
      notes: noteClasses,
      waves,
      dates: foretold.dates,
      ...(open && { hours: open }),
      coverage: measureCoverage(input, decisions),
      verdicts: [],
      counts: countChanges(changes, noteClasses),
      warnings: pickWarnings(diagnostics),
    },
    diagnostics,
    noted: notes.of,
    pending: drafts.pending,
    debts: drafts.debts.byPolicy,
    ...approvalParts(input, drafts),
    courseOf: foretold.courseOf,
    ...pick(known, 'followed', 'predecessors'),
    ...(followed.size > 0 && { follow }),
    ...(precede && { precede }),
  };
}

/** The forecast of the decisions; what waits for others that only a person lets go on needs one, too. */
function foretell(
  { columns, acknowledged }: Drafts,
  notes: readonly NoteClass[],
  parts: Omit<ForecastInput, 'unread'>,
): Forecast {
  const unread = new Set(
    notes.flatMap(({ reason, at }) => (reason.code === 'notRead' ? [at.policy] : [])),
  );
  const foretold = forecast({ ...parts, unread });
  for (const [index, reason] of foretold.stuck()) columns.decide(index, { reason });
  acknowledge(columns, acknowledged);
  return foretold;
}

/** How the changes were approved, and what is approved in vain. */
function approvalParts(
  { approvals }: PlannerInput,
  drafts: Drafts,
): Pick<Planned, 'approvals' | 'unwanted'> {
  const unwanted = drafts.unwanted();
  return { ...(approvals && { approvals }), ...(unwanted.length > 0 && { unwanted }) };
}

/** The warnings of the documents, the fleet and the changes, unordered. */
function* findingsIn(
  input: FindingInput,
  desired: Desired,
  changes: Changes,
): Generator<Diagnostic> {
  yield* input.documents.warnings;
  yield* endedExceptions(input, desired.diagnostics, changes);
  yield* doubtfulGenerations(input, desired);
  yield* unreadableRows(input);
  yield* factNotices(input);
  yield* hiddenEffects(input, changes);
  yield* overdueListings(input, desired);
  yield* lateUpgrades(input, changes);
  yield* renewalLoops(changes);
  yield* statedOrders(input, changes);
  yield* pinsBelowFloor(input, desired);
  yield* endingExceptions(input, desired, changes);
}

function countChanges(changes: Changes, notes: readonly NoteClass[]): Counts {
  const counts = { run: 0, wait: 0, skip: 0, note: 0 };
  for (const { change, count } of kindsIn(changes)) counts[change.action] += count;
  for (const { count } of notes) counts.note += count;
  return counts;
}

function pickWarnings(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'warning');
}

/** By location, then code, because the order in which files were read has no meaning. */
function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted(
    (a, b) =>
      compareTexts(a.at?.file ?? '', b.at?.file ?? '') ||
      (a.at?.line ?? 0) - (b.at?.line ?? 0) ||
      compareTexts(sortText(a), sortText(b)),
  );
}

function sortText({ at, code, params }: Diagnostic): string {
  return `${String(at?.column ?? 0).padStart(6, '0')} ${code} ${JSON.stringify(params)}`;
}
