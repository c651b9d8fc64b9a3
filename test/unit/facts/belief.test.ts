import { describe, expect, it } from 'vitest';
import { believe, isFresh, ageLimit, OLDEST, type Believing } from '../../../src/facts/belief.ts';
import { identityDigest, type Fact } from '../../../src/facts/fact.ts';
import type { Device } from '../../../src/model/fleet/device.ts';
import { able, intent, NOW } from '../../support/kinds-case.ts';

const SECOND = 1_000;
const DAY = 86_400_000;
const WEEK = 7 * DAY;

const READERS = { password: 'p', certificate: 'c', target: 't' };
const believing = (more: Partial<Believing> = {}): Believing => ({
  now: NOW,
  maxAge: WEEK,
  readers: READERS,
  memory: { intentsOf: () => [], distrusted: new Map() },
  ...more,
});

const CAMERA = able({ vendor: 'Axis', model: 'P3265-V', firmwareVersion: '11.8.61' });
const fact = (fields: Partial<Fact> = {}): Fact => ({
  kind: 'password',
  id: CAMERA.id,
  at: NOW - DAY,
  reader: 'p',
  who: identityDigest(CAMERA),
  value: { is: 'password', changed: NOW - 90 * DAY },
  ...fields,
});

const on = (fields: Partial<Device>): Device => ({ ...CAMERA, ...fields });
const after = (
  task: 'rotatePassword' | 'rotateSslCertificate',
  attemptedAt: number,
  settledAt?: number,
) =>
  believing({
    memory: {
      distrusted: new Map(),
      intentsOf: (_, asked) =>
        asked === task ? [intent({ task, attemptedAt, ...(settledAt && { settledAt }) })] : [],
    },
  });

describe('N7 a fact is believed', () => {
  const CASES: readonly (readonly [string, boolean, Fact, Device?, Believing?])[] = [
    ['as it was read', true, fact()],
    [
      'not when it is a certificate that ends before it begins',
      false,
      fact({
        kind: 'certificate',
        reader: 'c',
        value: { is: 'certificate', notBefore: NOW - 9 * DAY, notAfter: NOW - 10 * DAY },
      }),
    ],
    ['not after its age', false, fact({ at: NOW - WEEK })],
    ['not when it was read in 1970', false, fact({ at: 0 })],
    ['not when it was read in the future', false, fact({ at: NOW + 61 * SECOND })],
    ['when the clock that read it is a little ahead', true, fact({ at: NOW + 60 * SECOND })],
    [
      'not when it changed after its read',
      false,
      fact({ value: { is: 'password', changed: NOW } }),
    ],
    ['not by another reader', false, fact({ reader: 'q' })],
    ['not of another kind of reader', false, fact({ kind: 'certificate', value: { is: 'none' } })],
    ['not after an upgrade', false, fact(), on({ firmwareVersion: '11.11.73' })],
    ['not of a device that took the id over', false, fact(), on({ model: 'Q6135-LE' })],
    ['not without an identity', false, { ...fact(), who: 'ffffffff' }],
    [
      'not where the list shows a later change',
      false,
      fact(),
      on({ passwordChangedAt: NOW - DAY }),
    ],
    [
      'where the list shows the same change',
      true,
      fact(),
      on({ passwordChangedAt: NOW - 90 * DAY }),
    ],
    [
      'not where the list shows a change after the read, and the fact none',
      false,
      fact({ value: { is: 'password' } }),
      on({ passwordChangedAt: NOW }),
    ],
    [
      'where the list shows the same end of another user as when it was read',
      true,
      fact({ value: { is: 'password', expires: NOW + 90 * DAY, listed: NOW + DAY } }),
      on({ passwordExpiresAt: NOW + DAY }),
    ],
    [
      'where the list shows the end that was read',
      true,
      fact({ value: { is: 'password', expires: NOW + 90 * DAY, listed: NOW + DAY } }),
      on({ passwordExpiresAt: NOW + 90 * DAY }),
    ],
    [
      'not where the list shows a third end',
      false,
      fact({ value: { is: 'password', expires: NOW + 90 * DAY, listed: NOW + DAY } }),
      on({ passwordExpiresAt: NOW + 2 * DAY }),
    ],
    [
      'not where the list shows another end than at first',
      false,
      fact({ value: { is: 'password', expires: NOW + 90 * DAY } }),
      on({ passwordExpiresAt: NOW + DAY }),
    ],
    ['not after our attempt', false, fact(), CAMERA, after('rotatePassword', NOW - DAY)],
    [
      'before our attempt on another credential',
      true,
      fact(),
      CAMERA,
      after('rotateSslCertificate', NOW),
    ],
    ['after our attempt', true, fact(), CAMERA, after('rotatePassword', NOW - DAY - 1)],
    [
      'not before our attempt was settled',
      false,
      fact(),
      CAMERA,
      after('rotatePassword', NOW - WEEK, NOW),
    ],
    [
      'of a problem for a day',
      true,
      fact({ at: NOW - DAY + 1, value: { is: 'problem', problem: 'unreadable' } }),
    ],
    ['of a problem no longer', false, fact({ value: { is: 'problem', problem: 'unreadable' } })],
  ];

  const full = CASES.map(([name, expected, given, device = CAMERA, against = believing()]) => ({
    name,
    expected,
    given,
    device,
    against,
  }));
  it.each(full)('$name: $expected', ({ expected, given, device, against }) => {
    expect(believe(given, device, against)?.value.is === given.value.is).toBe(expected);
  });

  it('of an answer that devices share, without an identity', () => {
    const { who: _who, ...shared } = fact({
      kind: 'target',
      reader: 't',
      value: { is: 'versions', versions: [] },
    });
    expect(believe(shared, undefined, believing())).toBe(shared);
    expect(believe(shared, CAMERA, believing())).toBeUndefined();
  });
});

describe('N8 the age of a fact', () => {
  it('ends at a share of the limit of its own, over a quarter of it', () => {
    const limits = Array.from({ length: 1_000 }, (_, n) =>
      ageLimit(fact({ id: `dev-${n}` }), WEEK),
    );
    expect(Math.min(...limits)).toBeGreaterThanOrEqual(0.75 * WEEK);
    expect(Math.max(...limits)).toBeLessThan(WEEK);
    const quarters = [0.8, 0.85, 0.9, 0.95].map(
      (share) => limits.filter((one) => one < share * WEEK).length,
    );
    for (const [n, count] of quarters.entries())
      expect(Math.abs(count - 200 * (n + 1))).toBeLessThan(60);
  });

  it('is bounded whatever is asked for', () => {
    expect(ageLimit(fact(), 10 * 365 * DAY)).toBeLessThan(OLDEST);
  });

  it('N9 is fresh for a day', () => {
    expect(isFresh({ at: NOW - DAY }, NOW)).toBe(true);
    expect(isFresh({ at: NOW - DAY - 1 }, NOW)).toBe(false);
  });
});
