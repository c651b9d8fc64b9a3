import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileSelector } from '../../../src/desired/select.ts';
import type { DeviceGroup, Selector, SelectorKeys } from '../../../src/model/documents/policy.ts';
import { device, documentsOf, snapshotOf } from '../../support/desired-documents.ts';

const VALUES = {
  name: ['lobby-1', 'yard-1'],
  vendor: ['Axis', 'Bosch'],
  model: ['P3265-V', 'Q6135'],
  deviceType: ['camera', 'intercom'],
  firmwareVersion: ['11.8.61', '12.0'],
} as const;
const SITES = [['HQ'], ['Lager'], ['HQ', 'Lager'], []];
const TAGS = { HQ: ['emea'], Lager: ['dark'] };
const GROUPS: Readonly<Record<string, DeviceGroup>> = {
  lobby: { is: 'select', select: { name: ['lobby-*'], not: { vendor: ['Bosch'] } } },
  doors: { is: 'devices', devices: ['dev'] },
};
const documents = documentsOf({ sites: TAGS, groups: GROUPS });

type Text = keyof typeof VALUES;
const TEXTS = Object.keys(VALUES) as Text[];

const one = (...texts: string[]): fc.Arbitrary<string[]> =>
  fc.constantFrom(...texts.map((t) => [t]));
const asked = fc.record({
  name: one('lobby-*', 'yard-1', '*'),
  vendor: one('Axis', 'B*'),
  model: one('P*', 'Q*'),
  deviceType: one('camera', 'inter*'),
  firmwareVersion: one('11.*', '>=12'),
  site: fc.record({ name: one('HQ', 'L*'), tag: one('emea', 'd*') }, { requiredKeys: [] }),
  group: one('lobby', 'd*', 'none'),
});
const ASKED = [
  'name',
  'vendor',
  'model',
  'deviceType',
  'firmwareVersion',
  'site',
  'group',
] as const;
/** Few keys: of many one always says no. */
const keys: fc.Arbitrary<SelectorKeys> = fc
  .tuple(asked, fc.subarray([...ASKED], { minLength: 1, maxLength: 2 }))
  .map(([all, some]) => Object.fromEntries(some.map((key) => [key, all[key]])));
const selectors: fc.Arbitrary<Selector> = fc
  .tuple(keys, fc.option(keys, { nil: undefined }))
  .map(([wanted, not]) => (not ? { ...wanted, not } : wanted));

const texts = fc.record({
  name: fc.constantFrom(...VALUES.name),
  vendor: fc.constantFrom(...VALUES.vendor),
  model: fc.constantFrom(...VALUES.model),
  deviceType: fc.constantFrom(...VALUES.deviceType),
  firmwareVersion: fc.constantFrom(...VALUES.firmwareVersion),
});
const rows = fc.record({
  texts,
  sites: fc.constantFrom(...SITES),
  lost: fc.subarray([...TEXTS, 'sites' as const], { maxLength: 3 }),
});

/** Everything that the device may be, for all that was understood of it. */
function* meant(known: Record<Text, string>, sites: string[], lost: readonly string[]) {
  let all: Partial<Record<Text, string>>[] = [known];
  for (const field of TEXTS.filter((text) => lost.includes(text)))
    all = all.flatMap((made) => VALUES[field].map((value) => ({ ...made, [field]: value })));
  for (const made of all)
    for (const at of lost.includes('sites') ? SITES : [sites])
      yield device('dev', { ...made, sites: at });
}

it('D9 M20 says no, and yes, only where every reading of what was not understood does', () => {
  let open = 0;
  fc.assert(
    fc.property(rows, selectors, ({ texts: known, sites, lost }, selector) => {
      const kept = Object.fromEntries(
        Object.entries(known).filter(([key]) => !lost.some((l) => l === key)),
      );
      const asRead = device('dev', {
        ...kept,
        sites: lost.includes('sites') ? [] : sites,
        ...(lost.length > 0 && { unreadable: lost.toSorted() }),
      });
      const selectsIn = (one: ReturnType<typeof device>) =>
        compileSelector(selector, { documents, snapshot: snapshotOf([one]) })(0);
      const readings = [...meant(known, sites, lost)].map(selectsIn);
      const told = selectsIn(asRead);
      if (told === 'maybe') open++;
      else expect(readings.every((reading) => reading === told)).toBe(true);
      if (lost.length === 0) expect(told).not.toBe('maybe');
    }),
    { numRuns: 150 },
  );
  expect(open).toBeGreaterThan(10);
});
