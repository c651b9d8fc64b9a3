import { changesBetween } from '../../model/ledger/memory-changes.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { ObservedKind } from '../../model/ledger/record.ts';
import { mayBeRunning } from '../budgets/down.ts';
import { type DeviceTally, tallyDevice, type TallyInput } from './tally.ts';

/** A device of a rollout, and its position in the count. */
export interface Placed extends Pick<DeviceTally, 'device' | 'wave'> {
  readonly index: number;
}

/** A device that the ledger has intents of. */
export interface Tallied<P> {
  readonly place: P;
  /** Undefined if the rollout has not attempted it. */
  readonly tally: DeviceTally | undefined;
}

/** The SEEN records that a tally reads besides intents. */
const TALLIED: ReadonlySet<ObservedKind> = new Set(['deviceDown', 'timedOut', 'wavePassed']);

type Entry<P> = { -readonly [K in keyof Tallied<P>]: Tallied<P>[K] } & { isCurrent: boolean };

/**
 * Opens the tallies of one running rollout, with a cache: apply follows a rollout several times for
 * each attempt, and most devices do not change in between. A device with an open intent is tallied
 * at each call, because its tally depends on the time. Any other one is tallied again only when the
 * ledger changes it. The result is in the order of the places, and valid until the next call.
 * @param places the place of each device of the rollout, by device ID
 */
export function openTallyBook<P extends Placed>(
  places: ReadonlyMap<string, P>,
): (input: TallyInput) => readonly Tallied<P>[] {
  const entries = new Map<string, Entry<P>>();
  let inOrder: readonly Entry<P>[] = [];
  let last: Memory | undefined;
  const note = (device: string): void => {
    const known = entries.get(device);
    if (known) known.isCurrent = false;
    const place = places.get(device);
    if (!known && place) entries.set(device, { place, tally: undefined, isCurrent: false });
  };
  const moveTo = ({ memory, task }: TallyInput): void => {
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
      entry.tally = tallyDevice(entry.place, input);
      entry.isCurrent = !input.memory.intentsOf(entry.place.device).some(mayBeRunning);
    }
    return inOrder;
  };
}
