import { flatKey, internBy, type Interned } from '../lib/intern.ts';
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

/** Traits that are known again without making a text of them. */
export interface TraitCodes {
  readonly values: readonly Traits[];
  codeOf(device: Device): number;
}

/** The traits of one value so far, by the value that follows. */
interface TraitNode {
  readonly next: Map<unknown, TraitNode>;
  code?: number;
}

/** What one reading makes of equal values is the same object, so few nodes serve a fleet. */
const MOST_NODES = 4_096;

/** Codes of traits: found by the values themselves, else by their text. */
export function internTraits(): TraitCodes {
  const interned: Interned<Traits> = internBy({ probe: {}, available: {} }, traitsKey);
  let root: TraitNode = { next: new Map() };
  let nodes = 0;
  const step = ({ next }: TraitNode, value: unknown): TraitNode => {
    let node = next.get(value);
    if (node) return node;
    node = { next: new Map() };
    next.set(value, node);
    nodes += 1;
    return node;
  };
  return {
    values: interned.values,
    codeOf(device) {
      if (nodes > MOST_NODES) {
        root = { next: new Map() };
        nodes = 0;
      }
      let node = root;
      for (const name of RARE) node = step(node, device[name]);
      node = step(step(node, device.available), device.probe);
      return (node.code ??= interned.codeOf(pickTraits(device)));
    },
  };
}

/** The traits of a device; absent ones are left out. */
function pickTraits(device: Device): Traits {
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
function traitsKey({ probe, available, ...rare }: Traits): string {
  return `${flatKey(probe)}/${flatKey(available)}/${flatKey(rare)}`;
}
