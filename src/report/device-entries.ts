import type { CalendarEntry } from '../model/plan/calendar.ts';
import type { Device, Ref } from '../model/fleet/device.ts';
import type { Outlook } from '../model/plan/outlook.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import { TASKS, TASK_OF, TASK_TYPES, type Credential } from '../model/fleet/task.ts';
import type { Instant } from '../lib/time.ts';
import type { OpenSpan } from '../model/documents/window.ts';
import { isIn } from '../calendar/intervals.ts';
import { sharedZone } from '../calendar/site-zone.ts';
import { createFold, type Fold } from './device-events.ts';
import { placeOnly } from '../model/documents/source.ts';

interface Input {
  readonly documents: Documents;
  readonly snapshot: Snapshot;
  readonly outlooks: readonly Outlook[];
  readonly within: OpenSpan;
}

/**
 * Dates that concern devices: due dates, ends of credentials, firmware deadlines, and ends of
 * exceptions with their devices. Overdue work is listed at the beginning.
 */
export function deviceEntries(input: Input): readonly CalendarEntry[] {
  const fold = createFold(input.within);
  for (const outlook of input.outlooks) enterOutlook(outlook, input.documents.sites, fold);
  enterUngoverned(input, fold);
  return [...fold.entries(), ...exceptionEnds(input)];
}

function enterOutlook(outlook: Outlook, sites: Documents['sites'], fold: Fold): void {
  const { task, device, at, dueAt, expiresAt, breachesAt, since } = outlook;
  const shared = {
    name: at.policy,
    task,
    place: placeOnly(at),
    device,
    ...zoneIn(sites, device.sites),
  };
  if (dueAt !== undefined)
    fold.add({ ...shared, kind: 'due', at: dueAt, ...(since !== undefined && { since }) });
  if (expiresAt !== undefined) fold.add({ ...shared, kind: 'expiry', at: expiresAt });
  if (task === TASK_OF.firmware && breachesAt !== undefined)
    fold.add({ ...shared, kind: 'deadline', at: breachesAt });
}

/** The zone of a device, if its sites share one. */
function zoneIn(sites: Documents['sites'], refs: readonly Ref[]): { readonly zone?: string } {
  const { timeZone: zone } = sharedZone(sites, refs);
  return zone === undefined ? {} : { zone };
}

/** Credentials expire whether or not a policy replaces them. */
function enterUngoverned({ documents, snapshot: { devices }, outlooks }: Input, fold: Fold): void {
  const governed = new Set(outlooks.map(({ task, device }) => `${task}/${device.id}`));
  for (let row = 0; row < devices.length; row++) {
    const device = devices.at(row);
    for (const [task, expiry] of EXPIRIES) {
      const at = expiry(device);
      if (at === undefined || governed.has(`${task}/${device.id}`)) continue;
      fold.add({ kind: 'expiry', at, task, device, ...zoneIn(documents.sites, device.sites) });
    }
  }
}

const EXPIRY: Readonly<Record<Credential, (device: Device) => Instant | undefined>> = {
  password: ({ passwordExpiresAt }) => passwordExpiresAt,
  certificate: ({ sslCertificateExpiresAt }) => sslCertificateExpiresAt,
};

/** What replaces a credential, and when the one in place ends. Passwords come first. */
const EXPIRIES = TASK_TYPES.flatMap((task) => {
  const { credential } = TASKS[task];
  return credential === undefined ? [] : [[task, EXPIRY[credential]] as const];
}).toReversed();

/** An exception ends for all its devices at once. */
function exceptionEnds({ documents, outlooks, within }: Input): readonly CalendarEntry[] {
  const fold = createFold(within);
  const ended = new Set<string>();
  for (const { device, exceptions } of outlooks)
    for (const name of exceptions) {
      const entry = documents.exceptions.get(name);
      if (!entry) continue;
      ended.add(name);
      fold.add({ ...exceptionEnd(name, entry), device });
    }
  const idle = [...documents.exceptions]
    .filter(([name, { value }]) => !ended.has(name) && isIn(within, value.until))
    .map(([name, entry]) => exceptionEnd(name, entry));
  return [...fold.entries(), ...idle];
}

function exceptionEnd(
  name: string,
  { value, at }: NonNullable<ReturnType<Documents['exceptions']['get']>>,
) {
  const place = placeOnly(at);
  return { kind: 'exceptionEnds' as const, name: `exceptions.${name}`, place, at: value.until };
}
