import { countDevices } from '../model/plan/coverage.ts';
import type { Limit } from './limit.ts';

/** How many sites a refusal names, those that lack most. */
const MOST_SITES = 3;

/**
 * Counts known devices that are missing from their sites: a sign of changed permissions, and budgets do
 * not count hidden devices (semantics M32). It is judged whether a change is wanted or not. An exception that
 * raises it selects nothing: no selector selects a device that is gone.
 */
export const maxVanished: Limit = {
  judge({ limit, allowances, sighted, snapshot }) {
    const { seen, known = seen, gone: number = 0 } = sighted;
    const higher = allowances.findLast(({ value }) => value > limit);
    const raised = number > limit ? higher : undefined;
    const allowed = raised?.value ?? limit;
    const nameOf = (id: string) => snapshot.sites.find((site) => site.id === id)?.name ?? id;
    const sites = Object.entries(known)
      .map(([id, before]) => ({ site: nameOf(id), before, now: seen[id] ?? 0 }))
      .filter(({ before, now }) => now < before)
      .sort((a, b) => b.before - b.now - (a.before - a.now));
    return [
      {
        value: allowed,
        number,
        allowed,
        of: countDevices(known),
        passed: number <= allowed,
        ...(number > allowed && { sites: sites.slice(0, MOST_SITES) }),
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
