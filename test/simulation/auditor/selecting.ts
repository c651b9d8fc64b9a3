import type { DeviceState } from '../../../src/twin/world/state.ts';
import type { World } from '../../../src/twin/world/world.ts';
import type { Fields, WishedGroup, WishedPolicy, WishedSelector, Wishes } from '../wishes.ts';

/** What selectors ask of a device, in truth. */
export interface Member {
  readonly id: string;
  readonly deviceType: string;
  readonly vendor: string;
  readonly model: string;
  /** Name of its site. */
  readonly site: string;
  readonly storageServer: string | undefined;
}

export function memberOf(world: World, device: DeviceState): Member {
  const { id, deviceType, vendor, model, siteId, storageServer } = device;
  return { id, deviceType, vendor, model, site: world.site(siteId)?.name ?? '', storageServer };
}

/** Whether a device is meant: every key that is written has to fit. */
export function fits(select: WishedSelector, member: Member): boolean {
  const { device, deviceType, vendor, model, site } = select;
  if (device !== undefined && device !== '*' && !device.includes(member.id)) return false;
  const pairs = [
    [deviceType, member.deviceType],
    [vendor, member.vendor],
    [model, member.model],
    [site, member.site],
  ] as const;
  return pairs.every(([wanted, found]) => wanted === undefined || wanted === found);
}

export function isIn(group: WishedGroup, member: Member): boolean {
  return group.devices?.includes(member.id) ?? fits(group.select ?? {}, member);
}

/** What the documents say of the rollout of a policy, if it has one. */
export function rolloutOf(wishes: Wishes, address: string): Fields | undefined {
  const [section = '', name = ''] = address.split('.');
  const sections: Readonly<Record<string, Record<string, WishedPolicy>>> = {
    firmware: wishes.firmware,
    rotations: wishes.rotations,
  };
  return wishes.rollouts[sections[section]?.[name]?.rollout ?? ''];
}
