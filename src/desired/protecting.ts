import { matchesAny } from '../lib/glob.ts';
import { DAY, type Instant } from '../lib/time.ts';
import { listPolicies } from '../model/documents/policies.ts';
import type { Documents, Exception, Selector, SelectorKeys } from '../model/documents/policy.ts';
import type { Sourced } from '../model/documents/source.ts';
import type { Edge } from '../model/documents/window.ts';

/** The part of a selector that names what it selects, or what it leaves out. */
export const PARTS = ['select', 'not'] as const;
export type Part = (typeof PARTS)[number];

/** Where a part is in an entry. */
export const POINTERS: Readonly<Record<Part, string>> = { select: '/select', not: '/select/not' };

/**
 * What keeps devices from tasks: the entries whose part of a selector does, and the entries of sites that have a tag of
 * such a part, each with the address of the entry that keeps them (semantics D7).
 */
export type Protecting = Readonly<Record<Part, ReadonlyMap<Selecting, Protector>>> & {
  readonly tags: ReadonlyMap<Sourced<unknown>, Protector>;
};

/** `policy` if it is what a policy leaves out of its own devices, which concerns no other; else `protects`. */
interface Protector {
  readonly policy?: string;
  readonly protects?: string;
}

interface ProtectingInput {
  readonly documents: Documents;
  /** The unexpired exceptions. */
  readonly exceptions: readonly Sourced<Exception>[];
  readonly now: Instant;
}

/**
 * What freezes, holds, exclusions, pins, budgets and redundancy groups select, and what policies leave out, is kept from
 * tasks. A group does what the selectors that name it do, and its own `not` the opposite.
 */
export function protectingParts(input: ProtectingInput): Protecting {
  const { groups, sites } = input.documents;
  const found = {
    select: new Map<Selecting, Protector>(),
    not: new Map<Selecting, Protector>(),
    tags: new Map<Sourced<unknown>, Protector>(),
  };
  const protect = (part: Part, entry: Selecting, address: string) => {
    found[part].set(entry, { protects: address });
    const tagged = keysOf(entry, part).site?.tag ?? [];
    for (const site of sites.values())
      if (site.value.tags?.some((tag) => matchesAny(tagged, tag)))
        found.tags.set(site, { protects: address });
  };
  for (const [address, part, entry] of selecting(input)) {
    protect(part, entry, address);
    if (part === 'not') found.not.set(entry, { policy: address });
    for (const side of PARTS) {
      const named = keysOf(entry, side).group ?? [];
      const isNamed = ({ name }: Selecting) => matchesAny(named, name);
      for (const group of [...groups.values()].filter(isNamed))
        protect(side === part ? 'select' : 'not', group, address);
    }
  }
  return found;
}

export type Selecting = Sourced<{ readonly select?: Selector } | { readonly is: 'devices' }>;

/** Each entry with its address and the part of its selector that keeps devices from tasks: of a policy, what it leaves out. */
function selecting({
  documents,
  exceptions,
  now,
}: ProtectingInput): readonly (readonly [string, Part, Selecting])[] {
  const freezes = [...documents.freezes.values()].filter(
    ({ value: { term } }) => term.is === 'annual' || endOf(term.to) > now,
  );
  const holding = exceptions.filter(({ value }) => PROTECTING.has(value.type));
  const groups = [...documents.groups.values()].filter(({ value }) => value.redundancy);
  const budgets = [...documents.budgets.values()];
  return [
    ...listPolicies(documents).map((entry) => [entry.value.address, 'not', entry] as const),
    ...Object.entries({ groups, budgets, freezes, exceptions: holding }).flatMap(
      ([section, entries]) =>
        entries.map((entry) => [`${section}.${entry.name}`, 'select', entry] as const),
    ),
  ];
}

/** When an edge has passed everywhere: a time without a zone a day after it has in UTC. */
function endOf(edge: Edge): Instant {
  return 'instant' in edge ? edge.instant : edge.wall + DAY;
}

const PROTECTING: ReadonlySet<Exception['type']> = new Set(['hold', 'exclude', 'pin']);

export function keysOf({ value }: Selecting, part: Part): SelectorKeys {
  const { select = {} } = 'select' in value ? value : {};
  return part === 'select' ? select : (select.not ?? {});
}
