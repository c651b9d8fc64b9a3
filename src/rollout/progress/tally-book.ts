import { changesBetween } from '../../model/ledger/memory-changes.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { ObservedKind } from '../../model/ledger/record.ts';
import { mayBeRunning } from '../budgets/down.ts';
import { tallyDevice, type DeviceTally, type TallyInput } from './tally.ts';

/** Tallies a device, as `tallyDevice` does. */
export type TallyOf = typeof tallyDevice;

/** What a tally reads of the ledger beside intents. */
const TALLIED: ReadonlySet<ObservedKind> = new Set(['deviceDown', 'timedOut']);

/**
 * Returns `tallyDevice` for one rollout with a cache: apply follows a rollout several times for each
 * attempt, and most devices do not change in between. A device with an open intent is never cached,
 * because its tally depends on the time. Any other one is cached until the ledger changes it.
 */
export function openTallyBook(): TallyOf {
  const cached = new Map<string, DeviceTally | undefined>();
  let last: Pick<TallyInput, 'memory' | 'started'> | undefined;
  const moveTo = ({ memory, started }: TallyInput): void => {
    if (last?.memory === memory && last.started === started) return;
    if (last && last.started.seq === started.seq) forgetChanged(cached, last.memory, memory);
    else cached.clear();
    last = { memory, started };
  };
  return (device, input) => {
    moveTo(input);
    const known = cached.get(device);
    if (known !== undefined || cached.has(device)) return known;
    const tally = tallyDevice(device, input);
    const intents = input.memory.intentsOf(device);
    if (intents.length > 0 && !intents.some(mayBeRunning)) cached.set(device, tally);
    return tally;
  };
}

function forgetChanged(
  cached: Map<string, DeviceTally | undefined>,
  before: Memory,
  after: Memory,
): void {
  const { intents, sightings } = changesBetween(before, after);
  if (sightings.some(({ what }) => TALLIED.has(what))) cached.clear();
  for (const { device } of intents) cached.delete(device);
}
