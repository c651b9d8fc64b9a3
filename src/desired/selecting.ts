import { isPattern, matchesAny } from '../lib/glob.ts';
import { groupByEach } from '../lib/group-by.ts';
import { DAY, type Instant } from '../lib/time.ts';
import { listPolicies } from '../model/documents/policies.ts';
import {
  type Documents,
  type Exception,
  POLICY_SECTIONS,
  type Selector,
  type SelectorKeys,
} from '../model/documents/policy.ts';
import type { Sourced } from '../model/documents/source.ts';
import type { Edge } from '../model/documents/window.ts';

/** The part of a selector that names what it selects, or what it leaves out. */
export const PARTS = ['select', 'not'] as const;
export type Part = (typeof PARTS)[number];

/** A selector of an entry, with the address of the entry and its own place there. */
export interface Selecting {
  readonly section: string;
  readonly address: string;
  readonly entry: Sourced<unknown>;
  readonly pointer: string;
  readonly select: Selector;
}

/** Every selector; those of `onboarding` select discovered devices. */
export function selectorsIn(documents: Documents): readonly Selecting[] {
  const { groups, budgets, freezes, exceptions, rollouts } = documents;
  return [
    ...listPolicies(documents).map((entry) => ({ ...entry.value, entry, pointer: '/select' })),
    ...Object.entries({ groups, budgets, freezes, exceptions }).flatMap(([section, entries]) =>
      [...entries.values()].map((entry) => {
        const { select } = 'select' in entry.value ? entry.value : {};
        return { section, address: `${section}.${entry.name}`, entry, pointer: '/select', select };
      }),
    ),
    ...[...rollouts.values()].flatMap((entry) =>
      entry.value.waves.map(({ slice }, at) => {
        const select = slice.is === 'select' ? slice.select : undefined;
        const address = `rollouts.${entry.name}`;
        return { section: 'rollouts', address, entry, pointer: `/waves/${at}/select`, select };
      }),
    ),
  ].flatMap(({ section, address, entry, pointer, select }) =>
    select ? [{ section, address, entry, pointer, select }] : [],
  );
}

export function keysOf({ select }: Pick<Selecting, 'select'>, part: Part): SelectorKeys {
  return part === 'select' ? select : (select.not ?? {});
}

/** Where a part of a selector is in its entry. */
export function pointerOf({ pointer }: Pick<Selecting, 'pointer'>, part: Part): string {
  return part === 'select' ? pointer : `${pointer}/not`;
}

/**
 * What keeps devices from tasks: the entries whose part of a selector does, and the entries of sites that have a tag of
 * such a part, each with the address of the entry that keeps them (semantics D7).
 */
export type Protecting = Readonly<Record<Part | 'tags', ReadonlyMap<Sourced<unknown>, Protector>>>;

/**
 * `policy` if it is what a policy leaves out of its own devices, which concerns no other, and `rollout` if it is in a wave,
 * which concerns the policies that use it; else `protects`.
 */
interface Protector {
  readonly policy?: string;
  readonly rollout?: string;
  readonly protects?: string;
}

/** Whether it concerns some policies alone, and not the whole plan. */
export function isOfSome(protector: Protector | undefined): boolean {
  return protector !== undefined && protector.protects === undefined;
}

/** A pattern is of no one name: but in freezes and exceptions, it may be written for names to come. */
export function isOfOne(written: string, { protects = '' }: Protector): boolean {
  return !isPattern(written) || /^(freezes|exceptions)\./.test(protects);
}

export interface ProtectingInput {
  readonly documents: Documents;
  /** The unexpired exceptions. */
  readonly exceptions: readonly Sourced<Exception>[];
  readonly now: Instant;
}

/**
 * What freezes, holds, exclusions, pins, budgets and redundancy groups select, and what policies and other exceptions leave
 * out, is kept from tasks. A wave keeps what it selects for its turn, and what it leaves out for a later one. A group does
 * what the selectors that name it do, and its own `not` the opposite.
 */
