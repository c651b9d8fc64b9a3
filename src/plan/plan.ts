import { compileSelector } from '../desired/select.ts';
import { desire } from '../desired/desire.ts';
import type { Changes, NoteClass } from '../model/change.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { needOf } from '../model/need.ts';
import type { Counts, PlanWave } from '../model/plan.ts';
import { PLAN_VERSION } from '../model/plan.ts';
import type { Selector } from '../model/policy.ts';
import type { Need } from '../model/snapshot.ts';
import { compareTexts } from '../model/text.ts';
import { formatInstant } from '../model/time.ts';
import { admit } from './admit.ts';
import { lateUpgrades } from './approvals.ts';
import { blockedBudgets } from './blocked.ts';
import { matterOf, withoutFacts } from './cases.ts';
import { draft } from './drafts.ts';
import { loweredGenerations } from './generations.ts';
import { isWanted, planId } from './identify.ts';
import type { Planned, PlannerInput } from './input.ts';
import { overdueListings } from './listings.ts';
import { orderOf } from './order.ts';
import { renewalLoops } from './renewals.ts';

export type { Planned, PlannerInput } from './input.ts';

/**
 * The per-device reads that the decision wants, before any of them was made; several may share a
 * key.
 */
export function needs(input: PlannerInput): readonly Need[] {
  const unread = withoutFacts(input);
  const wanted: Need[] = [];
  for (const wish of desire(unread).wishes) {
    const { kind, case: theCase } = matterOf(wish, unread);
    for (const read of kind.reads(theCase))
      wanted.push(needOf(read, theCase.device, input.dialect));
  }
  return wanted;
}

/**
 * What apply would do, and why: every wish is decided, put in order, and gets its share or waits.
 * Same input, same plan; nothing is read here, neither a device nor a clock.
 */
export function plan(input: PlannerInput): Planned {
  const desired = desire(input);
  const { columns, notes, keys } = draft(input, desired);
  const order = orderOf(keys);
  const members = (selector: Selector) => compileSelector(selector, input);
  admit(columns, order, { ...input, members });
  const changes = columns.view(order);
  const diagnostics = inOrder([
    ...desired.diagnostics,
    ...loweredGenerations(input, desired),
    ...overdueListings(input, desired),
    ...lateUpgrades(input, changes),
    ...renewalLoops(input, desired),
    ...blockedBudgets({ ...input, members }, changes),
  ]);
  const noteClasses = notes.classes();
  return {
    plan: {
      version: PLAN_VERSION,
      id: planId(changes),
      evaluatedAt: formatInstant(input.now),
      expiresAt: formatInstant(input.now + input.expiresAfter),
      inputs: input.inputs,
      changes,
      notes: noteClasses,
      waves: wavesOf(changes),
      verdicts: [],
      counts: countsOf(changes, noteClasses),
      warnings: diagnostics.filter(({ severity }) => severity === 'warning'),
    },
    diagnostics,
    noted: notes.of,
  };
}

function countsOf(changes: Changes, notes: readonly NoteClass[]): Counts {
  const counts = { run: 0, wait: 0, skip: 0, note: 0 };
  for (const { action } of changes) counts[action]++;
  for (const { count } of notes) counts.note += count;
  return counts;
}

/** The waves in the order of the plan, with how many changes are wanted in each. */
function wavesOf(changes: Changes): readonly PlanWave[] {
  const waves = new Map<string, PlanWave>();
  for (const change of changes) {
    if (!isWanted(change) || change.wave === undefined) continue;
    const { policy } = change.at;
    const key = `${policy} ${change.wave}`;
    waves.set(key, { policy, name: change.wave, changes: (waves.get(key)?.changes ?? 0) + 1 });
  }
  return [...waves.values()];
}

/** By place, then code: the order in which files were read says nothing. */
function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted(
    (a, b) =>
      compareTexts(a.at?.file ?? '', b.at?.file ?? '') ||
      (a.at?.line ?? 0) - (b.at?.line ?? 0) ||
      compareTexts(restOf(a), restOf(b)),
  );
}

function restOf({ at, code, params }: Diagnostic): string {
  return `${String(at?.column ?? 0).padStart(6, '0')} ${code} ${JSON.stringify(params)}`;
}
