import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import { listPolicies } from '../../model/documents/policies.ts';
import type { Documents, Selector } from '../../model/documents/policy.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import type { Change } from '../../model/plan/change.ts';
import type { DroppedClass, Plan } from '../../model/plan/plan.ts';
import { matchesAny } from '../../lib/glob.ts';
import { getOrAdd } from '../../lib/maps.ts';
import type { Planned } from '../input.ts';
import { deviceFacets } from '../../desired/facets.ts';
import { createMatcher } from '../../desired/matcher.ts';
import {
  changedEntries,
  placeKey,
  type ChangedEntries,
  type ChangedLine,
} from './changed-entries.ts';
import { droppedClassKey, unmentioned } from './counterfactual.ts';

/** Both sides of a comparison. */
export interface ComparedDocuments extends Partial<Pick<Planned, 'noted'>> {
  readonly before: Documents;
  readonly after: Documents;
  /** The name of the base: a branch or a commit. */
  readonly base: string;
  readonly snapshot: Snapshot;
}

/**
 * A compared plan with lines: each change that the branch causes or drops, and each removed one,
 * gets the changed lines of the entries that it uses on either side: the policies and exceptions
 * that select its device, their groups, windows and rollouts, its site, its freezes and budgets. A
 * removed line has its location in the base. `earlier`: the changes of the base.
 */
export function withChangedLines(
  plan: Plan,
  earlier: Iterable<Change>,
  compared: ComparedDocuments,
): Plan {
  const linesOf = findLines(compared);
  const dropped = new Map<string, Map<string, SourceLocation>>();
  for (const change of unmentioned(earlier, plan.changes, compared.noted)) {
    const key = droppedClassKey(change);
    const found = dropped.get(key) ?? new Map<string, SourceLocation>();
    for (const place of linesOf(change)) found.set(placeKey(place), place);
    dropped.set(key, found);
  }
  const { base } = plan;
  return {
    ...plan,
    changes: {
      length: plan.changes.length,
      *[Symbol.iterator]() {
        for (const change of plan.changes) {
          const isOfBranch = change.group === 'branch' || change.group === 'dropped';
          const lines = isOfBranch ? linesOf(change) : NONE;
          yield lines.length > 0 ? { ...change, lines } : change;
        }
      },
    },
    ...(base && {
      base: { ...base, gone: base.gone.map((theClass) => droppedWithLines(theClass, dropped)) },
    }),
  };
}

/** A class of removed changes has the lines of all its changes. */
function droppedWithLines(
  theClass: DroppedClass,
  dropped: ReadonlyMap<string, ReadonlyMap<string, SourceLocation>>,
): DroppedClass {
  const lines = [...(dropped.get(droppedClassKey(theClass))?.values() ?? [])].slice(0, MOST_LINES);
  return lines.length > 0 ? { ...theClass, lines } : theClass;
}

/** The maximum of lines for one change, because a saved plan has each change on one line. */
const MOST_LINES = 100;

type Places = readonly SourceLocation[];
const NONE: Places = [];

/** An entry with changed lines, of its own or of what it refers to, and what it applies to. */
interface ChangedUse {
  readonly lines: readonly ChangedLine[];
  /** Absent: every device. */
  readonly select?: Selector;
  /** Absent: every task. */
  readonly tasks?: readonly TaskType[];
  /** A policy of discovered devices applies to the changes that name it. */
  readonly onboards?: string;
}

/** Finds the changed lines that a change uses. Changes that use the same lines share one list. */
function findLines({
  before,
  after,
  base,
  snapshot,
}: ComparedDocuments): (change: Change) => Places {
  const changed = changedEntries(before, after, base);
  const sides = [before, after].map((documents) => usesIn(documents, changed, snapshot));
  const known = new Map<string, Places>();
  return (change) => {
    const { id } = change.device;
    const lines = sides.flatMap((usesOf) => usesOf(change));
    for (const site of sitesOf(id, snapshot)) lines.push(...(changed.get(`sites.${site}`) ?? []));
    const isOwn = ({ item = id }: ChangedLine) => item === id || item === placeKey(change.at);
    const places = new Map(
      lines.filter(isOwn).map(({ place }) => [placeKey(place), place] as const),
    );
    const key = [...places.keys()].join('\n');
    return getOrAdd(known, key, () => [...places.values()].slice(0, MOST_LINES));
  };
}

/** Finds the changed lines of the entries of one side that apply to a change. */
function usesIn(
  documents: Documents,
  changed: ChangedEntries,
  { devices }: Snapshot,
): (change: Change) => ChangedLine[] {
  const uses = [...changedUses(documents, changed)];
  const selectors = uses.map(({ select = {} }) => select);
  const match = createMatcher(selectors, deviceFacets(documents, devices));
  return ({ task, policy, losers = [], device }) => {
    const row = devices.rowOf(device.id);
    const matched = row !== undefined && match(row);
    return uses
      .filter(({ select, tasks, onboards }, index) => {
        if (tasks?.includes(task) === false) return false;
        if (onboards !== undefined)
          return onboards === policy || losers.some((loser) => loser.policy === onboards);
        if (!matched) return select === undefined;
        return matched.sure.includes(index) || matched.unclear.includes(index);
      })
      .flatMap(({ lines }) => lines);
  };
}

function* changedUses(documents: Documents, changed: ChangedEntries): Generator<ChangedUse> {
  const { freezes, budgets, exceptions, groups, rollouts } = documents;
  const linesOf = (address: string, value: unknown): readonly ChangedLine[] => {
    const globs = [...groupGlobs(value)];
    const used = [...groups.keys()].filter((name) => matchesAny(globs, name));
    return [address, ...used.map((name) => `groups.${name}`)].flatMap(
      (each) => changed.get(each) ?? [],
    );
  };
  for (const { value } of listPolicies(documents)) {
    const { address, windows, rollout = '' } = value;
    const lines = [
      ...linesOf(address, value),
      ...windows.flatMap((name) => changed.get(`windows.${name}`) ?? []),
      ...linesOf(`rollouts.${rollout}`, rollouts.get(rollout)?.value),
    ];
    const tasks = [value.task];
    if (lines.length === 0) continue;
    if (value.section === 'onboarding') yield { lines, tasks, onboards: address };
    else yield { lines, tasks, select: value.select };
  }
  for (const [section, entries] of Object.entries({ exceptions, freezes, budgets }))
    for (const { name, value } of entries.values()) {
      const lines = linesOf(`${section}.${name}`, value);
      if (lines.length > 0) yield { ...value, lines };
    }
}

/** The globs of every `group` of the selectors in a value. */
function* groupGlobs(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  const { group = [] } = value as { readonly group?: readonly string[] };
  yield* group;
  for (const member of Object.values(value)) yield* groupGlobs(member);
}

/** The names and IDs of the sites of a device, as the documents may name them. */
function sitesOf(deviceId: string, { devices }: Snapshot): readonly string[] {
  const row = devices.rowOf(deviceId);
  const refs = row === undefined ? [] : devices.sites.values[devices.sites.codes[row] ?? 0];
  return (refs ?? []).flatMap(({ id, name }) => (name === undefined ? [id] : [id, name]));
}
