import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACCESS_PRODUCTS } from '../../../src/twin/fleet/access-products.ts';
import { CAMERA_PRODUCTS } from '../../../src/twin/fleet/camera-products.ts';
import {
  compareVersions,
  inRange,
  isExactVersion,
  isRange,
  parseRange,
} from '../../../src/lib/version-order.ts';

const NEWER: readonly (readonly [string | undefined, string, string])[] = [
  ['Axis', '11.8.61', '11.8.60'],
  ['Axis', '11.10.0', '11.9.61'],
  ['Axis', '9.80.3.2', '9.80.3'],
  ['Axis', '9.80.3.2', '9.80.3.1'],
  ['Axis Communications', '11.8', '11.7.9'],
  ['AXIS', '6.50.1', '6.50'],
  ['Axis', '11.0.0', '11.0.0-rc1'],
  ['Hikvision', 'V5.7.3 build 220315', 'V5.7.3 build 211115'],
  ['Hikvision', 'V5.7.4 build 200101', 'V5.7.3 build 220315'],
  ['Hikvision', 'V5.7.3 build 220315', '5.7.2'],
  ['Dahua', '2.800.0000000.16.R', '2.622.00AC000.0.R'],
  ['Dahua', '2.622.00AC000.1.R', '2.622.00AC000.0.R'],
  ['Dahua', '2.622.01AC000.0.R', '2.622.00AC000.9.R'],
  ['Hanwha Vision', '2.21.01_20230621_R421', '1.41.03_20220713_R353'],
  ['Hanwha Vision', '2.21.01_20230621_R421', '2.21.01_20230620_R999'],
  ['Hanwha Vision', '2.21.01_20230621_R421', '2.21.01_20230621_R99'],
  ['Hanwha Techwin', '2.21.02', '2.21.01_20230621_R421'],
  ['Mobotix', 'MX-V7.4.0.27', 'MX-V7.3.1.9'],
  ['MOBOTIX', 'MX-V7.3.1.10', 'mx-v7.3.1.9'],
  ['Mobotix', '7.4', 'MX-V7.3.1.9'],
  ['Vivotek', '0125c', '0125b'],
  ['Vivotek', '0130a', '0125c'],
  ['Bosch', '9.10.0069', '8.90.0037'],
  ['2N', '2.35.1.49.8', '2.35.1.49'],
  ['Mercury', '1.31.5.0691', '1.30.3.0684'],
  [undefined, 'v2.0', '1.9.9'],
  ['Unheard Of', '2.0.0', '2.0.0-rc2'],
  [undefined, '2.0.0-rc2', '2.0.0-rc1'],
  [undefined, '2.0.0-rc1', '2.0.0-beta9'],
  [undefined, '2.0.0beta', '2.0.0-alpha'],
  [undefined, 'V5.7.3 build 220315', 'V5.7.3 build 211115'],
  ['Bosch', '9.10.0069', '9.9'],
];

const EQUAL: readonly (readonly [string | undefined, string, string])[] = [
  ['Axis', '6.50', '6.50.0'],
  [undefined, 'v1.2', '1.2.0.0'],
  ['Hikvision', 'v5.7.3 Build 220315', 'V5.7.3 build 220315'],
  ['Dahua', '2.622.00ac000.0.r', '2.622.00AC000.0.R'],
  ['Hanwha', '2.21.1_20230621_r421', '2.21.01_20230621_R421'],
  ['Mobotix', 'MX-V7.3.1', '7.3.1.0'],
  ['Hikvision', 'V5.5.0_170725', 'V5.5.0 build 170725'],
  ['Dahua', '2.800.0000000.4.R, Build Date 2019-12-20', 'V2.800.0000000.4.R,build:2019-12-20'],
  ['Vivotek', '125C', '0125c'],
  [undefined, 'golden', 'golden'],
];

