import { describe, expect, it } from 'vitest';
import { compileSelector, createExplainer, explainSelector } from '../../../src/desired/select.ts';
import type { Selector } from '../../../src/model/documents/policy.ts';
import { device, documentsOf, snapshotOf } from '../../support/desired-documents.ts';

const FLEET = {
  documents: documentsOf({
    sites: { 'HQ Berlin': ['emea', 'hq'], 'id of Lager': ['emea', 'retail'] },
    groups: {
      lobby: { is: 'select', select: { site: { name: ['HQ*'] }, name: ['lobby-*'] } },
      'door-12': { is: 'devices', devices: ['dev-3', 'dev-9'] },
    },
  }),
  snapshot: snapshotOf([
    device('dev-1', {
      name: 'lobby-1',
      vendor: 'Axis',
      model: 'P3265-LVE',
      firmwareVersion: '11.8.61',
      deviceType: 'camera',
      sites: ['HQ Berlin'],
      sources: ['VMS HQ'],
    }),
    device('dev-2', {
      name: 'yard-1',
      vendor: 'Hikvision',
      firmwareVersion: 'V5.7.3 build 220315',
      deviceType: 'camera',
      sites: ['Lager', 'HQ Berlin'],
    }),
    device('dev-3', {
      name: 'lobby-door',
      vendor: 'Axis',
      firmwareVersion: 'golden',
      sites: ['Lager'],
    }),
    device('dev-4'),
  ]),
};

const CASES: readonly (readonly [string, Selector, string])[] = [
  ['device', { device: ['dev-1', 'dev-4'] }, '1 4'],
  ['a glob over every device', { device: ['*'] }, '1 2 3 4'],
  ['name', { name: ['lobby-*'] }, '1 3'],
  ['vendor, case-sensitive', { vendor: ['axis'] }, ''],
  ['a list is OR', { vendor: ['Axis', 'Hik*'] }, '1 2 3'],
  ['keys are AND', { vendor: ['Axis'], deviceType: ['camera'] }, '1'],
  ['a field that a device lacks never matches', { model: ['*'] }, '1'],
  ['site by name', { site: { name: ['HQ*'] } }, '1 2'],
  ['site by id', { site: { name: ['id of Lager'] } }, '2 3'],
  ['site by tag, found by name or id', { site: { tag: ['emea'] } }, '1 2 3'],
  ['name and tag of one and the same site', { site: { name: ['HQ*'], tag: ['retail'] } }, ''],
  ['source', { source: ['VMS*'] }, '1'],
  ['firmware glob', { firmwareVersion: ['11.*'] }, '1'],
  ['firmware range, by the order of its vendor', { firmwareVersion: ['>=5.7 <11.9'] }, '1 2'],
  ['a version that cannot be compared', { firmwareVersion: ['>0'] }, '1 2'],
  ['an x-range is a plain glob here', { firmwareVersion: ['11.8.x'] }, ''],
  ['a group by selector', { group: ['lobby'] }, '1'],
  ['a group by ids', { group: ['door-*'] }, '3'],
  ['any of its groups', { group: ['*'] }, '1 3'],
  ['not', { device: ['*'], not: { vendor: ['Axis'] } }, '2 4'],
  [
    'not, where the device lacks the field',
    { device: ['*'], not: { deviceType: ['camera'] } },
    '3 4',
  ],
  [
    'not, all of its keys',
    { device: ['*'], not: { vendor: ['Axis'], name: ['lobby-1'] } },
    '2 3 4',
  ],
  ['not a group', { vendor: ['Axis'], not: { group: ['lobby'] } }, '3'],
];

describe('a selector', () => {
  it.each(CASES)('%s', (_, selector, expected) => {
    const selects = compileSelector(selector, FLEET);
    const found = [0, 1, 2, 3].filter((row) => selects(row) === true).map((row) => row + 1);
    expect(found.join(' ')).toBe(expected);
  });

  it.each([
    [{ vendor: ['Axis'], model: ['Q*'] }, ['model', 'vendor', 'model', 'vendor']],
    [{ device: ['*'], not: { vendor: ['Axis'] } }, ['not', undefined, 'not', undefined]],
  ] as const)('names the first key that says no: %j', (selector, expected) => {
    const explain = explainSelector(selector, FLEET);
    expect([0, 1, 2, 3].map(explain)).toEqual(expected);
  });

  it.each([
    ['a range', { firmwareVersion: ['>0'] }, 'yes yes maybe no', 3, 'golden, >0'],
    ['a range beside a glob', { firmwareVersion: ['<5', 'gold*'] }, 'no no yes no', 3, undefined],
    ['several ranges', { firmwareVersion: ['<5', '>12'] }, 'no no maybe no', 3, 'golden, <5, >12'],
    [
      'a range, where another key says no',
      { firmwareVersion: ['>12'], vendor: ['Bosch'] },
      'no no no no',
      3,
      undefined,
    ],
    [
      'not a range',
      { device: ['*'], not: { firmwareVersion: ['>12'] } },
      'yes yes maybe yes',
      3,
      'golden, >12',
    ],
    ['a group by a range', { group: ['old'] }, 'yes yes maybe no', 3, 'golden, <11.9'],
    [
      'not a group by a range',
      { vendor: ['Axis'], not: { group: ['old'] } },
      'no no maybe no',
      3,
      'golden, <11.9',
    ],
  ] as const)('is unclear by %s (semantics M20)', (...unclearCase) => {
    const [, selector, expected, row, why] = unclearCase;
    const fleet = {
      ...FLEET,
      documents: documentsOf({
        groups: { old: { is: 'select', select: { firmwareVersion: ['<11.9'] } } },
      }),
    };
    const selects = compileSelector(selector, fleet);
    const answers = { true: 'yes', false: 'no', maybe: 'maybe' };
    const told = [0, 1, 2, 3].map((each) => answers[String(selects(each)) as 'maybe']);
    expect(told.join(' ')).toBe(expected);
    if (why === undefined) return;
    const by = createExplainer(fleet)(selector, row - 1);
    expect(by && Object.values(by).join(', ')).toBe(why);
  });
});
