import { seedOf } from '../../model/documents/policy.ts';
import { TASK_OF } from '../../model/fleet/task.ts';
import { desire } from '../../desired/desire.ts';
import { shortId } from '../../lib/canonical.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import { findSighting, listSightings, sightingsToAdd } from '../../model/ledger/sightings.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import { formatDuration, formatInstant, type Instant } from '../../lib/time.ts';
import type { Desired, OnboardingWant } from '../../model/plan/desired-state.ts';
import type { PlannerInput } from '../input.ts';
import type { Observer } from '../observer.ts';

/** SEEN of an entry of an onboarding list: `missing` while no device matches it, then `found`. */
const LISTED = 'listed';
const MISSING = 'missing';

type Missing = OnboardingWant & { readonly found: 'none' };

/**
 * Since when an entry is known to be listed and not discovered; undefined where no run recorded it.
 */
export function missingSince(want: Missing, memory: Memory): Instant | undefined {
  const seen = findSighting(memory, LISTED, listingSubject(want));
  return seen?.value === MISSING ? seen.since : undefined;
}

/**
 * An onboarded device may have another ID now: no device matches its entry, but none is missing.
 */
export function isOnboarded({ id }: Missing, memory: Memory): boolean {
  const past = id === undefined ? [] : memory.intentsOf(id, TASK_OF.onboarding);
  return past.some(({ verdict }) => verdict === 'done');
}

/** Only a consistent read proves that a device is absent (protocol Y3). */
export function isAbsenceSure({ discoveredConfidence }: Snapshot): boolean {
  return discoveredConfidence === 'one page' || discoveredConfidence === 'two equal passes';
}

/**
 * Listed devices that have not been discovered for longer than their policy expects. The time
 * starts at the commit of the entry, or at the first run that missed it where the commit is not
 * known.
 */
export function overdueListings(input: PlannerInput, desired: Desired): readonly Diagnostic[] {
  const { documents, memory, now, snapshot } = input;
  if (!isAbsenceSure(snapshot)) return [];
  return missingIn(desired, memory).flatMap((want): Diagnostic[] => {
    const { address, expectWithin } = want.policy.value;
    const { committed } = documents;
    const place = `${want.at.file}:${want.at.line}`;
    const since = committed?.get(place) ?? missingSince(want, memory);
    if (since === undefined || now - since <= expectWithin) return [];
    const { file, line, column } = want.at;
    const params = {
      policy: address,
      entry: want.entry,
      since: formatInstant(since),
      expectWithin: formatDuration(expectWithin),
    };
    return [{ code: 'notDiscoveredYet', severity: 'warning', at: { file, line, column }, params }];
  });
}

/** Entries that no device matches, and those that a device matches now. */
export const listings: Observer = function* ({ documents, snapshot, memory, now: seenAt }) {
  const isListing = [...documents.onboarding.values()].some(
    ({ value }) => value.devices.length > 0,
  );
  const [known] = listSightings(memory, LISTED);
  if (!isAbsenceSure(snapshot) || (!isListing && !known)) return;
  const desired = desire({ documents, snapshot, now: seenAt });
  const missing = new Set(missingIn(desired, memory).map(listingSubject));
  for (const seen of sightingsToAdd(memory, LISTED, missing, [MISSING, 'found']))
    yield { ...seen, seenAt };
};

function missingIn({ onboarding }: Desired, memory: Memory): readonly Missing[] {
  return onboarding.filter(
    (want): want is Missing => want.found === 'none' && !isOnboarded(want, memory),
  );
}

function listingSubject({ policy, entry }: Missing): string {
  return shortId([seedOf(policy.value), entry]);
}
