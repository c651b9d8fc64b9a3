import type { Memory } from '../../model/ledger/memory.ts';
import { changesBetween } from '../../model/ledger/memory-changes.ts';
import { lastRead, type BudgetFleet, type BudgetMoment } from './budget-tracker.ts';
import { heldDown, isInFlight, judgeCoverage, ONLINE_AGAIN, rowCoverage } from './down.ts';
import { failedInOurHands } from './in-service.ts';
import type { RowMark, BaseCounts } from './base-counts.ts';

/** The base counts of all budgets, as they move from moment to moment. */
export interface MovingCounts {
  moveTo(moment: BudgetMoment): void;
  /** Device tasks in flight, by the address of their policy. */
  readonly inFlight: ReadonlyMap<string, number>;
}

/**
 * Moves counts with the ledger and the reads. Only what changed is judged again: whether a device is
 * down depends on its read, its intents and the sightings of those, and on no other device or time.
 */
export function moveWith(fleet: BudgetFleet, counts: readonly BaseCounts[]): MovingCounts {
  const { snapshot } = fleet;
  const inFlight = new Map<string, number>();
  const flights = new Map<string, readonly string[]>();
  let last: Memory | undefined;

  const markRow = (row: number, input: BudgetFleet & BudgetMoment): void => {
    const mark = judgeMark(row, input);
    for (const each of counts) each.mark(row, mark);
  };
  const countFlights = (deviceId: string, { memory }: BudgetMoment): void => {
    const before = flights.get(deviceId) ?? [];
    const now = memory.intentsOf(deviceId).filter(isInFlight);
    if (now.length === 0 && before.length === 0) return;
    flights.set(
      deviceId,
      now.map(({ policy }) => policy),
    );
    for (const policy of before) inFlight.set(policy, (inFlight.get(policy) ?? 0) - 1);
    for (const { policy } of now) inFlight.set(policy, (inFlight.get(policy) ?? 0) + 1);
    const row = snapshot.devices.rowOf(deviceId);
    if (now.length !== before.length)
      for (const each of counts) each.fly(row, now.length - before.length);
  };

  const begin = (moment: BudgetMoment): void => {
    if (counts.length > 0) markAll({ ...fleet, ...moment }, counts);
    const open = new Set(moment.memory.open().map(({ device }) => device));
    for (const deviceId of open) countFlights(deviceId, moment);
  };

  return {
    inFlight,
    moveTo(moment) {
      const { memory, readAgain = [] } = moment;
      if (last === undefined) begin(moment);
      else {
        const input = { ...fleet, ...moment };
        const touched = touchedDevices(last, memory);
        for (const deviceId of touched) countFlights(deviceId, moment);
        for (const deviceId of readAgain) touched.add(deviceId);
        for (const deviceId of touched) {
          const row = snapshot.devices.rowOf(deviceId);
          if (row !== undefined) markRow(row, input);
        }
      }
      last = memory;
    },
  };
}

/** A device on which each task ended well, and that was not read since, counts as the list shows it; at first each device is up. */
function markAll(input: BudgetFleet & BudgetMoment, counts: readonly BaseCounts[]): void {
  const { memory, reads, snapshot } = input;
  const { length, text } = snapshot.devices;
  const touched = new Set<string>();
  for (const { device, verdict } of memory.intents.values())
    if (verdict !== 'done') touched.add(device);
  const coverageAt = rowCoverage(snapshot);
  for (let row = 0; row < length; row += 1) {
    const id = text.id.values[text.id.codes[row] ?? 0] ?? '';
    const isTouched = touched.has(id) || reads?.get(id) !== undefined;
    const mark = isTouched ? judgeMark(row, input) : { coverage: coverageAt(row), inHands: false };
    if (!isTouched && mark.coverage === 'up') continue;
    for (const each of counts) each.mark(row, mark);
  }
}

/** The devices of which the ledger says something else than before. */
function touchedDevices(before: Memory, after: Memory): Set<string> {
  const { intents, sightings } = changesBetween(before, after);
  const devices = new Set<string>();
  for (const { device } of intents) devices.add(device);
  for (const { what, subject } of sightings) {
    const device = what === ONLINE_AGAIN ? after.intents.get(subject)?.device : undefined;
    if (device !== undefined) devices.add(device);
  }
  return devices;
}

function judgeMark(row: number, input: BudgetFleet & BudgetMoment): RowMark {
  const { memory, now, snapshot } = input;
  const read = lastRead(input, row);
  const { device, readAt } = read;
  const held = heldDown(memory, device, { facts: snapshot.facts, now });
  return {
    coverage: held ? 'down' : judgeCoverage(device, readAt),
    inHands: held || failedInOurHands(memory, read),
  };
}
