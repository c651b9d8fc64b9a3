import { countAtPercent } from '../model/documents/guardrail.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Limit } from './limit.ts';
import { countsBetween, isShare, managedDevices } from './recount.ts';
import { weigh } from './weigh.ts';

/**
 * Counts devices with a counted change, as a percentage of the visible devices. A device to be
 * onboarded is not visible yet.
 */
export const maxPercentOfFleet: Limit = {
  judge({ counted, limit, allowances, snapshot }) {
    const total = snapshot.devices.length;
    const managed = counted.filter(({ row }) => row !== undefined);
    const units = groupBy(managed, ({ row }) => row).values();
    return [
      {
        ...weigh({ units, limit, allowances, allowed: (value) => countAtPercent(total, value) }),
        of: total,
      },
    ];
  },
  follows(verdict, { counted, shown }) {
    const devices = managedDevices(counted).size;
    return verdict.of === shown && isShare(verdict) && countsBetween(verdict, devices, devices);
  },
};
