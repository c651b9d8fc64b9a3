import { findDialectKeys } from '../model/fleet/dialect-keys.ts';
import type { AdoptNotice, AdoptSubject, LeftOutWhy } from '../model/report/adoption.ts';

/** Counts the devices that no policy of an import selects, by reason. */
export interface LeftOut {
  /** @param name the vendor or the type, where a reason is one of all its devices */
  add(what: AdoptSubject, why: LeftOutWhy, devices: number, name?: string): void;
  /** A device with a field that the task needs and that was not understood. */
  unreadable(what: AdoptSubject, field: string): void;
  /** Devices of a group that existing policies select. */
  cover(what: AdoptSubject, policy: string, devices: number): void;
  notices(): readonly AdoptNotice[];
}

/** Counts that are empty. */
export function createLeftOut(): LeftOut {
  const sums = new Map<string, { readonly notice: AdoptNotice; count: number }>();
  const names = new Map<string, Set<string>>();
  const count = (notice: AdoptNotice, devices: number): string => {
    const key = JSON.stringify(notice);
    const sum = sums.get(key) ?? { notice, count: 0 };
    sum.count += devices;
    sums.set(key, sum);
    return key;
  };
  return {
    add(what, why, devices, name) {
      if (devices === 0) return;
      const key = count({ code: 'leftOut', what, why, devices: 0, names: [] }, devices);
      if (name !== undefined) names.set(key, (names.get(key) ?? new Set()).add(name));
    },
    unreadable(what, field) {
      const key = findDialectKeys(field, 'devices');
      const known = key === undefined ? {} : { key };
      count({ code: 'fieldUnreadable', what, field, devices: 0, ...known }, 1);
    },
    cover: (what, policy, devices) => count({ code: 'covered', policy, what, devices: 0 }, devices),
    notices: () =>
      [...sums].map(([key, { notice, count: devices }]) => {
        const counted = { ...notice, devices } as AdoptNotice;
        if (counted.code !== 'leftOut') return counted;
        return { ...counted, names: [...(names.get(key) ?? [])].toSorted() };
      }),
  };
}
