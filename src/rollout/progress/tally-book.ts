import { changesBetween } from '../../model/ledger/memory-changes.ts';
import type { Instant } from '../../lib/time.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { ObservedKind } from '../../model/ledger/record.ts';
import { mayBeRunning } from '../budgets/down.ts';
import { overdueAt } from './attempts.ts';
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

/** Until when a tally is current, if the ledger has nothing more of its device. */
type Entry<P> = { -readonly [K in keyof Tallied<P>]: Tallied<P>[K] } & { until: Instant };

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
    if (known) known.until = -Infinity;
    const place = places.get(device);
    if (!known && place) entries.set(device, { place, tally: undefined, until: -Infinity });
  };
  const moveTo = ({ memory, task }: TallyInput): void => {
    if (last === undefined) {
      for (const device of places.keys())
        if (memory.intentsOf(device, task).length > 0) note(device);
    } else if (memory !== last) {
      const { intents, sightings } = changesBetween(last, memory);
      for (const { device } of intents) note(device);
      if (sightings.some(({ what }) => TALLIED.has(what)))
        for (const entry of inOrder) entry.until = -Infinity;
    }
    last = memory;
    if (entries.size > inOrder.length)
      inOrder = [...entries.values()].sort((a, b) => a.place.index - b.place.index);
  };
  return (input) => {
    moveTo(input);
    for (const entry of inOrder) {
      if (input.now < entry.until) continue;
      entry.tally = tallyDevice(entry.place, input);
      entry.until = currentUntil(entry, input);
    }
    return inOrder;
  };
}

/** A verified device with an open intent is being touched: since when, depends on the time. */
function currentUntil(
  { place: { device }, tally }: Tallied<Placed>,
  { memory, timeouts, now }: TallyInput,
): Instant {
  const open = memory.intentsOf(device).filter(mayBeRunning);
  if (open.length > 0 && tally?.outcome === 'verified') return now;
  return Math.min(...open.map((intent) => overdueAt(intent, timeouts)));
}