const NOT_COMPARABLE: readonly (readonly [string | undefined, string, string])[] = [
  ['Axis', '11.8.61', 'golden'],
  ['Dahua', '2.622.00AC000.0.R', '2.622.00AD000.0.R'],
  ['Hikvision', 'V5.7.3 build yesterday', 'V5.7.3'],
  ['Hanwha', '2.21.01_20230621_R421', '2.21.01_2023_R421'],
  ['Mobotix', 'MX-V7.3.1.9', 'MX-S7.4'],
  ['Vivotek', '0125c', '0125cd'],
  // A missing build, date, variant or revision (M22).
  ['Hikvision', 'V5.8.3', 'V5.8.3 build 240821'],
  ['Hanwha Vision', '2.22.05', '2.22.05_20250116_R442'],
  ['Hanwha Vision', '2.22.05_20250116', '2.22.05_20250116_R442'],
  ['Dahua', '2.622', '2.622.00AC000.0.R'],
  ['Dahua', '2.840.0000000.30.R', 'V2.840.0000000.30.R, Build Date: 2025-02-27'],
  ['Vivotek', '0125', '0125a'],
  ['Vivotek', '0113b', 'CC8160-VVTK-0113b'],
  ['Mobotix', 'MX-V4.7.3.11', 'MX-V4.7.3.11-r4'],
  ['Axis', '9.80.47', '9.80.47_2'],
  ['Mercury', '1.30.3', '1.30.3.0684'],
  ['LenelS2', '1.29.1 build 633', '1.29.1'],
  ['Bosch', '9.10', '9.10.0069'],
  ['HID', '1.30', '1.30.0.0684'],
  ['Pelco', '2.10', '2.10.0.8280'],
  // Equal digits that are split differently, and numbers that may be joined (M22).
  ['Mercury', '1.303', '1.30.3'],
  ['Mercury', '1.303', '1.31.0'],
  ['Mercury', '1.296', '1.30'],
  ['Axis', '6.50', '6.5.0'],
  [undefined, '1.30.3', '13.0.3'],
  // Dates of another form, another model, another platform, another scheme.
  ['Hikvision', 'V5.7.3 build 220315', 'V5.7.3 build 20220315'],
  ['Vivotek', 'CC8160-VVTK-0113b', 'FD9387A-VVTK-0114a'],
  ['Vivotek', 'FD9387-VVTK-0102a', 'FD9387-VVTK-2.2002.23.01k'],
  ['Uniview', 'QIPC-B2202.2.0.230111', 'QIPC-B2201.3.0.230111'],
  ['Milesight', '45.8.0.4', '45.7.0.9-r2'],
  [undefined, 'MX-V7.3.1.9', 'MX-V7.4.0.27'],
  [undefined, '1.0', ''],
  [undefined, '1'.repeat(40), '2'.repeat(40)],
  ['constructor', '1.0', '__proto__'],
];

describe('F5 the order of versions', () => {
  it.each(NEWER)('of %s: %s is newer than %s', (vendor, newer, older) => {
    expect(compareVersions(vendor, newer, older)).toBe(1);
    expect(compareVersions(vendor, older, newer)).toBe(-1);
  });

  it.each(EQUAL)('of %s: %s equals %s', (vendor, a, b) => {
    expect(compareVersions(vendor, a, b)).toBe(0);
  });

  it.each(NOT_COMPARABLE)('of %s: %s and %s are not comparable', (vendor, a, b) => {
    expect(compareVersions(vendor, a, b)).toBeUndefined();
    expect(compareVersions(vendor, b, a)).toBeUndefined();
  });
});

