import { parseCron } from '../../lib/cron.ts';
import { type Diagnostic, error, warning } from '../../model/documents/diagnostic.ts';
import { isShared } from '../../model/ledger/ground.ts';
import { type AuthoredFleet, placeIn, type DocumentRule } from '../authored.ts';
import { CREDENTIALS, SERVICE_URLS } from './secrets.ts';
import { isLoopback, isWeb, readAddress } from '../../lib/address.ts';
import { zoneOfCity } from '../../lib/city-zones.ts';
import { nearest } from '../../lib/nearest-name.ts';
import { valuesOf } from './values-of.ts';
import { memberAt } from '../../lib/objects.ts';
import { getOrAdd } from '../../lib/maps.ts';

export const VALUE_RULES: readonly DocumentRule[] = [
  zonesExist,
  cronsAreReal,
  urlsAreSafe,
  approvalsAreShared,
];

/** Time zones must be IANA names; there is no fallback to UTC. */
function* zonesExist(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const section of ['sites', 'windows', 'freezes'] as const)
    for (const entry of fleet.of(section)) {
      const zone = entry.value.timeZone;
      if (zone === undefined || (zone === 'site' && section !== 'sites') || isZoneName(zone))
        continue;
      const suggestion =
        zoneOfCity(zone.slice(zone.lastIndexOf('/') + 1)) ??
        nearest(zone, Intl.supportedValuesOf('timeZone'));
      yield error('badZone', placeIn(entry, '/timeZone'), {
        value: zone,
        ...(suggestion !== undefined && { suggestion }),
      });
    }
}

/** Checks the form of cron expressions; the window lints check whether they ever match. */
function* cronsAreReal(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const {
    entry,
    value: { cron: value },
    below,
  } of valuesOf(fleet, 'span')) {
    if (value === undefined) continue;
    const cron = parseCron(value);
    if ('problem' in cron)
      yield error('badCron', placeIn(entry, `${below}/cron`), { value, ...cron });
  }
}

/**
 * Token and service share one origin, and a notification is for its receiver; anything else in a URL would be sent
 * along.
 */
function* urlsAreSafe(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.all('service'))
    for (const below of SERVICE_URLS) {
      const value = memberAt(entry.value, ...below.split('/').slice(1));
      const problem = typeof value === 'string' ? urlProblem(value) : undefined;
      if (typeof value !== 'string' || !problem) continue;
      const isSecret = problem === 'userInfo' || /:\/\/[^\s]*@/.test(value);
      yield error('badUrl', placeIn(entry, below), {
        value,
        problem: isSecret ? 'userInfo' : problem,
        ...(isSecret && below === '/baseUrl' && { variables: CREDENTIALS }),
      });
    }
}

/** A fixed offset, which is no place. */
const FIXED_OFFSET = /^Etc\/GMT.+/;

/**
 * Caches zones: a thousand sites share a dozen. The names that Intl lists are there from the start,
 * because the first date formatter of a process takes 10 ms and the list takes 1 ms.
 */
let zones: Map<string, boolean> | undefined;

/** Whether a text is the name of a time zone, and neither an offset nor in the wrong case. */
export function isZoneName(zone: string): boolean {
  zones ??= new Map(
    Intl.supportedValuesOf('timeZone')
      .filter((name) => !FIXED_OFFSET.test(name))
      .map((name) => [name, true]),
  );
  return getOrAdd(zones, zone, () => isIntlZone(zone));
}

/** As `sites` takes it: `CET` and the like are no place. */
const FORM_OF_ZONE = /^(?:UTC|[A-Z][A-Za-z_]+(?:\/[A-Za-z0-9_+-]+){1,2})$/;

/** Whether a text can be the time zone of a site: an IANA name of a place, or `UTC`. */
export function isSiteZone(zone: string): boolean {
  return FORM_OF_ZONE.test(zone) && isZoneName(zone);
}

/** As a date formatter takes it; rejects `Etc/GMT+5`, a fixed offset, and names in the wrong case. */
export function isIntlZone(zone: string): boolean {
  if (FIXED_OFFSET.test(zone)) return false;
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
    return known === zone || known.toLowerCase() !== zone.toLowerCase();
  } catch {
    return false;
  }
}

type UrlProblem = 'pattern' | 'scheme' | 'userInfo' | 'query' | 'fragment';

/**
 * The problem with a base URL, if any: it must be https, or http on loopback, with only an origin
 * and a path.
 */
export function urlProblem(text: string): UrlProblem | undefined {
  const url = readAddress(text);
  if (!url || !/^[a-z]+:\/\//i.test(text) || /\s/.test(text)) return 'pattern';
  if (url.username !== '' || url.password !== '' || /^\w+:\/\/[^/?#]*@/.test(text))
    return 'userInfo';
  if (text.includes('#')) return 'fragment';
  if (text.includes('?')) return 'query';
  if (url.protocol === 'https:') return undefined;
  return isWeb(url) && isLoopback(url) ? undefined : 'scheme';
}

/** Approvals are records that a job appends after a gate: it needs a ledger that it can reach (semantics N73). */
function* approvalsAreShared(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('service')) {
    const { approval = 'commit', ledger } = entry.value;
    if (approval === 'commit' || isShared(ledger)) continue;
    yield warning('approvalWithoutGate', placeIn(entry, '/approval'), {
      problem: 'directory',
    });
  }
}
