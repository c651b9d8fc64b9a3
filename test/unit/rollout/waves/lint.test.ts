import { describe, expect, test } from 'vitest';
import type { StopRule } from '../../../../src/model/documents/rollout.ts';
import { DEFAULT_ROLLOUT, simpleStops } from '../../../../src/model/documents/rollout-defaults.ts';
import {
  canaryTooLarge,
  noCanary,
  stopNeverTrips,
} from '../../../../src/rollout/waves/wave-lint.ts';
import { assignWaves } from '../../../../src/rollout/waves/waves.ts';
import { anInput, aSpec, members, oneWave } from '../../../support/rollout-rig.ts';

test.each([
  ['10 devices need no canary', oneWave(), 10, false, false],
  ['11 do', oneWave(), 11, false, true],
  ['unless it is written out', oneWave({ canary: 'none' }), 11, false, false],
  ['or an exception says so for all', oneWave(), 11, true, false],
  ['or there is one', aSpec(), 11, false, false],
])('noCanary: %s', (_, spec, devices, ...[isSkipped, lacks]) => {
  expect(noCanary(spec, devices, isSkipped)).toBe(lacks);
});

test('canaryTooLarge: more than 20 % of a model, exactly 20 % is not', () => {
  const large = (count: number) => {
    const input = anInput({ members: members(count) });
    return canaryTooLarge(input.spec, assignWaves(input));
  };
  expect(large(25)).toEqual([]);
  expect(large(24)).toEqual([{ model: 'P1', inCanary: 5, devices: 24 }]);
});

describe('stopNeverTrips', () => {
  const rule = (fields: Partial<StopRule>): StopRule => ({
    name: 'r',
    classes: ['failed'],
    minAttempts: 1,
    scope: 'wave',
    action: 'pause',
    ...fields,
  });
  const never = (size: number, ...stopOn: readonly StopRule[]) =>
    stopNeverTrips(oneWave({ stopOn }), [size]).length > 0;

  test.each([
    ['max of the size of the wave', rule({ max: 5 }), 5, true],
    ['max below it', rule({ max: 4 }), 5, false],
    [
      'a percent that wants more attempts than there are',
      rule({ percent: 5, minAttempts: 20 }),
      19,
      true,
    ],
    ['a percent that wants as many', rule({ percent: 5, minAttempts: 20 }), 20, false],
    ['a percent that nothing is above', rule({ percent: 100 }), 20, true],
    ['a rule of another scope alone', rule({ max: 0, scope: 'rollout' }), 20, true],
    ['a canary rule in another wave', rule({ max: 0, scope: 'canary' }), 20, true],
    ['no wave at all', rule({ max: 5 }), 0, false],
  ])('%s', (_, one, size, finds) => {
    expect(never(size, one)).toBe(finds);
  });

  test('the built-in rules are too coarse for a wave of 19, and say which', () => {
    expect(stopNeverTrips(DEFAULT_ROLLOUT, [5, 19, 76, 300])).toEqual(['early']);
  });
});

describe('the built-in rollout', () => {
  test('C8 is what the semantics say', () => {
    const { waves, maxInFlight, batch, stopOn } = DEFAULT_ROLLOUT;
    const hours = waves.map(({ name, soak }) => [name, soak / 3_600_000]);
    expect(hours).toEqual([
      ['canary', 24],
      ['early', 48],
      ['broad', 48],
      ['rest', 48],
    ]);
    expect([maxInFlight, batch]).toEqual([20, 10]);
    expect(
      stopOn.map(({ scope, max, percent, minAttempts }) => [scope, max ?? percent, minAttempts]),
    ).toEqual([
      ['canary', 0, 1],
      ['wave', 5, 20],
      ['model', 30, 3],
    ]);
  });

  test('a key of the simple form that is left out keeps its default', () => {
    const rules = simpleStops(
      { wave: { count: 2 }, rollout: { percent: 1 } },
      DEFAULT_ROLLOUT.waves,
    );
    expect(rules).toMatchObject([
      { name: 'canary', max: 0 },
      { name: 'wave', max: 2 },
      { name: 'model', percent: 30 },
      { name: 'rollout', percent: 1, minAttempts: 20 },
    ]);
  });

  test('the canary rule is left out where no wave is called so', () => {
    expect(simpleStops({}, oneWave().waves).map(({ name }) => name)).toEqual(['wave', 'model']);
  });
});
