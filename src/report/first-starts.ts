import { calendarOfDay } from '../calendar/calendar-of-day.ts';
import type { Instant } from '../lib/time.ts';
import { policiesByAddress } from '../model/documents/policies.ts';
import type { Documents } from '../model/documents/policy.ts';
import { siteZones } from './window-uses.ts';

/**
 * The first instant from another on at which a policy may start something on a device in some zone. An `expedite`
 * exception passes windows, so with one it is that instant itself.
 */
export function firstStarts(
  documents: Documents,
  now: Instant,
): (policy: string, from: Instant) => Instant {
  const policies = policiesByAddress(documents);
  const calendar = calendarOfDay(documents, now);
  const zones = siteZones(documents.sites).map((zone) => [zone]);
  const passesWindows = [...documents.exceptions.values()].some(
    ({ value }) => value.type === 'expedite',
  );
  const known = new Map<string, Instant>();
  return (address, from) => {
    const policy = policies.get(address);
    if (passesWindows || !policy) return from;
    const key = `${address} ${from}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const { windows, task } = policy;
    const query = { windows, task, autoCutoff: 0, freezes: [] };
    const starts = (zones.length > 0 ? zones : [[]]).map((each) =>
      calendar.nextStart({ ...query, zones: each }, from),
    );
    const first = Math.min(...starts.map((start) => start ?? Infinity));
    known.set(key, first);
    return first;
  };
}
