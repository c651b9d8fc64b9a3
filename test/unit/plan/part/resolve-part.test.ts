import { describe, expect, it } from 'vitest';
import { requireOverlap } from '../../../../src/plan/part/resolve-part.ts';
import { device, snapshotOf } from '../../../support/desired-documents.ts';

const FLEET = snapshotOf([device('d1', { sites: ['a'] }), device('d2', { sites: ['b'] })]);
const OF_A = { sites: ['id of a'], names: { 'id of a': 'Hall A' } };

describe('N35 a further part of a saved plan', () => {
  it.each([
    ['of its site', { sites: ['id of a', 'id of b'] }],
    ['of a device at its site', { devices: ['d1'] }],
    ['of any policy at its site', { policies: ['rotations.certificates'] }],
  ])('%s is taken', (_name, part) => {
    expect(() => requireOverlap(OF_A, part, FLEET)).not.toThrow();
  });

  it.each([
    ['another site', OF_A, { sites: ['id of b'] }, { sites: 'Hall A' }],
    ['a device elsewhere', OF_A, { devices: ['d2'] }, { sites: 'Hall A' }],
    ['another policy', { policies: ['p'] }, { policies: ['q'] }, { policies: 'p' }],
    ['a site without devices', { policies: ['p'] }, { sites: ['c'] }, { policies: 'p' }],
  ])('of %s is refused, with what the plan covers', (_name, covered, part, params) => {
    const refused = expect.objectContaining({ code: 'partOutsidePlan', params }) as Error;
    expect(() => requireOverlap(covered, part, FLEET)).toThrow(refused);
  });

  it('is refused with its first names, where the plan has many', () => {
    const sites = ['a', 'c', 'd', 'e', 'f', 'g'];
    const params = { sites: 'a, c, d, e, f, …' };
    const refused = expect.objectContaining({ params }) as Error;
    expect(() => requireOverlap({ sites }, { sites: ['id of b'] }, FLEET)).toThrow(refused);
  });
});
