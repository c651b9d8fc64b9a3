import { describe, expect, test } from 'vitest';
import { endlessExceptions, exemptionFor } from '../../../src/desired/exempt.ts';
import type { Exception } from '../../../src/model/documents/exception.ts';
import { entries, NOW, sourced } from '../../support/plan-fleet.ts';
import { hold } from '../../support/desired-documents.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const { type: _, ...base } = hold('hold');
const expedite = (until: number): Exception => ({
  ...base,
  type: 'expedite',
  skipCanary: false,
  approvers: [],
  tasks: ['rotatePassword'],
  until,
});

describe('the end of an exception', () => {
  test.each([
    ['180 days ahead', hold('hold', { until: NOW + 180 * DAY }), undefined],
    ['further than 180 days ahead', hold('hold', { until: NOW + 180 * DAY + 1 }), '180d'],
    ['72 hours ahead, expedited', expedite(NOW + 72 * HOUR), undefined],
    ['further than 72 hours ahead, expedited', expedite(NOW + 72 * HOUR + 1), '72h'],
    ['long ago', hold('hold', { until: 0 }), undefined],
  ])('%s', (_, exception, limit) => {
    const found = endlessExceptions(entries({ court: exception }), NOW);
    expect(found.map(({ code, severity, params }) => [code, severity, params['limit']])).toEqual(
      limit === undefined ? [] : [['exceptionWithoutExpiry', 'error', limit]],
    );
  });
});

describe('break glass', () => {
  const bearing = [
    sourced('short', expedite(NOW + HOUR)),
    sourced('long', expedite(NOW + 2 * HOUR)),
    sourced('court', hold('hold')),
  ];

  test('stands beside a hold, and the one that lasts longest counts', () => {
    const { expedite: found, hold: held } = exemptionFor(bearing, [], 'rotatePassword');
    expect([found?.name, held?.name]).toEqual(['long', 'court']);
  });

  test('counts only where it surely selects the device; a hold counts also where it may (semantics M20)', () => {
    const { perhaps, ...others } = exemptionFor([], bearing, 'rotatePassword');
    expect(perhaps?.name).toBe('court');
    expect(others).toEqual({});
  });

  test('is about the task that it names', () => {
    expect(exemptionFor(bearing, [], 'upgradeFirmware').expedite).toBeUndefined();
  });
});