const number = fc.nat({ max: 3 });
const dotted = fc.array(number, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
const stage = fc.constantFrom('', '-alpha', '-beta1', '-rc', '-rc2');
const build = fc.constantFrom('', ' build 220315', ' build 211115');
const variant = fc.constantFrom('', '.00AC000.0.R', '.00AC001.0.R', '.00AD000.0.R', '.0.R');
const spelled: Readonly<Record<string, fc.Arbitrary<string>>> = {
  Axis: fc.tuple(dotted, stage).map((parts) => parts.join('')),
  Hikvision: fc.tuple(dotted, build).map((parts) => `V${parts.join('')}`),
  Dahua: fc.tuple(number, number, variant).map(([a, b, rest]) => `${a}.${b}${rest}`),
  Hanwha: fc
    .tuple(dotted, fc.constantFrom('', '_20230621', '_20230621_R3', '_20230621_R12'))
    .map((parts) => parts.join('')),
  Mobotix: dotted.map((text) => `MX-V${text}`),
  Vivotek: fc.tuple(number, fc.constantFrom('', 'a', 'b', 'C')).map(([a, b]) => `01${a}${b}`),
  ...Object.fromEntries(
    [
      '2N',
      'Avigilon',
      'Bosch',
      'Commend',
      'HID',
      'LenelS2',
      'Mercury',
      'Moxa',
      'Pelco',
      'generic',
    ].map((vendor) => [vendor, fc.tuple(dotted, stage).map((parts) => `v${parts.join('')}`)]),
  ),
};

describe.each(Object.keys(spelled))('the comparator of %s', (vendor) => {
  const version = fc.oneof(spelled[vendor] ?? fc.string(), fc.constant('golden'));
  const order = (a: string, b: string): number | undefined => compareVersions(vendor, a, b);

  it('is antisymmetric', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        const there = order(a, b);
        const back = order(b, a);
        expect(there === undefined ? undefined : there + (back ?? Number.NaN)).toBe(
          there === undefined ? back : 0,
        );
      }),
    );
  });

  it('is transitive, in older and in equal', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        const [ab, bc] = [order(a, b), order(b, c)];
        if (ab === undefined || bc === undefined || ab > 0 || bc > 0) return;
        expect([ab === 0 && bc === 0 ? 0 : -1, undefined]).toContain(order(a, c));
      }),
      { numRuns: 2_000 },
    );
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect([-1, 0, 1, undefined]).toContain(order(a, b));
      }),
    );
  });
});

/** One product line's releases, oldest first, as the twin's fleet has them. */
const LINES = [...CAMERA_PRODUCTS, ...ACCESS_PRODUCTS].map(
  ({ vendor, models, releases }) => [vendor, models[0] ?? '', releases] as const,
);

describe('the comparator of a vendor of the example fleet', () => {
  it.each(LINES)('orders %s %s as they came out', (vendor, _model, releases) => {
    for (const [at, older] of releases.entries())
      for (const newer of releases.slice(at + 1))
        expect([older, newer, compareVersions(vendor, older, newer)]).toEqual([older, newer, -1]);
  });

  it.each([...new Set(LINES.map(([vendor]) => vendor))])('has its laws tried: %s', (vendor) => {
    expect(Object.keys(spelled)).toContain(vendor.split(' ')[0]);
  });
});

