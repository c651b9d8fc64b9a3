import { findColumn } from '../../model/plan/actor.ts';
import { groupBy, sumCounts } from '../../lib/group-by.ts';
import { compareTexts } from '../../lib/text-order.ts';
import type { Instant } from '../../lib/time.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { NoteClass } from '../../model/plan/change.ts';
import type { ChangeClass } from './change-class.ts';
import { stepKey, shareReason } from './shared-reason.ts';

/** Changes that need a person for the same reason, and the same next step. */
export interface NeedGroup {
  /** What all of them share of it. */
  readonly reason: Reason;
  /** The largest class, whose place is shown. */
  readonly first: ChangeClass;
  readonly count: number;
  readonly classes: readonly ChangeClass[];
  /** Largest first. */
  readonly policies: readonly { readonly policy: string; readonly count: number }[];
  readonly sites: number;
  /** Since when the oldest has been waiting, where known. */
  readonly since?: Instant;
}

/** What needs a person: changes, and devices that a policy names by their ID and nobody manages. */
export function foldNeeds(
  classes: readonly ChangeClass[],
  notes: readonly NoteClass[],
): readonly NeedGroup[] {
  const waiting = [...classes, ...notes.map(noteClass)].filter(
    (each) => findColumn(each) === 'person',
  );
  const groups = groupBy(waiting, ({ reason }) => stepKey(reason));
  return [...groups.values()]
    .map(foldNeed)
    .sort((a, b) => b.count - a.count || compareTexts(a.first.at.policy, b.first.at.policy));
}

/** A note in the form of a class; its device has nothing but an ID. */
function noteClass({ task, at, reason, count }: NoteClass): ChangeClass {
  const id = reason.params?.['entry'];
  return {
    task,
    action: 'note',
    cause: 'config',
    risk: 'low',
    at,
    reason,
    count,
    sinceDiffers: false,
    before: {},
    after: {},
    losers: [],
    places: [at],
    lines: [],
    digest: '',
    sites: [],
    devices: id === undefined ? [] : [{ id: String(id), own: {}, at }],
  };
}

function foldNeed(classes: readonly ChangeClass[]): NeedGroup {
  const sorted = classes.toSorted((a, b) => b.count - a.count);
  const byPolicy = groupBy(sorted, ({ at }) => at.policy);
  const [first] = sorted;
  if (!first) throw new RangeError('a need without changes');
  const sinces = sorted.flatMap(({ reason: { since } }) => (since === undefined ? [] : [since]));
  const { reason = first.reason } = shareReason(sorted.map((each) => each.reason));
  return {
    reason,
    first,
    count: sumCounts(sorted),
    classes: sorted,
    policies: [...byPolicy]
      .map(([policy, each]) => ({ policy, count: sumCounts(each) }))
      .sort((a, b) => b.count - a.count),
    sites: countSites(sorted),
    ...(sinces.length > 0 && { since: Math.min(...sinces) }),
  };
}

/** How many sites the classes have; devices without a site do not count. */
export function countSites(classes: readonly ChangeClass[]): number {
  const names = new Set(classes.flatMap(({ sites }) => sites.map(({ name }) => name)));
  names.delete('');
  return names.size;
}
