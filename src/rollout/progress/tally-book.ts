import { changesBetween } from '../../model/ledger/memory-changes.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { ObservedKind } from '../../model/ledger/record.ts';
import { mayBeRunning } from '../budgets/down.ts';
import type { TallyInput } from './tally.ts';

/** A device of a rollout, and its position in the count. */
export interface Placed {
  readonly device: string;
  readonly index: number;
}

/** A device that the ledger has intents of. */
export interface Tallied<P, T> {
  readonly place: P;
  /** Undefined if the rollout has not attempted it. */
  readonly tally: T | undefined;
}

/** The SEEN records that a tally reads besides intents. */
const TALLIED: ReadonlySet<ObservedKind> = new Set(['deviceDown', 'timedOut', 'wavePassed']);

interface Entry<P, T> {
  readonly place: P;
  tally: T | undefined;
  isCurrent: boolean;
}

/**
 * Opens the tallies of one running rollout, with a cache: apply follows a rollout several times for
 * each attempt, and most devices do not change in between. A device with an open intent is tallied
 * at each call, because its tally depends on the time. Any other one is tallied again only when the
 * ledger changes it. The result is in the order of the places, and valid until the next call.
 * @param places the place of each device of the rollout, by device ID
 * @param tallyOne tallies one device, as `tallyDevice` does
 */
export function openTallyBook<P extends Placed, T, I extends TallyInput>(
  places: ReadonlyMap<string, P>,
  tallyOne: (place: P, input: I) => T | undefined,
): (input: I) => readonly Tallied<P, T>[] {
  const entries = new Map<string, Entry<P, T>>();
  let inOrder: readonly Entry<P, T>[] = [];
  let last: Memory | undefined;
  const note = (device: string): void => {
    const known = entries.get(device);
    if (known) known.isCurrent = false;
    const place = places.get(device);
    if (!known && place) entries.set(device, { place, tally: undefined, isCurrent: false });
  };
  const moveTo = ({ memory, task }: I): void => {
    if (last === undefined) {
      for (const device of places.keys())
        if (memory.intentsOf(device, task).length > 0) note(device);
    } else if (memory !== last) {
      const { intents, sightings } = changesBetween(last, memory);
      for (const { device } of intents) note(device);
      if (sightings.some(({ what }) => TALLIED.has(what)))
        for (const entry of inOrder) entry.isCurrent = false;
    }
    last = memory;
    if (entries.size > inOrder.length)
      inOrder = [...entries.values()].sort((a, b) => a.place.index - b.place.index);
  };
  return (input) => {
    moveTo(input);
    for (const entry of inOrder) {
      if (entry.isCurrent) continue;
      entry.tally = tallyOne(entry.place, input);
      entry.isCurrent = !input.memory.intentsOf(entry.place.device).some(mayBeRunning);
    }
    return inOrder;
  };
}
