import type { FleetPart } from '../../model/plan/part.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import { growingCodes } from '../../lib/growing-array.ts';
import { partMembership } from './membership.ts';

/** The limit of a plan to a part, while its decisions are collected. */
export interface PartLimit {
  /** Whether a decision belongs to the part; the device is then counted as inside. */
  takes(policy: string, deviceId: string): boolean;
  takesEntry(policy: string, deviceId: string | undefined): boolean;
  /** Stores whether the next change belongs to the part. */
  add(isOwn: boolean): void;
  isInPart(index: number): boolean;
  /** Counts a decision outside the part for which a value was not read. */
  noteUnread(): void;
  outside(): Outside;
}

/** The decisions outside a part, counted. */
export interface Outside {
  readonly devices: number;
  /** Decisions for which a value was not read. */
  readonly notRead: number;
}

/** Without a part, everything belongs to the plan. */
export function limitTo(part: FleetPart | undefined, snapshot: Snapshot): PartLimit {
  return part ? createLimit(part, snapshot) : WHOLE;
}

const WHOLE: PartLimit = {
  takes: () => true,
  takesEntry: () => true,
  add: () => undefined,
  isInPart: () => true,
  noteUnread: () => undefined,
  outside: () => ({ devices: 0, notRead: 0 }),
};

function createLimit(part: FleetPart, snapshot: Snapshot): PartLimit {
  const { devices } = snapshot;
  const members = partMembership(part, snapshot);
  const own = growingCodes();
  let notRead = 0;
  const inside = Uint8Array.from({ length: devices.length }, (_, row) =>
    Number(!part.policies && members.hasDevice(devices.idAt(row))),
  );
  return {
    takes(policy, deviceId) {
      const isOwn = members.has(policy, deviceId);
      const row = isOwn ? devices.rowOf(deviceId) : undefined;
      if (row !== undefined) inside[row] = 1;
      return isOwn;
    },
    takesEntry: members.hasEntry,
    add: (isOwn) => own.push(Number(isOwn)),
    isInPart: (index) => own.at(index) === 1,
    noteUnread: () => void (notRead += 1),
    outside: () => ({
      devices: devices.length - inside.reduce((sum, each) => sum + each, 0),
      notRead,
    }),
  };
}
