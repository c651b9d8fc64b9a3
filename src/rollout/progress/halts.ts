import type { Memory, ActiveStop } from '../../model/ledger/memory.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import type { Instant } from '../../lib/time.ts';
import { type PersonPause, pausesAt } from '../../model/ledger/pauses.ts';
import { FLEET, type LostPlace, policyOfScope, stopScopes } from '../../model/ledger/scopes.ts';
import type { Trip } from './stops.ts';

/** A stop that applies to a device now. */
export interface Halt extends Pick<ActiveStop, 'scope' | 'rule' | 'counts'> {
  readonly is: 'paused' | 'aborted';
  /** When it was recorded; absent if it has tripped and is not recorded yet. */
  readonly since?: Instant;
  /** Only for a pause by a person, whose rule is `BY_PERSON`. */
  readonly pause?: PersonPause;
}

/** The rule of a pause by a person. */
export const BY_PERSON = 'person';

/** The fields of a device that the scopes of stops depend on. */
export interface Halted {
  readonly sites: readonly string[];
  readonly model?: string | undefined;
}

export interface HaltInput {
  /** Address of the policy. */
  readonly policy: string;
  /** Digest of the target, which an abort ends for good. */
  readonly targetDigest: string;
  /**
   * Digest of everything that a person may change to continue: the policy's target and its rollout.
   * A pause recorded with a different digest no longer applies.
   */
  readonly documents: string;
  readonly memory: Pick<Memory, 'stops' | 'lifts' | 'pauses' | 'resumedAt'>;
  readonly now: Instant;
  /** What is stopped at a place that is gone holds its whole policy; absent: none is gone. */
  readonly lostPlace?: LostPlace | undefined;
}

type StopBody = Extract<RecordBody, { readonly type: 'STOP' }>;

/** The stops of one policy in the ledger. */
export interface Stopped {
  /**
   * Stops that changed documents have ended: each needs a LIFT before anything is sent in its
   * scope.
   */
  readonly outdated: readonly ActiveStop[];
  /** When a stop that covers a device was last lifted, by a person or by changed documents. */
  readonly liftedAt: (device: Halted) => Instant | undefined;
  /** When a pause of the whole rollout by a person last ended. */
  readonly resumedAt: Instant | undefined;
  /** The stops in force, together with the rules that have tripped since. */
  readonly with: (trips: readonly Trip[]) => Halts;
}

export interface Halts {
  /** The stop on the whole rollout, if any. */
  readonly whole: Halt | undefined;
  readonly of: (device: Halted) => Halt | undefined;
  /** Whether no device has one. */
  readonly isFree: boolean;
  /** STOP records for rules that have tripped and are not recorded yet; one for each scope. */
  readonly records: readonly StopBody[];
}

/** Reads the stops and pauses of a policy and those of the fleet (semantics H3, H7, N66). */
export function readStops(input: HaltInput): Stopped {
  const { policy, targetDigest, documents, memory, now } = input;
  const stops = [...memory.stops.values()].filter(
    ({ scope, wish = targetDigest }) =>
      wish === targetDigest && [FLEET, policy].includes(policyOfScope(scope)),
  );
  const isOutdated = (stop: ActiveStop): boolean =>
    stop.documents !== undefined && stop.documents !== documents;
  const outdated = stops.filter(isOutdated);
  const held = stops.filter((stop) => !isOutdated(stop)).map(haltOfStop);
  const pauses = pausesAt(memory, now)
    .filter(({ scope }) => [FLEET, policy].includes(policyOfScope(scope)))
    .map(haltOfPause);
  const endedAt = new Map(outdated.map(({ scope, at }) => [scope, at]));
  return {
    outdated,
    liftedAt(device) {
      if (endedAt.size + memory.lifts.size === 0) return undefined;
      const times = stopScopes({ policy, ...device })
        .flatMap((scope) => [memory.lifts.get(scope)?.at, endedAt.get(scope)])
        .filter((at) => at !== undefined);
      return times.length === 0 ? undefined : Math.max(...times);
    },
    resumedAt: resumedAt(policy, memory, now),
    with: (trips) => combineHalts({ ...input, held, pauses, trips }),
  };
}

