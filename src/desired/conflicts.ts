import type { Diagnostic } from '../model/documents/diagnostic.ts';
import { isOfIncident } from '../model/documents/policies.ts';
import type { Policy } from '../model/documents/policy.ts';
import { type SourceLocation, placeOnly } from '../model/documents/source.ts';
import { differingParts } from './precedence.ts';

/** One side of a tie: a policy or a pin. */
export interface Side {
  readonly address: string;
  readonly at: SourceLocation;
  readonly want?: string | undefined;
  /** Absent for a pin. */
  readonly policy?: Policy;
}

/** Counts ties, so that each pair of policies is reported once with its number of devices. */
export interface Conflicts {
  /** Adds a tie of `count` devices; `deviceId` is an example. */
  add(sides: readonly [Side, Side], found: { deviceId: string; count: number }): void;
  /** One error per pair, in the order of the first occurrence. */
  diagnostics(): readonly Diagnostic[];
}

export function countConflicts(): Conflicts {
  const met = new Map<string, { sides: readonly [Side, Side]; deviceId: string; count: number }>();
  return {
    add(sides, { deviceId, count }) {
      const key = `${sides[0].address} ${sides[1].address}`;
      const known = met.get(key);
      if (known) known.count += count;
      else met.set(key, { sides, deviceId, count });
    },
    diagnostics: () =>
      [...met.values()].map(({ sides, deviceId, count }) =>
        toConflict(sides, { count, device: deviceId }),
      ),
  };
}

/** A tie as a finding. `found` is the number of devices and an example, if known. */
export function toConflict(
  [one, other]: readonly [Side, Side],
  found: Diagnostic['params'] = {},
): Diagnostic {
  return {
    code: 'conflict',
    severity: 'error',
    at: placeOnly(one.at),
    params: {
      policy: one.address,
      other: other.address,
      ...(isOfIncident(one.address) && { problem: 'incidents' }),
      ...(!one.policy && { problem: 'pins' }),
      ...found,
      ...wantParams(one, other),
    },
    related: [placeOnly(other.at)],
  };
}

/** What each side wants; for policies that want the same, or without a phrase, what differs. */
function wantParams(one: Side, other: Side): Diagnostic['params'] {
  const isIncident = isOfIncident(one.address);
  if (!isIncident && one.want === other.want && one.policy && other.policy)
    return { differs: differingParts(one.policy, other.policy).join(', ') };
  return {
    ...(one.want !== undefined && { want: one.want }),
    ...(other.want !== undefined && { otherWant: other.want }),
  };
}
