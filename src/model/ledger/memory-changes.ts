import { changedEntries } from '../../lib/layered.ts';
import type { IntentState, Memory } from './memory.ts';
import type { ObservedKind } from './record.ts';
import { splitSightingKey } from './sightings.ts';

/** What differs between two states of one ledger. */
export interface MemoryChanges {
  readonly intents: readonly IntentState[];
  readonly sightings: readonly { readonly what: ObservedKind; readonly subject: string }[];
}

type Compared = Pick<Memory, 'intents' | 'sightings'>;

/**
 * The intents and sightings that differ between two states of one ledger. It costs the records
 * between the two, not the whole ledger, where the later state was folded onto the earlier one.
 */
export function changesBetween(before: Compared, after: Compared): MemoryChanges {
  const intents = changedEntries(before.intents, after.intents).map(([, intent]) => intent);
  const sightings = changedEntries(before.sightings, after.sightings);
  return { intents, sightings: sightings.map(([key]) => splitSightingKey(key)) };
}