/** By a LIFT, or automatically. */
function resumedAt(policy: string, memory: HaltInput['memory'], now: Instant): Instant | undefined {
  const ended = [FLEET, policy].flatMap((scope) => {
    const until = memory.pauses.get(scope)?.until;
    return [memory.resumedAt.get(scope), until !== undefined && until <= now ? until : undefined];
  });
  const times = ended.filter((at) => at !== undefined);
  return times.length === 0 ? undefined : Math.max(...times);
}

type Input = Omit<HaltInput, 'memory' | 'now'>;

function combineHalts(
  input: Input & {
    readonly held: readonly Halt[];
    readonly pauses: readonly Halt[];
    readonly trips: readonly Trip[];
  },
): Halts {
  const { policy, held, pauses, trips, lostPlace = () => undefined } = input;
  // Kept apart: a rule that trips is recorded although a person has paused its scope.
  const pausesBy = new Map(pauses.map((halt) => [halt.scope, halt]));
  const byScope = new Map(
    held
      .toSorted((a, b) => Number(a.is === 'aborted') - Number(b.is === 'aborted'))
      .map((halt) => [halt.scope, halt]),
  );
  const records = new Map<string, StopBody>();
  for (const trip of trips.flatMap((one) => ownAbort(one, policy))) {
    const before = byScope.get(trip.scope);
    if (before && (before.is === 'aborted' || trip.action === 'pause')) continue;
    const { scope, rule, counts, action } = trip;
    byScope.set(scope, { is: action === 'abort' ? 'aborted' : 'paused', scope, rule, counts });
    records.set(trip.scope, toStopRecord(trip, input));
  }
  const lost = [...pausesBy.keys(), ...byScope.keys()].filter(lostPlace);
  const strongest = (scopes: readonly string[]): Halt | undefined => {
    const found = [...scopes, ...lost]
      .flatMap((scope) => [pausesBy.get(scope), byScope.get(scope)])
      .filter((halt) => halt !== undefined);
    return found.find(({ is: state }) => state === 'aborted') ?? found.toSorted(endsLast)[0];
  };
  // Asked for every device before every attempt: most rollouts have no stop at all.
  const isFree = pausesBy.size + byScope.size === 0;
  return {
    whole: strongest([FLEET, policy]),
    isFree,
    of: (device) => (isFree ? undefined : strongest(stopScopes({ policy, ...device }))),
    records: [...records.values()],
  };
}

/** The effect of a recorded stop. */
export function haltOfStop({ scope, rule, counts, at, action }: ActiveStop): Halt {
  return { is: action === 'abort' ? 'aborted' : 'paused', scope, rule, counts, since: at };
}

export function haltOfPause(pause: PersonPause): Halt {
  return { is: 'paused', scope: pause.scope, rule: BY_PERSON, counts: {}, since: pause.at, pause };
}

/** The one that holds longest comes first; only a pause by a person may have an end. */
export function endsLast(a: Halt, b: Halt): number {
  const endOf = ({ pause }: Halt): number => pause?.until ?? Infinity;
  return Number(endOf(b) > endOf(a)) - Number(endOf(a) > endOf(b));
}

/**
 * A rollout may abort itself, but no other: a rule over the whole fleet aborts its own rollout and
 * pauses the rest until a person has checked.
 */
function ownAbort(trip: Trip, policy: string): readonly Trip[] {
  if (trip.scope !== 'fleet' || trip.action === 'pause') return [trip];
  return [
    { ...trip, action: 'pause' },
    { ...trip, scope: policy },
  ];
}

/**
 * Changed documents end a pause, but only another target ends an abort (semantics H4). The
 * documents of one rollout do not end a stop on the whole fleet.
 */
function toStopRecord({ scope, rule, counts, action }: Trip, input: Input): StopBody {
  const { documents, targetDigest } = input;
  const body = { type: 'STOP', scope, rule, counts, action } as const;
  if (action === 'abort') return { ...body, wish: targetDigest };
  return scope === 'fleet' ? body : { ...body, documents };
}
