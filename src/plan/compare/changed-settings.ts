import { canonical, type Json } from '../../lib/canonical.ts';
import { memberAt } from '../../lib/objects.ts';
import { type ChangedSetting, leavesOf } from '../../model/documents/written-form.ts';
import { listPolicies } from '../../model/documents/policies.ts';
import { type Documents, POLICY_SECTIONS } from '../../model/documents/policy.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import { TASK_TYPES } from '../../model/fleet/task.ts';
import { changedMembers } from './changed-members.ts';
import { BUILT_IN_ROLLOUT, meaningsOf } from './entry-forms.ts';

/**
 * The values that a request changes, the variables that it newly reads, and how many devices had and have what protects
 * them (semantics D8, G10). Without a base every variable is new, and nothing else is compared.
 */
export function findSettings(
  base: { readonly documents: Documents } | undefined,
  after: Documents,
  snapshot?: Snapshot,
): readonly ChangedSetting[] {
  const before = base?.documents;
  const now = meaningsOf(after, before ?? after);
  const old = before && underNewNames(meaningsOf(before, after), now);
  const changed = [...new Set([...(old?.keys() ?? []), ...now.keys()])]
    .flatMap((address) => [...changesOf(address, [old?.get(address), now.get(address)])])
    .filter(({ at }) => before !== undefined || isVariable(at))
    .map((setting) => ({ ...setting, ...usersOf(setting, [before ?? after, after]) }));
  const members = before && snapshot ? changedMembers(before, after, snapshot) : [];
  return [...changed, ...members].sort((a, b) => (a.at < b.at ? -1 : 1));
}

/** Earlier policies by the addresses of those that continue them (semantics M23). */
function underNewNames(
  old: ReadonlyMap<string, Json>,
  now: ReadonlyMap<string, Json>,
): ReadonlyMap<string, Json> {
  const names = new Map<string, string>();
  for (const [address, policy] of now)
    for (const earlier of old.has(address) ? [] : [memberAt(policy, 'renamedFrom') ?? []].flat())
      if (old.has(String(earlier)) && !now.has(String(earlier)))
        names.set(String(earlier), address);
  return new Map([...old].map(([address, policy]) => [names.get(address) ?? address, policy]));
}

/** The names of the variables that payloads, the dialect and notifications read. */
export function variablesIn(documents: Documents): readonly string[] {
  return [...meaningsOf(documents, documents).values()]
    .flatMap((meaning) => [...leavesOf(meaning)])
    .flatMap(([path, name]) => (isVariable(path) ? String(name) : []));
}

const isVariable = (at: string): boolean => at.endsWith('.fromEnv');

function usersOf({ at }: ChangedSetting, sides: readonly Documents[]) {
  const name = /^windows\.(.*)\.\w+$/.exec(at)?.[1] ?? '';
  const users = sides.flatMap(listPolicies).filter(({ value }) => value.windows.includes(name));
  const policies = [...new Set(users.map(({ value }) => value.address))].sort();
  return policies.length > 0 ? { policies } : {};
}

type Sides = readonly [before: Json | undefined, after: Json | undefined];

/** An exception that one side has is one value. */
function changesOf(address: string, sides: Sides): Iterable<ChangedSetting> {
  if (!address.startsWith('exceptions.') || !sides.includes(undefined))
    return changedValues(address, sides);
  const [before, after] = sides.map((side) => side && { exception: side });
  return [{ at: address, before, after }];
}

/** A rollout that one side has is the built-in one on the other. */
function* changedValues(address: string, sides: Sides): Generator<ChangedSetting> {
  const [section = ''] = address.split('.', 1);
  const usual = section === 'rollouts' ? BUILT_IN_ROLLOUT : {};
  const [old, now] = sides.map((side) => new Map(leavesOf(side ?? usual)));
  for (const path of new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])) {
    const [before, after] = [old?.get(path), now?.get(path)];
    const isSame = canonical(before ?? null) === canonical(after ?? null);
    const isNone = isVariable(path) ? after === undefined : isSaid(section, path, sides);
    if (isSame || isNone) continue;
    yield { at: `${address}${path}`, before, after };
  }
}

/** Sections of whose entries a plan speaks as a whole where one is new or gone. */
const WHOLE = new Set<string>([...POLICY_SECTIONS, 'incidents', 'exceptions', 'freezes']);

/** What changes, dates and counts of devices show. Any other field is a setting, whether somebody thought of it or not. */
const SHOWN = /^(?:\w+\.(?:select|address)|firmware\.version|onboarding\.devices)\b/;

/** What says nothing of a window or a site that one side has. */
const USUAL = new Set(['site', 'auto', [], [...TASK_TYPES].sort()].map(canonical));

/** Whether something else says it. Without redundancy a group has no setting. */
function isSaid(section: string, path: string, sides: Sides): boolean {
  const found = sides.filter((side) => side !== undefined);
  const isOfBoth = found.length > 1;
  if (section === 'groups') {
    const kept = found.map((side) => memberAt(side, 'redundancy') === true);
    return !(path === '.redundancy' ? kept.includes(true) : kept.every(Boolean));
  }
  if (section === 'windows' || section === 'sites')
    return !isOfBoth && USUAL.has(canonical(memberAt(found[0], path.slice(1)) as Json));
  return WHOLE.has(section) && (!isOfBoth || SHOWN.test(`${section}${path}`));
}
