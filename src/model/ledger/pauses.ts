import type { PauseNote } from '../plan/plan.ts';
import type { PauseTerms } from './record.ts';
import type { Site } from '../fleet/device.ts';
import { FLEET, type LostPlace, policyOfScope, siteOfScope } from './scopes.ts';
import { formatInstant, type Instant } from '../../lib/time.ts';

/** The pause of a scope by a person, until it ends or is lifted. */
export interface PersonPause extends Omit<PauseTerms, 'until'> {
  readonly until?: Instant;
  readonly at: Instant;
}

/** What a pause put on record, and the devices in its scope with a running task. */
export interface PauseResult {
  readonly pauses: readonly PauseNote[];
  /** Earlier pauses of the same scopes, which hold as well (protocol N69). */
  readonly before: readonly PauseNote[];
  /** IDs of devices whose task in flight is finished. */
  readonly inFlight: readonly string[];
  /** Policies with a begun rollout, whose later waves wait for devices of the paused sites, too. */
  readonly begun: readonly string[];
}

/**
 * A further pause of a scope (protocol N69): the later one has the person, the reason and the
 * instant. While the earlier one holds, the scope stays paused until both have ended, and lifting
 * it needs a ticket where either has one.
 */
export function pausedAgain(before: PersonPause | undefined, later: PersonPause): PersonPause {
  if (!before || isOver(before, later.at)) return later;
  const { until, ...rest } = later;
  const ticket = later.ticket ?? before.ticket;
  const isBounded = before.until !== undefined && until !== undefined;
  return {
    ...rest,
    ...(ticket !== undefined && { ticket }),
    ...(isBounded && { until: Math.max(before.until, until) }),
  };
}

/** The pauses of people that hold at an instant, oldest first (semantics N66). */
export function pausesAt(
  { pauses }: { readonly pauses: ReadonlyMap<string, PersonPause> },
  now: Instant,
): readonly PersonPause[] {
  const held = [...pauses.values()].filter((pause) => !isOver(pause, now));
  return held.sort((a, b) => a.at - b.at);
}

/** Whether a pause has ended by itself. */
export function isOver({ until }: Pick<PersonPause, 'until'>, now: Instant): boolean {
  return until !== undefined && now >= until;
}

/** What is known beside the ledger: the sites that were read, and the addresses of all policies. */
interface Known {
  readonly sites: readonly Pick<Site, 'id' | 'name'>[];
  readonly addresses?: Pick<ReadonlySet<string>, 'has'>;
  readonly lostPlace?: LostPlace;
}

/** The pauses of people that hold at an instant, as they are shown, oldest first. */
export function pauseNotes(
  memory: Parameters<typeof pausesAt>[0],
  now: Instant,
  { sites, addresses, lostPlace }: Known,
): readonly PauseNote[] {
  return pausesAt(memory, now).map(({ at, until, ...pause }) => {
    const address = policyOfScope(pause.scope);
    const isOrphaned = addresses !== undefined && address !== FLEET && !addresses.has(address);
    const site = sites.find(({ id }) => id === siteOfScope(pause.scope))?.name;
    return {
      ...pause,
      ...(site !== undefined && { site }),
      ...lostPlace?.(pause.scope),
      since: formatInstant(at),
      ...(until !== undefined && { until: formatInstant(until) }),
      ...(isOrphaned && { orphaned: address }),
    };
  });
}
