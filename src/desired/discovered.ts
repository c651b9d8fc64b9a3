import type { DiscoveredDevice } from '../model/fleet/device.ts';
import { matchesAny } from '../lib/glob.ts';
import { internBy, internTexts } from '../lib/intern.ts';
import type { DiscoveredSelector, Selector } from '../model/documents/policy.ts';
import type { CodedColumn } from '../lib/columns.ts';
import { getOrAdd } from '../lib/maps.ts';
import { pick } from '../lib/objects.ts';
import { isUnreadable } from '../model/fleet/unreadable.ts';
import type { Membership } from '../model/documents/selector.ts';
import { allOf, type DeviceColumns } from './clauses.ts';

/** Caches the columns of a reading for one plan. */
const ROWS = new WeakMap<readonly DiscoveredDevice[], DeviceColumns>();

/** Discovered devices as columns, so that selectors and exceptions apply to them. */
export function discoveredRows(devices: readonly DiscoveredDevice[]): DeviceColumns {
  return getOrAdd(ROWS, devices, () => buildColumns(devices));
}

function buildColumns(devices: readonly DiscoveredDevice[]): DeviceColumns {
  const text = (valueOf: (device: DiscoveredDevice) => string | undefined): CodedColumn<string> =>
    buildColumn(devices, internTexts(), valueOf);
  const lists = <T>(valueOf: (device: DiscoveredDevice) => readonly T[] | undefined) =>
    buildColumn(devices, internBy<readonly T[]>([], JSON.stringify), valueOf);
  const none = text(() => undefined);
  return {
    length: devices.length,
    text: {
      id: text(({ id }) => id),
      name: text(({ name }) => name),
      vendor: text(({ vendor }) => vendor),
      model: text(({ model }) => model),
      deviceType: text(({ deviceType }) => deviceType),
      firmwareVersion: none,
      status: none,
    },
    sites: lists(({ site }) => site && [site]),
    sources: lists(({ sources }) => sources),
    unreadable: lists(({ unreadable }) => unreadable),
  };
}

/** The keys of a discovered selector that managed devices have too. */
export function commonKeys(select: DiscoveredSelector): Selector {
  return pick(select, 'source', 'vendor', 'deviceType', 'name');
}

/**
 * Evaluates the keys that only discovered devices have. A missing time lies in no span; one that could not be read may
 * lie in it (semantics M20).
 */
export function ownKeysHold(select: DiscoveredSelector, device: DiscoveredDevice): Membership {
  const { status, discoveredAfter, discoveredBefore } = select;
  const { onboardingStatus, discoveredAt = Number.NaN } = device;
  const isIn = (field: string, holds: boolean): Membership =>
    isUnreadable(device, field) ? 'maybe' : holds;
  return allOf([
    !status ||
      isIn(
        'onboardingStatus',
        onboardingStatus !== undefined && matchesAny(status, onboardingStatus),
      ),
    discoveredAfter === undefined || isIn('discoveredAt', discoveredAt > discoveredAfter),
    discoveredBefore === undefined || isIn('discoveredAt', discoveredAt < discoveredBefore),
  ]);
}

function buildColumn<T>(
  devices: readonly DiscoveredDevice[],
  interned: ReturnType<typeof internBy<T>>,
  valueOf: (device: DiscoveredDevice) => T | undefined,
): CodedColumn<T> {
  const codes = Uint32Array.from(devices, (device) => interned.codeOf(valueOf(device)));
  return { values: interned.values, codes };
}
