import type { Device, Ref } from '../model/fleet/device.ts';

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
export function traitsKey({
  probe,
  available,
  ...rare
}: Pick<Device, 'probe' | 'available'>): string {
  return `${membersKey(probe)}/${membersKey(available)}/${membersKey(rare)}`;
}

function membersKey(members: Readonly<Record<string, unknown>>): string {
  let key = '';
  for (const name in members) {
    const value = String(members[name]);
    key += `${name.length}:${name}${typeof members[name]}${value.length}:${value}`;
  }
  return key;
}
