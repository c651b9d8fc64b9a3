import { countDevices } from '../model/plan/coverage.ts';
import type { Limit } from './limit.ts';

/**
 * Counts known devices that the service does not return: a sign of changed permissions, and budgets do
 * not count hidden devices (semantics M32). It is judged whether a change is wanted or not. An exception that
 * raises it selects nothing: no selector selects a device that is gone.
 */
export const maxVanished: Limit = {
  judge({ limit, allowances, sighted }) {
    const { known = sighted.seen, gone: number = 0 } = sighted;
    const higher = allowances.findLast(({ value }) => value > limit);
    const raised = number > limit ? higher : undefined;
    const allowed = raised?.value ?? limit;
    return [
      {
        value: allowed,
        number,
        allowed,
        of: countDevices(known),
        passed: number <= allowed,
        ...(raised && { raisedBy: raised.by }),
      },
    ];
  },
  /** Devices may be gone from one site while others have come to another. */
  follows({ number, allowed, value, of: total, passed }, { shown }) {
    const known = total ?? shown;
    const isNumber = number >= known - shown && number <= known && allowed === value;
    return isNumber && passed === number <= allowed;
  },
};
