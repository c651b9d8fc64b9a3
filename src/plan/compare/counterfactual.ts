import { getOrAdd } from '../../lib/maps.ts';
import { findColumn } from '../../model/plan/actor.ts';
import { type Change, type Changes, type ChangeGroup, isWanted } from '../../model/plan/change.ts';
import type { DroppedClass, Plan, PlanBase } from '../../model/plan/plan.ts';
import type { Reason, ReasonCode } from '../../model/plan/reason.ts';
import { approvedValues } from '../approved-fields.ts';
import { parseInstant } from '../../lib/time.ts';
import type { Planned } from '../input.ts';

/** The maximum of devices that a class of removed changes lists. */
const NAMED = 3;

/**
 * The plan with each change in a group, by the plan of a base commit on the same snapshot: caused
 * since then, already pending there, due by schedule, or no longer due. If the base has no documents
 * it has no plan, so every change was caused since. The groups are disjoint, and their counts add up
 * to the changes of the plan and the removed ones.
 */
export function compareWithBase(
  plan: Plan,
  base: Plan | undefined,
  about: Pick<PlanBase, 'ref' | 'commit' | 'behind'> & Partial<Pick<Planned, 'noted'>>,
): Plan {
  const { ref, commit, behind, noted } = about;
  const before = listOutcomes(base?.changes ?? []);
  const groupOf = (change: Change): ChangeGroup => groupAgainst(change, before.get(change.id));
  const counts = { branch: 0, pending: 0, clock: 0, dropped: 0 };
  let held = 0;
  for (const change of plan.changes) {
    counts[groupOf(change)] += 1;
    held += Number(isHeldBack(change, before.get(change.id)));
  }
  const earlier = countEarlier(plan.changes, base?.changes ?? [], groupOf);
  const where = behind?.tip === undefined ? ref : commit.slice(0, 12);
  const dropped = droppedFrom(unmentioned(base?.changes ?? [], plan.changes, noted), where);
  for (const { count } of dropped) counts.dropped += count;
  const documents = base && { documents: base.inputs.documents };
  return {
    ...plan,
    changes: {
      length: plan.changes.length,
      *[Symbol.iterator]() {
        for (const change of plan.changes) yield { ...change, group: groupOf(change) };
      },
    },
    base: {
      ref,
      commit,
      ...(behind && { behind }),
      ...documents,
      counts,
      ...(held > 0 && { held }),
      ...(earlier > 0 && { earlier }),
      gone: dropped,
    },
  };
}

interface Outcome {
  readonly wanted: boolean;
  readonly text: string;
}

/** Whether the base wants the same, and what documents say by a date or a name keeps it from a start now. */
function isHeldBack(change: Change, before: Outcome | undefined): boolean {
  if (!mayBeHeld(change) || before?.wanted !== true) return false;
  // A text ends with the approved values.
  const values = JSON.stringify(approvedValues(change)).slice(1);
  return before.text !== outcomeText(change) && before.text.endsWith(values);
}

/** How many changes that a request does not cause may start earlier than by the base, as far as a plan says. */
function countEarlier(
  changes: Iterable<Change>,
  earlier: Iterable<Change>,
  groupOf: (change: Change) => ChangeGroup,
): number {
  const starts = new Map<string, number>();
  for (const change of earlier)
    if (change.action === 'wait') starts.set(change.id, startOf(change));
  let count = 0;
  for (const change of starts.size > 0 ? changes : []) {
    const isCaused = ['branch', 'dropped'].includes(groupOf(change));
    count += Number(!isCaused && startOf(change) < (starts.get(change.id) ?? -Infinity));
  }
  return count;
}

function startOf({ action, reason: { next }, window }: Change): number {
  if (action === 'run') return -Infinity;
  if (next === 'never' || action !== 'wait') return Infinity;
  return next ?? parseInstant(window?.opens ?? '') ?? NaN;
}

const HELD = new Set<Reason['code']>(['frozen', 'frozenHard', 'hold']);

/**
 * Whether a change may be one that a request holds back: it starts later, because of a freeze or an exception. One that
 * needs a person as well, such as in a paused rollout, is counted there alone.
 */
export function mayBeHeld(change: Pick<Change, 'action' | 'reason' | 'task'>): boolean {
  return HELD.has(change.reason.code) && findColumn(change) === 'later';
}

/** Many changes differ only in their device, so each outcome is stored once. */
function listOutcomes(changes: Iterable<Change>): ReadonlyMap<string, Outcome> {
  const known = new Map<string, Outcome>();
  const outcomes = new Map<string, Outcome>();
  for (const change of changes) {
    const text = outcomeText(change);
    const outcome = getOrAdd(known, text, () => ({ wanted: isWanted(change), text }));
    outcomes.set(change.id, outcome);
  }
  return outcomes;
}

function groupAgainst(change: Change, before: Outcome | undefined): ChangeGroup {
  if (before?.text === outcomeText(change)) return change.cause === 'clock' ? 'clock' : 'pending';
  return before?.wanted === true && !isWanted(change) ? 'dropped' : 'branch';
}

/**
 * The fields by which a reviewer considers two changes equal: all approved ones, the action and its
 * reason. Without the location in the documents and without instants.
 */
export function outcomeText(change: Change): string {
  const { action, cause, reason } = change;
  return JSON.stringify([action, cause, reason.code, reason.why, ...approvedValues(change)]);
}

/** Wanted changes of the base that the plan does not list, and why: no policy selects them, or what is `noted`. */
export function* unmentioned(
  earlier: Iterable<Change>,
  changes: Changes,
  noted: Planned['noted'] = () => undefined,
): Generator<Change> {
  const mentioned = new Set<string>();
  for (const { id } of changes) mentioned.add(id);
  for (const change of earlier)
    if (isWanted(change) && !mentioned.has(change.id))
      yield { ...change, reason: goneReason(change, noted(change.task, change.device.id)) };
}

/** What is not due has a change only while an exception or a hard freeze holds it. */
function goneReason({ reason: { code, params } }: Change, now: ReasonCode = 'notSelected') {
  const by = code === 'hold' ? params?.['exception'] : params?.['freeze'];
  if (!HELD.has(code) || now !== 'notDue' || by === undefined) return { code: now };
  return {
    code,
    why: 'lifted',
    params: code === 'hold' ? { exception: by } : { freeze: by },
  } as const;
}

/** The key of a class of removed changes. */
export function droppedClassKey(of: Pick<Change, 'task' | 'cause' | 'at' | 'reason'>): string {
  return JSON.stringify([of.task, of.cause, of.at.policy, of.reason]);
}

/**
 * A removed change exists only in the documents of the base, so its location has the base's name,
 * as in git.
 */
function droppedFrom(changes: Iterable<Change>, ref: string): readonly DroppedClass[] {
  const classes = new Map<string, DroppedClass>();
  for (const change of changes) {
    const { task, cause, device, reason } = change;
    const at = { ...change.at, file: `${ref}:${change.at.file}` };
    const key = droppedClassKey(change);
    const { count, devices } = classes.get(key) ?? { count: 0, devices: [] };
    const named = devices.length < NAMED ? [...devices, device] : devices;
    classes.set(key, { task, at, cause, reason, count: count + 1, devices: named });
  }
  return [...classes.values()].sort((a, b) => b.count - a.count);
}
