import type { Device } from '../../model/fleet/device.ts';
import { numberPairs } from '../../lib/pair-numbers.ts';
import type { Want } from '../../model/plan/desired-state.ts';
import { isInOrphaned } from '../../rollout/progress/orphans.ts';
import type { DeviceClass } from './device-classes.ts';
import type { Prepared, RuleResult } from './decision-input.ts';

/** The inputs of a decision besides the class of the device, as a number; undefined if the device is decided alone. */
export type PlaceOf = (want: Want, deviceClass: DeviceClass) => number | undefined;

/**
 * The second half of the fast corner (`device-classes.ts`). Where the first steps do not settle a class, the later ones
 * read of a device, beside what its class shares, nothing but its status, its wave, its intents of any task, and
 * exceptions that open gates. So devices of a class with one status in one wave are decided alike, where
 * - no intent in the ledger is of the device (what runs, is in doubt, or ended a moment ago);
 * - no exception opens a gate or skips a canary, which may be for some devices only;
 * - no rollout of an address that no policy has is of the device;
 * - it is neither offline nor in maintenance mode: such a change tells since when. Where the first steps have decided,
 *   as in a hard freeze, only
 *   the instant is left open, and status has no part in that.
 *
 * Under a freeze, in front of a closed window or behind a wave this is nearly every device of a fleet.
 */
export function openPlaces({ documents, memory, snapshot, followed, orphans }: Prepared): PlaceOf {
  const { id, status } = snapshot.devices.text;
  const pairNumber = numberPairs();
  const opensGates = [...documents.exceptions.values()].some(
    ({ value }) =>
      value.type === 'allow' && (value.allow === 'gate' || value.allow === 'skipCanary'),
  );
  const offline = status.values.indexOf('offline');
  const isAway = ({ maintenanceMode }: Device, code: number): boolean =>
    maintenanceMode === true || code === offline;
  // A change that waits tells which gates exceptions open for its device.
  const tellsGates = ({ action }: RuleResult): boolean => opensGates && action === 'wait';
  const isAlone = (deviceId: string): boolean =>
    opensGates ||
    memory.intentsOf(deviceId).length > 0 ||
    (orphans !== undefined && isInOrphaned(orphans, deviceId));
  return ({ row, policy }, { first, settled, isDecided }) => {
    if (settled && !tellsGates(settled)) return 0;
    const deviceId = id.values[id.codes[row] ?? 0] ?? '';
    if (isAlone(deviceId)) return undefined;
    const code = isDecided ? 0 : (status.codes[row] ?? 0);
    if (!isDecided && isAway(first.case.device, code)) return undefined;
    const rollout = followed?.get(policy.value.address);
    if (rollout && !rollout.assignment.memberOf(deviceId)) return undefined;
    const wave = rollout?.assignment.assignmentOf(deviceId).wave ?? -1;
    return pairNumber(code, wave + 1);
  };
}
