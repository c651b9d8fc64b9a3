import { chanceOf } from './chance.ts';
import { freezeFrom } from './drafting-times.ts';
import type { Feature } from './features.ts';
import { head, type Scene } from './scene.ts';
import type { WishedPolicy, Wishes } from './wishes.ts';

/** A commit that somebody makes while the fleet is being changed. */
export interface Amendment {
  readonly at: number;
  readonly what: Feature;
}

/** Commits of phase one, in order of time. */
export function amendmentsOf({ seed, has, brief }: Scene): readonly Amendment[] {
  const chance = chanceOf(seed, 'amendments');
  const kinds = (Object.keys(AMENDMENTS) as Feature[]).filter((name) => has.has(name));
  return kinds
    .map((what) => ({ at: chance.int(brief.start, brief.end), what }))
    .toSorted((a, b) => a.at - b.at);
}

/** The documents in force, amended. */
export function amend(scene: Scene, what: Feature): Wishes {
  const { wishes } = head(scene);
  return AMENDMENTS[what]?.(wishes, scene) ?? wishes;
}

const AMENDMENTS: Partial<Record<Feature, (wishes: Wishes, scene: Scene) => Wishes>> = {
  generationRaised: (wishes) => ({
    ...wishes,
    rotations: mapped(wishes.rotations, (policy) => ({
      ...policy,
      generation: Number(policy['generation'] ?? 1) + 1,
    })),
  }),
  generationLowered: (wishes) => ({
    ...wishes,
    rotations: mapped(wishes.rotations, (policy) => ({ ...policy, generation: 1 })),
  }),
  versionMoved: (wishes) => ({
    ...wishes,
    firmware: mapped(wishes.firmware, (policy, name) =>
      name === 'exact' ? { ...policy, version: 'approved' } : policy,
    ),
  }),
  freezeAdded: (wishes, { brief }) => ({
    ...wishes,
    freezes: { ...wishes.freezes, sudden: freezeFrom(brief, 'sudden freeze', false) },
  }),
  budgetTightened: (wishes) => ({
    ...wishes,
    budgets: { ...wishes.budgets, tight: { per: 'fleet', maxUnavailable: 1 } },
  }),
  policyRemoved: (wishes, { seed }) => {
    const section = chanceOf(seed, 'removed').pick(['firmware', 'rotations', 'restarts'] as const);
    return { ...wishes, [section]: {} };
  },
};

function mapped(
  policies: Record<string, WishedPolicy>,
  change: (policy: WishedPolicy, name: string) => WishedPolicy,
): Record<string, WishedPolicy> {
  return Object.fromEntries(
    Object.entries(policies).map(([name, policy]) => [name, change(policy, name)]),
  );
}

/** What lets a plan through that a guardrail refused: the last commit of all. */
export function allowed(wishes: Wishes, until: number): Wishes {
  const terms = {
    type: 'allow',
    until: new Date(until).toISOString(),
    reason: 'looked at',
    owner: 'ops',
    ticket: 'CHG-9',
  };
  return {
    ...wishes,
    exceptions: {
      ...wishes.exceptions,
      'all-of-it': { ...terms, allow: { guardrail: 'maxPercentOfFleet', value: '100%' } },
      // Somebody else has taken devices away: a person says that they are gone (semantics M32).
      'they-are-gone': { ...terms, allow: { guardrail: 'maxVanished', value: 1_000 } },
    },
  };
}
