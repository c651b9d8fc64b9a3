import type { Values } from '../../model/plan/change.ts';
import type { Device, Ref } from '../../model/fleet/device.ts';
import type { ApprovedFirmware, Facts } from '../../model/fleet/snapshot.ts';
import type { Instant } from '../../lib/time.ts';
import { formatInstant } from '../../lib/time.ts';

/** What was read of a device, in the order to be shown; null where the service does not show it. */
export function observedOf(device: Device, facts: Facts): Values {
  return {
    status: device.status ?? null,
    lastSeen: instant(device.lastSeen),
    firmwareVersion: device.firmwareVersion ?? null,
    deviceType: device.deviceType ?? null,
    maintenanceMode: device.maintenanceMode ?? null,
    sites: names(device.sites),
    sources: names(device.sources),
    tasks: tasks(device),
    ...factsOf(facts),
  };
}

function factsOf({ targetFirmware, passwords, certificates }: Facts): Values {
  return {
    ...(targetFirmware !== undefined && { approved: approved(targetFirmware) }),
    ...(typeof passwords === 'object' && {
      passwordChangedAt: instant(passwords.changedAt),
      passwordExpiresAt: instant(passwords.expiresAt),
    }),
    ...(typeof passwords === 'string' && { passwords }),
    ...(typeof certificates === 'object' && {
      certificateFrom: instant(certificates.notBefore),
      certificateUntil: instant(certificates.notAfter),
    }),
    ...(typeof certificates === 'string' && { certificates }),
  };
}

function approved(list: readonly ApprovedFirmware[] | string): string {
  if (typeof list === 'string') return list;
  return list.map(({ version }) => version).join(', ') || 'none';
}

function tasks({ available }: Device): string | null {
  const offered = Object.entries(available).filter(([, offers]) => offers);
  return offered.map(([task]) => task).join(', ') || null;
}

function names(refs: readonly Ref[]): string | null {
  return refs.map(({ id, name }) => name ?? id).join(', ') || null;
}

function instant(at: Instant | undefined): string | null {
  return at === undefined ? null : formatInstant(at);
}