export function protectingParts(input: ProtectingInput): Protecting {
  const selectors = selectorsIn(input.documents);
  const groups = [...input.documents.groups.values()].map((entry) => ({
    entry,
    select: entry.value.is === 'select' ? entry.value.select : {},
  }));
  const keeping = keepingEntries(input);
  const acting = new Set<Sourced<unknown>>(input.exceptions.filter((each) => !keeping.has(each)));
  const found = { select: emptyMap(), not: emptyMap(), tags: emptyMap() };
  const sites = [...input.documents.sites.values()];
  const sitesByTag = groupByEach(sites, ({ value }) => value.tags ?? []);
  const protect = (part: Part, selecting: Pick<Selecting, 'entry' | 'select'>, by: Selecting) => {
    add(found[part], selecting.entry, by);
    const written = keysOf(selecting, part).site?.tag ?? [];
    for (const [tag, sites] of written.length > 0 ? sitesByTag : [])
      if (matchesAny(written, tag)) for (const site of sites) add(found.tags, site, by);
  };
  // A group that lists its devices has no selector.
  for (const { entry } of groups)
    if (keeping.has(entry))
      add(found.select, entry, { section: 'groups', address: `groups.${entry.name}`, entry });
  const inUse = new Set(listPolicies(input.documents).map(({ value }) => value.rollout));
  const partsOf = ({ section, entry }: Selecting): readonly Part[] => {
    if (section === 'rollouts') return inUse.has(entry.name) ? PARTS : [];
    if (keeping.has(entry)) return ['select'];
    return isPolicy(section) || acting.has(entry) ? ['not'] : [];
  };
  const both = selectors.flatMap((each) => partsOf(each).map((part) => [each, part] as const));
  for (const [selecting, part] of both) {
    protect(part, selecting, selecting);
    for (const side of PARTS) {
      const named = keysOf(selecting, side).group ?? [];
      for (const group of groups.filter(({ entry: { name } }) => matchesAny(named, name)))
        protect(side === part ? 'select' : 'not', group, selecting);
    }
  }
  return found;
}

/** What several keep concerns the whole plan. */
function add(
  found: Map<Sourced<unknown>, Protector>,
  kept: Sourced<unknown>,
  { section, address, entry }: Pick<Selecting, 'section' | 'address' | 'entry'>,
): void {
  const ofRollout = section === 'rollouts' ? { rollout: entry.name } : { protects: address };
  const by: Protector = isPolicy(section) ? { policy: address } : ofRollout;
  const { policy, rollout, protects = address } = found.get(kept) ?? by;
  const isSame = policy === by.policy && rollout === by.rollout;
  found.set(kept, isSame ? by : { protects });
}

const isPolicy = (section: string): boolean => POLICY_SECTIONS.some((each) => each === section);

const emptyMap = (): Map<Sourced<unknown>, Protector> => new Map();

/** The entries that keep what they select from tasks, now or later. */
function keepingEntries({
  documents: { freezes, budgets, groups },
  exceptions,
  now,
}: ProtectingInput): ReadonlySet<Sourced<unknown>> {
  return new Set<Sourced<unknown>>([
    ...[...freezes.values()].filter(
      ({ value: { term } }) => term.is === 'annual' || endOf(term.to) > now,
    ),
    ...exceptions.filter(({ value }) => PROTECTING.has(value.type)),
    ...[...groups.values()].filter(({ value }) => value.redundancy),
    ...budgets.values(),
  ]);
}

/** When an edge has passed everywhere: a time without a zone a day after it has in UTC. */
function endOf(edge: Edge): Instant {
  return 'instant' in edge ? edge.instant : edge.wall + DAY;
}

const PROTECTING: ReadonlySet<Exception['type']> = new Set(['hold', 'exclude', 'pin']);
