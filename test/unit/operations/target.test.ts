import { expect, it } from 'vitest';
import { resolveTarget } from '../../../src/operations/target.ts';

it.each([
  ['https://first.test', 'https://second.test', 'https://first.test'],
  ['https://first.test', 'https://first.test/', undefined],
  ['https://first.test', undefined, undefined],
  // The address of examples is no service.
  ['https://api.example.com', 'https://second.test', undefined],
])(
  'documents that name %s, with %s in the environment, name another: %s',
  (named, given, other) => {
    const service = { baseUrl: named, organization: 'acme' };
    expect(resolveTarget(service, undefined, { FLEETFORM_BASE_URL: given }).documents).toBe(other);
  },
);
