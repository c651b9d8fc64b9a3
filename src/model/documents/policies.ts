import { afterOf, POLICY_SECTIONS, type Documents, type Policy } from './policy.ts';
import type { Sourced } from './source.ts';

export function isOfIncident(address: string): boolean {
  return address.startsWith('incidents.');
}

export function policiesByAddress(documents: Documents): ReadonlyMap<string, Policy> {
  return new Map(listPolicies(documents).map(({ value }) => [value.address, value]));
}

/** Every policy of the documents, in the order of their sections. */
export function listPolicies(documents: Documents): readonly Sourced<Policy>[] {
  return [
    ...documents.firmware.values(),
    ...documents.rotations.values(),
    ...documents.onboarding.values(),
    ...documents.restarts.values(),
    ...documents.incidents.values(),
  ];
}

/** The addresses of the policies that others come after. */
export function namedAfter(documents: Documents): ReadonlySet<string> {
  return new Set(
    listPolicies(documents).flatMap(({ value }) => afterOf(value).map(({ policy }) => policy)),
  );
}

/** The policy of an address such as `firmware.axis-p32`; absent where no document has it. */
export function policyAt(documents: Documents, address: string): Policy | undefined {
  const sections = [...POLICY_SECTIONS, 'incidents'] as const;
  const section = sections.find((each) => address.startsWith(`${each}.`));
  return section && documents[section].get(address.slice(section.length + 1))?.value;
}
