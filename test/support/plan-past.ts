import type {
  IntentState,
  Memory,
  StartedRollout,
  ActiveStop,
} from '../../src/model/ledger/memory.ts';
import { withRenames } from '../../src/model/ledger/renames.ts';
import type { PersonPause } from '../../src/model/ledger/pauses.ts';
import type { Documents } from '../../src/model/documents/policy.ts';
import { parseDuration, parseInstant, type Instant } from '../../src/lib/time.ts';
import { policyDigest } from '../../src/model/plan/policy-digest.ts';
import { listPolicies } from '../../src/model/documents/policies.ts';
import { aMemory } from './plan-fleet.ts';

const MINUTE = 60_000;

/** `ledger.json`: what is remembered of intents, oldest first; ages as in `live.json`. */
export type PastFile = readonly (Pick<IntentState, 'task' | 'device' | 'policy' | 'target'> &
  Partial<
    Pick<
      IntentState,
      'generation' | 'marker' | 'phase' | 'verdict' | 'model' | 'seconds' | 'towards'
    >
  > & {
    readonly attempted: string;
    readonly settled?: string;
    /** When it was tried before, oldest first; each ended as the last one did, within a minute. */
    readonly earlier?: readonly string[];
  })[];

/**
 * `seen.json`: what SEEN records said last, by `what/subject`, and when the first one said anything;
 * ages as in `live.json`.
 */
export type SeenFile = Readonly<
  Record<
    string,
    {
      readonly value?: string;
      readonly since: string;
      readonly first?: string;
      readonly times?: number;
    }
  >
>;

/**
 * `rollouts.json`: rollouts that have begun, by the address of their policy. The first one has the
 * `seq` 1 of its ROLLOUT record, the next one 2; intents of its policy since then are its own.
 */
export type RolloutsFile = Readonly<
  Record<
    string,
    {
      readonly at: string;
      /** The base as it was cut into waves then. */
      readonly waves: Readonly<Record<string, readonly string[]>>;
      /** Devices that guardrails have weighed; those of runs of a part are in `inParts` too. */
      readonly weighed?: readonly string[];
      readonly inParts?: readonly string[];
      /** It was about another want than the documents have now. */
      readonly ofAnotherWish?: boolean;
      /** What is stopped of it; without a scope, all of it. */
      readonly stops?: readonly (Pick<ActiveStop, 'rule' | 'counts' | 'action'> & {
        readonly scope?: string;
        readonly at: string;
      })[];
    }
  >
>;

/** `pauses.json`: what people have paused; ages as in `live.json`. */
export type PausesFile = readonly (Omit<PersonPause, 'at' | 'until'> & {
  readonly at: string;
  readonly until?: string;
})[];

/** What a scenario's folder says of the past. */
export interface Past {
  readonly pauses?: PausesFile;
  readonly past: PastFile;
  readonly seen: SeenFile;
  readonly rollouts: RolloutsFile;
  /** The present address of a policy, by an earlier one: what RENAMED records say. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** What a scenario's ledger remembers. */
export function memoryOf(
  { past, seen, rollouts, pauses = [], renamed = {} }: Past,
  documents: Documents,
  now: Instant,
): Memory {
  const begun = startedIn(rollouts, documents, now);
  const memory = aMemory(
    past.map((intent, index) => intentOf(intent, index, { begun, now })),
    {
      sightings: sightingsIn(seen, now),
      ...(pauses.length > 0 && { pauses: pausesIn(pauses, now) }),
      ...(begun.size > 0 && { rollouts: begun, stops: stopsIn(rollouts, now) }),
      covered: (policy) => begun.get(policy)?.weighed ?? new Set(),
      weighedInParts: (policy) => new Set(begun.get(policy)?.weighedInParts?.keys()),
    },
  );
  return withRenames(
    memory,
    Object.entries(renamed).map(([from, to]) => ({ from, to })),
  );
}

function pausesIn(pauses: PausesFile, now: Instant): ReadonlyMap<string, PersonPause> {
  const found = pauses.map(({ at, until, ...pause }) => ({
    ...pause,
    at: back(at, now),
    ...(until !== undefined && { until: back(until, now) }),
  }));
  return new Map(found.map((pause) => [pause.scope, pause]));
}

/** An instant, or how long before another one. */
export function back(age: string, now: Instant): Instant {
  return parseInstant(age) ?? now - (parseDuration(age) ?? Number.NaN);
}

function intentOf(
  { attempted, settled, earlier = [], ...intent }: PastFile[number],
  index: number,
  { begun, now }: { readonly begun: ReadonlyMap<string, StartedRollout>; readonly now: Instant },
): IntentState {
  const rollout = begun.get(intent.policy);
  const attemptedAt = back(attempted, now);
  return {
    id: `intent-${index + 1}`,
    generation: 0,
    sites: [],
    marker: '',
    phase: 'closed',
    attempts: earlier.length + 1,
    attemptId: `run.${index + 1}`,
    ...intent,
    ...(rollout && attemptedAt >= rollout.startedAt && { rollout: rollout.seq }),
    earlier: earlier.map((age, before) => ({
      attemptId: `run.${index + 1}.${before + 1}`,
      attemptedAt: back(age, now),
      settledAt: back(age, now) + MINUTE,
      ...(intent.verdict && { verdict: intent.verdict }),
    })),
    attemptedAt,
    ...(settled !== undefined && { settledAt: back(settled, now) }),
  };
}

function sightingsIn(seen: SeenFile, now: Instant): Memory['sightings'] & object {
  return new Map(
    Object.entries(seen).map(([key, { value = '', since, first = since, times = 1 }]) => {
      const at = back(since, now);
      return [key, { value, firstAt: back(first, now), lastAt: at, since: at, times }] as const;
    }),
  );
}

function startedIn(
  rollouts: RolloutsFile,
  documents: Documents,
  now: Instant,
): ReadonlyMap<string, StartedRollout> {
  const policies = listPolicies(documents).map(({ value }) => value);
  return new Map(
    Object.entries(rollouts).map(
      ([address, { at, waves, weighed, inParts, ofAnotherWish }], index) => {
        // One that the documents no longer have under this address is of a target of its own, unless they say where it went.
        const policy = policies.find(
          (each) => each.address === address || each.renamedFrom?.includes(address),
        );
        const base = Object.values(waves).flat();
        const cut = Object.entries(waves).map(([name, ids]) => ({ name, devices: ids.length }));
        return [
          address,
          {
            targetDigest:
              ofAnotherWish || !policy ? 'another wish' : policyDigest({ ...policy, address }),
            seq: index + 1,
            startedAt: back(at, now),
            base,
            waves: cut,
            devices: new Set(base),
            ...(weighed && { weighed: new Set(weighed) }),
            ...(inParts && { weighedInParts: new Map(inParts.map((id) => [id, index + 1])) }),
          },
        ];
      },
    ),
  );
}

function stopsIn(rollouts: RolloutsFile, now: Instant): ReadonlyMap<string, ActiveStop> {
  const stops = Object.entries(rollouts).flatMap(([address, { stops: written = [] }]) =>
    written.map(({ scope = address, at, ...stop }) => ({ ...stop, scope, at: back(at, now) })),
  );
  return new Map(stops.map((stop) => [stop.scope, stop]));
}
