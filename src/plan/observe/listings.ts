import { TASK_OF } from '../../model/fleet/task.ts';
import { desire } from '../../desired/desire.ts';
import { shortId } from '../../lib/canonical.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import { sightingOf, sightingsOf } from '../../model/ledger/sightings.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import { formatDuration, formatInstant, type Instant } from '../../lib/time.ts';
import type { Desired, OnboardingWant } from '../../model/plan/desired-state.ts';
import type { PlannerInput } from '../input.ts';
import type { Observer } from '../observer.ts';

/** SEEN of an entry of an onboarding list: `missing` while nothing answers to it, then `found`. */
const LISTED = 'listed';
const MISSING = 'missing';

type Missing = OnboardingWant & { readonly found: 'none' };

/** Since when an entry is known to be listed and not discovered; undefined where nobody saw it. */
export function missingSince(want: Missing, memory: Memory): Instant | undefined {
  const seen = sightingOf(memory, LISTED, subjectOf(want));
  return seen?.value === MISSING ? seen.since : undefined;
}

/** A device that we onboarded may have another id since: nothing answers to its entry, and nothing is missing. */
export function isOnboarded({ id }: Missing, memory: Memory): boolean {
  const past = id === undefined ? [] : memory.intentsOf(id, TASK_OF.onboarding);
  return past.some(({ verdict }) => verdict === 'done');
}

/** Only a reading that held still can say that something is not there (protocol Y3). */
export function isAbsenceSure({ discoveredConfidence }: Snapshot): boolean {
  return discoveredConfidence === 'one page' || discoveredConfidence === 'two equal passes';
}

/**
 * Listed devices that have not been discovered for longer than their policy expects: findings. The time
 * counts from the commit of the entry; where that is not known, from the run that missed it first.
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

/** Entries that nothing answers to, and those that something answers to by now. */
export const listings: Observer = function* ({ documents, snapshot, memory, now: seenAt }) {
  const isListing = [...documents.onboarding.values()].some(
    ({ value }) => value.devices.length > 0,
  );
  const known = [...sightingsOf(memory, LISTED)];
  if (!isAbsenceSure(snapshot) || (!isListing && known.length === 0)) return;
  const desired = desire({ documents, snapshot, now: seenAt });
  const missing = new Set(missingIn(desired, memory).map(subjectOf));
  for (const subject of missing)
    if (sightingOf(memory, LISTED, subject)?.value !== MISSING)
      yield { what: LISTED, subject, value: MISSING, seenAt };
  for (const [subject, { value }] of known) {
    if (value === MISSING && !missing.has(subject))
      yield { what: LISTED, subject, value: 'found', seenAt };
  }
};

function missingIn({ onboarding }: Desired, memory: Memory): readonly Missing[] {
  return onboarding.filter(
    (want): want is Missing => want.found === 'none' && !isOnboarded(want, memory),
  );
}

function subjectOf({ policy, entry }: Missing): string {
  return shortId([policy.value.address, entry]);
}