describe('a range', () => {
  it.each([
    ['Axis', '11.11.61', '11.11.x', true],
    ['Axis', '11.11', '11.11.x', true],
    ['Axis', '9.80.3.2', '9.80.x', true],
    ['Axis', '11.1.61', '11.11.x', false],
    ['Axis', 'golden', '11.11.x', undefined],
    ['Axis', '11.5.0', '>=11.5 <12', true],
    ['Axis', '12.0', '>=11.5 <12', false],
    ['Axis', '11.4.9', '>=11.5   <12', false],
    ['Axis', '11.5', '>11.5', false],
    ['Axis', '11.5', '<=11.5', true],
    ['Axis', '11.5.0', '=11.5', true],
    ['Axis', 'golden', '>=11.5', undefined],
    ['Axis', '11.5', '>=golden', undefined],
    ['Hikvision', 'V5.7.3 build 220315', '>=V5.7.3 build 211115 <V5.8', true],
    ['Hikvision', 'V5.7.3 build 210101', '>=V5.7.3 build 211115 <V5.8', false],
    ['Hikvision', 'V5.7.3 build 220315', 'V5.7.x', true],
    ['Dahua', '2.622.00AC000.0.R', '2.622.x', true],
    ['Dahua', '2.622.00AC000.0.R', '>=2.622', undefined],
    ['Dahua', '2.622.00AC000.0.R', '>=2.621', true],
    ['Dahua', '2.400.0000000.16.R, Build Date: 2017-08-31', '<2.840', true],
    ['Dahua', 'V2.840.0000000.28.R', '<V2.840.0000000.30.R, Build Date: 2025-02-27', true],
    ['Dahua', 'golden', '<2.840', undefined],
    ['Axis', 'golden', '>=golden <11', undefined],
    ['Axis', '12.0', '>=golden <11', false],
    ['Mercury', '1.303', '1.30.x', undefined],
    ['Mercury', '1.303', '2.x', false],
    ['Dahua', '2.622.00AC000.0.R', '2.622.0.x', undefined],
    ['Hanwha Vision', '2.21.01_20230621_R421', '2.21.x', true],
    ['Hanwha Vision', '2.22.05_20250116_R442', '>=2.21.01_20230621_R421 <3', true],
    ['Mobotix', 'MX-V7.3.1.9', 'MX-V7.3.x', true],
    ['Mobotix', 'MX-V7.3.1.9', '7.4.x', false],
    ['Mobotix', 'MX-V7.3.1.9', '>=MX-V7.3 <MX-V7.4', true],
    ['Vivotek', '0125c', '>=0125a <0130a', true],
    ['Axis', '11.5', '11.5', undefined],
  ])('of %s: %s in %s is %s', (vendor, version, text, expected) => {
    expect(inRange(vendor, version, text)).toBe(expected);
  });

  it.each([
    '11.x.3',
    'x',
    '>=',
    '>= ',
    '11.5 <12',
    '>=11.5 || <12',
    'latest',
    '',
    '>>1',
    '11.5-12',
    '>=11.5, <12',
    '>=11.*',
  ])('is not %j', (text) => {
    expect(isRange(text)).toBe(false);
  });

  it('is taken apart into comparators or a prefix', () => {
    expect(parseRange('>=V5.7.3 build 220315 <V5.8')).toEqual({
      is: 'comparators',
      all: [
        { operator: '>=', version: 'V5.7.3 build 220315' },
        { operator: '<', version: 'V5.8' },
      ],
    });
    expect(parseRange('v11.11.x')).toEqual({ is: 'xRange', prefix: ['11', '11'] });
  });
});

it.each([
  ['11.8.61', true],
  ['V5.7.3 build 220315', true],
  ['V2.840.0000000.30.R, Build Date: 2025-02-27', true],
  ['CC8160-VVTK-0113b', true],
  ['1.291(633)', true],
  ['版本 5.4.5', true],
  ['#12/7: beta', true],
  ['latest', false],
  ['Approved', false],
  ['11.x', false],
  ['11.x.3', false],
  ['11.*', false],
  ['>=11', false],
  ['11.5 <12', false],
  [' 11.5', false],
  ['11.5 ', false],
  ['11\n5', false],
  ['1'.repeat(201), false],
  ['', false],
])('%j can be written as an exact version: %s', (text, expected) => {
  expect(isExactVersion(text)).toBe(expected);
});

describe('an order that documents state (semantics M21)', () => {
  const order = ['blue', 'red', '11.8.61'];

  it.each([
    ['blue', 'red', -1],
    ['11.8.61', 'blue', 1],
    ['red', 'red', 0],
    ['red', 'green', undefined],
    ['11.8.61', '11.9', -1],
    ['11.7', '11.9', -1],
  ])('orders %s and %s: %s', (a, b, expected) => {
    expect(compareVersions('Axis', a, b, order)).toBe(expected);
  });

  it('beats the order of the vendor, which then decides about nothing else', () => {
    const reversed = ['11.9', '11.8.61'];
    expect(compareVersions('Axis', '11.8.61', '11.9', reversed)).toBe(1);
    expect(compareVersions('Axis', '11.8.61', '11.10', reversed)).toBeUndefined();
    expect(compareVersions('Axis', '11.7', '11.10', reversed)).toBeUndefined();
  });

  it('takes exact spellings: another spelling of a listed version is compared as the vendor does', () => {
    expect(compareVersions('Axis', '11.8.61.0', '11.8.61', order)).toBe(0);
    expect(compareVersions('Axis', '11.8.61.0', 'red', order)).toBeUndefined();
  });

  it('decides the bounds of a range', () => {
    expect(inRange('Axis', 'blue', '>=red', order)).toBe(false);
    expect(inRange('Axis', 'red', '>=red', order)).toBe(true);
    expect(inRange('Axis', 'green', '>=red', order)).toBeUndefined();
  });
});
