import { computeOnce } from '../lib/compute-once.ts';
import { flatKey } from '../lib/intern.ts';
import { numberPairs } from '../lib/pair-numbers.ts';
import type { Device, Ref } from '../model/fleet/device.ts';
import type { ListedColumns } from '../model/fleet/rows.ts';

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

/** The members of traits; which of their values come together is the combination of a device. */
const TRAITS = [...RARE, 'available', 'probe'] as const;

/** Traits in columns: each combination of values is stored once. */
export interface TraitCodes {
  readonly values: readonly Traits[];
  codeOf(device: Device): number;
  /** The code of each device of a page. */
  codesIn(page: ListedColumns): Uint32Array;
}

/**
 * Codes of traits. Each value has a number by its text, and each combination of numbers a code, so that a device is
 * known by some small numbers. Most devices lack most members, so a member that is absent takes no part.
 */
export function internTraits(): TraitCodes {
  const values: Traits[] = [{ probe: {}, available: {} }];
  const texts = new Map<string, number>();
  const pairNumber = numberPairs();
  const codes: (number | undefined)[] = [];
  const numberOf = TRAITS.map((name) =>
    computeOnce((value: unknown): number => {
      if (value === undefined) return 0;
      const text = `${name} ${valueKey(value)}`;
      const known = texts.get(text) ?? texts.size + 1;
      texts.set(text, known);
      return known;
    }),
  );
  const combined = (numbers: readonly number[]): number => {
    let combination = 0;
    for (const number of numbers) if (number !== 0) combination = pairNumber(combination, number);
    return combination;
  };
  const coded = (combination: number, traits: () => Traits): number =>
    (codes[combination] ??= values.push(traits()) - 1);
  return {
    values,
    codeOf(device) {
      const numbers = numberOf.map((read, member) => read(device[TRAITS[member] ?? 'probe']));
      return coded(combined(numbers), () => pickTraits(device));
    },
    codesIn({ ids, shared }) {
      const members = TRAITS.map((name, member) => {
        const { values: own, codes: at } = shared[name];
        return { at, numbers: Uint32Array.from(own, (value) => numberOf[member]?.(value) ?? 0) };
      });
      return Uint32Array.from(ids, (_, row) => {
        let combination = 0;
        for (const { at, numbers } of members) {
          const number = numbers[at[row] ?? 0] ?? 0;
          if (number !== 0) combination = pairNumber(combination, number);
        }
        return coded(combination, () => pickTraits(traitsIn(shared, row)));
      });
    },
  };
}

/** The values of a row by the names of its members. */
function traitsIn(shared: ListedColumns['shared'], row: number): Traits {
  const found: Record<string, unknown> = { probe: {}, available: {} };
  for (const name of TRAITS) {
    const value = shared[name].values[shared[name].codes[row] ?? 0];
    if (value !== undefined) found[name] = value;
  }
  return found as unknown as Traits;
}

/** The traits of a device; absent ones are left out. */
function pickTraits(device: Traits): Traits {
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

/** The same for a member of traits. Of each member all values have one type. */
function valueKey(value: unknown): string {
  return typeof value === 'object' && value !== null ? flatKey(value) : String(value);
}
