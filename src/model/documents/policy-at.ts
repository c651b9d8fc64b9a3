import type { Documents, Policy } from './policy.ts';

/** The policy of an address such as `firmware.axis-p32`; absent where no document has it. */
export function policyAt(documents: Documents, address: string): Policy | undefined {
  const dot = address.indexOf('.');
  const name = address.slice(dot + 1);
  switch (address.slice(0, dot)) {
    case 'firmware':
      return documents.firmware.get(name)?.value;
    case 'rotations':
      return documents.rotations.get(name)?.value;
    case 'onboarding':
      return documents.onboarding.get(name)?.value;
    case 'incidents':
      return documents.incidents.get(name)?.value;
    default:
      return documents.restarts.get(name)?.value;
  }
}
