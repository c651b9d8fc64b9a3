import { seedOf } from '../../model/documents/policy.ts';
import { TASK_OF } from '../../model/fleet/task.ts';
import { desire } from '../../desired/desire.ts';
import { shortId } from '../../lib/canonical.ts';
import { lastOnboarded } from '../../kinds/onboard-device.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { Params } from '../../model/error.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import { findSighting, listSightings, sightingsToAdd } from '../../model/ledger/sightings.ts';
import type { Confidence } from '../../model/fleet/snapshot.ts';
import { formatDuration, formatInstant, type Instant } from '../../lib/time.ts';
import type { Desired, OnboardingWant } from '../../model/plan/desired-state.ts';
import type { PlannerInput } from '../input.ts';
import type { Observer } from '../observer.ts';

/** SEEN of an entry of an onboarding list: `missing` while no device matches it, then `found`. */
const LISTED = 'listed';
const MISSING = 'missing';

type Read = Pick<PlannerInput, 'memory' | 'snapshot'>;
type Missing = OnboardingWant & { readonly found: 'none' };

/**
 * Since when an entry is known to be listed and not discovered; undefined where no run recorded it.
 */
export function missingSince(want: Missing, memory: Memory): Instant | undefined {
  const seen = findSighting(memory, LISTED, listingSubject(want));
  return seen?.value === MISSING ? seen.since : undefined;
}

/** A device that no longer matches its entry since it is onboarded, and whether the service still returns it. */
export interface Onboarded {
  readonly at: Instant;
  readonly isGone: boolean;
}

/** What became of the device of an entry; undefined where nothing onboarded it. It may have another ID now. */
export function onboarded({ id }: Missing, { memory, snapshot }: Read): Onboarded | undefined {
  const done = id && lastOnboarded(memory.intentsOf(id, TASK_OF.onboarding), id);
  if (!done) return undefined;
  const { managedId = done.device, settledAt = done.attemptedAt } = done;
  const isShown = snapshot.devices.rowOf(managedId) !== undefined;
  return { at: settledAt, isGone: !isShown && isAbsenceSure(snapshot.confidence) };
}

/** Only a consistent read of a list proves that a device is absent (protocol Y3). */
export function isAbsenceSure(confidence: Confidence): boolean {
  return confidence === 'one page' || confidence === 'two equal passes';
}

/**
 * Listed devices that are gone since they were onboarded (semantics D7), or have not been discovered for longer than
 * their policy expects. That time starts at the commit of the entry, or at the first run that missed it where the
 * commit is not known.
 */
export function overdueListings(input: PlannerInput, desired: Desired): readonly Diagnostic[] {
  if (!isAbsenceSure(input.snapshot.discoveredConfidence)) return [];
  return missingIn(desired, input).flatMap((want): Diagnostic[] => {
    const found = lack(want, input);
    if (!found) return [];
    const { file, line, column } = want.at;
    const params = { policy: want.policy.value.address, entry: want.entry, ...found };
    return [{ code: 'notDiscoveredYet', severity: 'warning', at: { file, line, column }, params }];
  });
}

function lack(want: Missing, input: PlannerInput): Params | undefined {
  const { documents, memory, now } = input;
  const gone = onboarded(want, input);
  if (gone) return { onboarded: formatInstant(gone.at) };
  const { expectWithin } = want.policy.value;
  const since =
    documents.committed?.get(`${want.at.file}:${want.at.line}`) ?? missingSince(want, memory);
  if (since === undefined || now - since <= expectWithin) return undefined;
  return { since: formatInstant(since), expectWithin: formatDuration(expectWithin) };
}

/** Entries that no device matches, and those that a device matches now. */
export const listings: Observer = function* (input) {
  const { documents, snapshot, memory, now: seenAt } = input;
  const isListing = [...documents.onboarding.values()].some(
    ({ value }) => value.devices.length > 0,
  );
  const [known] = listSightings(memory, LISTED);
  if (!isAbsenceSure(snapshot.discoveredConfidence) || (!isListing && !known)) return;
  const desired = desire({ documents, snapshot, now: seenAt });
  const missing = new Set(missingIn(desired, input).map(listingSubject));
  for (const seen of sightingsToAdd(memory, LISTED, missing, [MISSING, 'found']))
    yield { ...seen, seenAt };
};

function missingIn({ onboarding }: Desired, read: Read): readonly Missing[] {
  return onboarding.filter(
    (want): want is Missing => want.found === 'none' && onboarded(want, read)?.isGone !== false,
  );
}

function listingSubject({ policy, entry }: Missing): string {
  return shortId([seedOf(policy.value), entry]);
}
