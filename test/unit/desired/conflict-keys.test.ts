import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { differingParts } from '../../../src/desired/precedence.ts';
import type { Policy, RotationPolicy } from '../../../src/model/documents/policy.ts';

const DAY = 86_400_000;
const BASE = { name: 'p', priority: 500, windows: ['nights'] };

const ROTATION = {
  ...BASE,
  section: 'rotations',
  due: { is: 'maxAge', maxAge: 180 * DAY, headStart: 0, spread: DAY },
} as unknown as RotationPolicy;

/** Two policies of each section that differ in all that a tie compares. */
const PAIRS: Readonly<Record<string, readonly [object, object]>> = {
  firmware: [
    {},
    {
      version: 1,
      minVersion: 1,
      deferral: 1,
      deadline: 1,
      downgrade: 1,
      path: 1,
      restAtIntermediate: 1,
    },
  ],
  rotations: [
    ROTATION,
    {
      due: { is: 'renewBefore', before: DAY },
      generation: 1,
      payload: 1,
      verify: { within: 1 },
      expiryGuard: 1,
      offlineGrace: 1,
      unknownAge: 1,
      leavesInService: 1,
    },
  ],
  restarts: [
    {},
    {
      when: { status: 1, probe: 1, for: 1, excludeMaintenanceMode: 1 },
      cooldown: 1,
      maxPerDevice: 1,
      maxPerSite: 1,
      correlatedOutage: 1,
      escalate: { after: 1 },
    },
  ],
  onboarding: [{}, { blockVendors: 1, maxPerDay: 1, expectWithin: 1, onDuplicate: 1, after: 1 }],
};

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
}

/** Whether a dotted key is one that documents of the section have. */
function isKey(section: string, key: string): boolean {
  const url = new URL(`../../../schemas/${section}.schema.json`, import.meta.url);
  const { $defs = {} } = JSON.parse(readFileSync(url, 'utf8')) as Schema;
  const [first = '', second] = key.split('.');
  return Object.values($defs).some(({ properties = {} }) => {
    const field = properties[first];
    if (!field || second === undefined) return field !== undefined;
    const { properties: below } = field.$ref
      ? ($defs[field.$ref.split('/').at(-1) ?? ''] ?? {})
      : field;
    return below?.[second] !== undefined;
  });
}

describe('a tie names the keys that differ as documents write them', () => {
  it.each(Object.entries(PAIRS))('in %s', (section, [one, other]) => {
    const policy = (each: object): Policy => ({ ...BASE, ...each, section }) as unknown as Policy;
    const keys = differingParts(policy(one), {
      ...policy(other),
      windows: ['days'],
      rollout: 'slow',
    });
    expect(keys.length).toBeGreaterThan(5);
    expect(keys.filter((key) => !isKey(section, key))).toEqual([]);
  });

  it('also one that nobody thought of', () => {
    const other = { ...ROTATION, address: 'rotations.q', priority: 1, ticket: 'T', untold: 1 };
    expect(differingParts(ROTATION, other)).toEqual(['untold']);
  });

  it.each([
    [{ headStart: DAY }, ['headStart']],
    [{ spread: 2 * DAY }, ['spread']],
    [{ maxAge: DAY, spread: 2 * DAY }, ['maxAge', 'spread']],
  ])('and only those: %j', (due, keys) => {
    const other = { ...ROTATION, due: { ...ROTATION.due, ...due } } as RotationPolicy;
    expect(differingParts(ROTATION, other)).toEqual(keys);
  });
});
