import { flatKey } from '../lib/intern.ts';
import type { Device, Ref } from '../model/fleet/device.ts';

/** Fields that no selector uses and that rarely differ, stored once per combination. */
export type Traits = Pick<Device, 'probe' | 'available' | (typeof RARE)[number]>;

/** Optional fields of the traits, in the order of a stored row. */
const RARE = [
  'maintenanceMode',
  'recordingStatus',
  'lifeCycle',
  'supportEndsAt',
  'sslCertificateStatus',
  'dot1xCertificateStatus',
  'vulnerabilitySeverity',
  'patchedFirmwareVersion',
  'suggestedFirmwareVersion',
  'suggestedReplacementModel',
  'orphaned',
] as const;

/** The traits of a device; absent ones are left out. */
export function pickTraits(device: Device): Traits {
  const { probe, available } = device;
  const traits: { -readonly [K in keyof Traits]: Traits[K] } = { probe, available };
  for (const name of RARE) putRare(traits, name, device[name]);
  return traits;
}

function putRare<K extends (typeof RARE)[number]>(
  traits: { -readonly [N in K]?: Traits[N] },
  name: K,
  value: Traits[K],
): void {
  if (value !== undefined) traits[name] = value;
}

/**
 * A text that differs where the references do: each part has its length before it, as an ID may
 * hold any character. `JSON.stringify` would cost three times as much for each device.
 */
export function refsKey(refs: readonly Ref[]): string {
  let key = '';
  for (const { id, name } of refs)
    key += `${id.length}:${id}${name === undefined ? '-' : `${name.length}:${name}`}`;
  return key;
}

/** The same for traits. */
export function traitsKey({ probe, available, ...rare }: Traits): string {
  return `${flatKey(probe)}/${flatKey(available)}/${flatKey(rare)}`;
}
