import { shortId } from '../lib/canonical.ts';
import type { Values } from '../model/plan/change.ts';
import { type Device, type Probe, PROBES } from '../model/fleet/device.ts';
import type { Memory } from '../model/ledger/memory.ts';
import { seedOf, type RestartPolicy } from '../model/documents/policy.ts';
import { findSighting } from '../model/ledger/sightings.ts';
import type { Instant } from '../lib/time.ts';

/** The kind of SEEN records about a symptom. Their value is `SHOWN` or `CLEARED`. */
export const SYMPTOM = 'symptom';
export const SHOWN = 'shown';
export const CLEARED = 'gone';

/** Whether a device shows the symptom of a policy. `unknown` names a deciding field that is missing. */
export type Showing =
  | { readonly is: 'shown' }
  | { readonly is: 'absent' }
  | { readonly is: 'unknown'; readonly field: string };

/**
 * Every part that a policy names must match: the status and each probe must have one of the values
 * that the policy lists for it.
 */
export function showing({ when: { status, probe } }: RestartPolicy, device: Device): Showing {
  const parts = [
    ...(status.length > 0 ? [{ field: 'status', wanted: status, value: device.status }] : []),
    ...named(probe).map((name) => ({
      field: probeField(name),
      wanted: probe[name] ?? [],
      value: device.probe[name],
    })),
  ];
  if (parts.some(({ wanted, value }) => value !== undefined && !wanted.includes(value)))
    return { is: 'absent' };
  const unknown = parts.find(({ value }) => value === undefined);
  return unknown ? { is: 'unknown', field: unknown.field } : { is: 'shown' };
}

/** Whether `lastSeen` dates the symptom: the device is offline, and the policy lists `offline`. */
export function isDatedByLastSeen({ when: { status } }: RestartPolicy, device: Device): boolean {
  return device.status === 'offline' && status.includes('offline');
}

/**
 * Since when the symptom has held: `lastSeen` for a device that is offline, else the first SEEN
 * record that no later one contradicts. Undefined if nothing records it (semantics S3).
 */
export function heldSince(
  policy: RestartPolicy,
  device: Device,
  memory: Partial<Pick<Memory, 'sightings'>>,
): Instant | undefined {
  if (isDatedByLastSeen(policy, device)) return device.lastSeen;
  const sighting = findSighting(memory, SYMPTOM, symptomSubject(policy, device.id));
  return sighting?.value === SHOWN ? sighting.since : undefined;
}

/** The subject of a SEEN record: one policy, one device, and the symptom as the policy defines it. */
export function symptomSubject(policy: RestartPolicy, deviceId: string): string {
  const { status, probe } = policy.when;
  return shortId([
    seedOf(policy),
    deviceId,
    [...status].sort(),
    named(probe).map((name) => [name, ...(probe[name] ?? []).toSorted()]),
  ]);
}

/** The names of the fields that a symptom uses. */
export function symptomFields({ when: { probe } }: RestartPolicy): readonly string[] {
  return ['probe', ...named(probe).map(probeField)];
}

/** The values of the fields that a symptom uses, as read. */
export function symptomValues({ when: { probe } }: RestartPolicy, device: Device): Values {
  return {
    ...(device.status !== undefined && { status: device.status }),
    ...Object.fromEntries(
      named(probe).map((name) => [probeField(name), device.probe[name] ?? null] as const),
    ),
  };
}

/** The values of the same fields on a healthy device. */
export function wellValues({ when: { probe } }: RestartPolicy): Values {
  return {
    status: 'online',
    ...Object.fromEntries(named(probe).map((name) => [probeField(name), 'up'] as const)),
  };
}

function named(probe: RestartPolicy['when']['probe']): readonly Probe[] {
  return PROBES.filter((name) => probe[name] !== undefined);
}

function probeField(name: Probe): string {
  return `probe.${name}`;
}
