import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deviceFacets } from '../../../src/desired/facets.ts';
import { groupRows } from '../../../src/desired/group-rows.ts';
import { createMatcher } from '../../../src/desired/matcher.ts';
import type { Device } from '../../../src/model/fleet/device.ts';
import type { DeviceGroup, Selector, SelectorKeys } from '../../../src/model/documents/policy.ts';
import { inRange } from '../../../src/lib/version-order.ts';
import { device, documentsOf, snapshotOf } from '../../support/desired-documents.ts';

const TAGS: Readonly<Record<string, readonly string[]>> = { HQ: ['emea'], Lager: ['emea', 'dark'] };
const GROUPS: Readonly<Record<string, DeviceGroup>> = {
  lobby: { is: 'select', select: { name: ['lobby-*'], not: { vendor: ['Bosch'] } } },
  doors: { is: 'devices', devices: ['dev-2', 'dev-5', 'gone'] },
};

/** What the semantics say, device by device and key by key, with none of the matcher's machinery. */
function selects(selector: Selector, one: Device): boolean {
  return holds(selector, one) && !(selector.not && holds(selector.not, one));
}

function holds(keys: SelectorKeys, one: Device): boolean {
  const any = (globs: readonly string[] | undefined, text: string | undefined): boolean =>
    !globs || (text !== undefined && globs.some((glob) => toRegExp(glob).test(text)));
  const { site, source, group, firmwareVersion: wanted } = keys;
  const version = one.firmwareVersion;
  const fits = (text: string): boolean =>
    version !== undefined &&
    (text.startsWith('>') ? inRange(one.vendor, version, text) === true : any([text], version));
  return (
    any(keys.device, one.id) &&
    any(keys.name, one.name) &&
    any(keys.vendor, one.vendor) &&
    any(keys.model, one.model) &&
    any(keys.deviceType, one.deviceType) &&
    (!wanted || wanted.some(fits)) &&
    (!source || one.sources.some(({ id, name }) => any(source, id) || any(source, name))) &&
    (!group || groupsOf(one).some((name) => any(group, name))) &&
    (!site ||
      one.sites.some(
        ({ id, name }) =>
          (any(site.name, id) || any(site.name, name)) &&
          (!site.tag || (TAGS[name ?? ''] ?? []).some((tag) => any(site.tag, tag))),
      ))
  );
}

function groupsOf(one: Device): readonly string[] {
  return Object.entries(GROUPS).flatMap(([name, group]) => {
    const isIn =
      group.is === 'select' ? selects(group.select, one) : group.devices.includes(one.id);
    return isIn ? [name] : [];
  });
}

function toRegExp(glob: string): RegExp {
  const source = glob.replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${source.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
}

const globs = (...texts: string[]): fc.Arbitrary<string[]> =>
  fc.uniqueArray(fc.constantFrom(...texts), { minLength: 1, maxLength: 3 });

const keys: fc.Arbitrary<SelectorKeys> = fc.record(
  {
    device: globs('*', 'dev-1', 'dev-?', 'dev-2', 'x'),
    name: globs('lobby-*', 'lobby-1', 'yard-?', '*-2', 'lobby-10'),
    vendor: globs('Axis', 'A*', 'Bosch', '?osch'),
    model: globs('P3265-*', 'P3265-V', 'Q*'),
    deviceType: globs('camera', 'inter*'),
    firmwareVersion: globs('11.*', '>=11.5 <12', '>0', 'golden'),
    site: fc.record(
      { name: globs('HQ', 'id of *', 'L*'), tag: globs('emea', 'd*') },
      { requiredKeys: [] },
    ),
    source: globs('VMS', 'id of CSV'),
    group: globs('lobby', 'd*', 'none'),
  },
  { requiredKeys: [] },
);
const selector: fc.Arbitrary<Selector> = fc
  .tuple(keys, fc.option(keys, { nil: undefined }))
  .map(([wanted, not]) => (not ? { ...wanted, not } : wanted));

const fields = fc.record(
  {
    name: fc.constantFrom('lobby-1', 'lobby-2', 'lobby-10', 'yard-1', 'yard-12'),
    vendor: fc.constantFrom('Axis', 'Bosch', 'AXIS'),
    model: fc.constantFrom('P3265-V', 'P3265-LVE', 'Q6135'),
    deviceType: fc.constantFrom('camera', 'intercom'),
    firmwareVersion: fc.constantFrom('11.8.61', '11.4.1', '12.0', 'golden'),
    sites: fc.subarray(['HQ', 'Lager', 'Depot']),
    sources: fc.subarray(['VMS', 'CSV']),
  },
  { requiredKeys: [] },
);
const fleet = fc
  .array(fields, { maxLength: 8 })
  .map((all) => all.map((some, index) => device(`dev-${index}`, some)));

describe('the matcher', () => {
  it('answers as each selector does on each device, however many there are', () => {
    fc.assert(
      fc.property(fleet, fc.array(selector, { maxLength: 70 }), (devices, selectors) => {
        const { devices: table } = snapshotOf(devices);
        const documents = documentsOf({ sites: TAGS, groups: GROUPS });
        const match = createMatcher(selectors, deviceFacets(documents, table));
        for (let row = 0; row < table.length; row++) {
          const expected = [...selectors.keys()].filter((index) => {
            const one = selectors[index];
            return one !== undefined && selects(one, table.at(row));
          });
          expect(match(row)).toEqual(expected);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('groups rows by what selects them, whatever was grouped before', () => {
    fc.assert(
      fc.property(fleet, fc.array(selector, { maxLength: 70 }), (devices, selectors) => {
        const { devices: table } = snapshotOf(devices);
        const facets = deviceFacets(documentsOf({ sites: TAGS, groups: GROUPS }), table);
        const match = createMatcher(selectors, facets);
        groupRows(selectors.slice(1), facets);
        const { codes, sets } = groupRows(selectors, facets);
        expect(groupRows([...selectors], facets).codes).toBe(codes);
        const found = Array.from(codes, (code) => sets[code]?.indexes);
        expect(found).toEqual(devices.map((_, row) => match(row)));
        expect(sets.map(({ firstRow }) => codes[firstRow])).toEqual([...sets.keys()]);
        const counts = sets.map((_, code) => codes.filter((one) => one === code).length);
        expect(sets.map(({ count }) => count)).toEqual(counts);
      }),
      { numRuns: 200 },
    );
  });

  it('judges a clause once per distinct value and wording, not per device or selector', () => {
    let asked = 0;
    const { devices: table } = snapshotOf(
      Array.from({ length: 500 }, (_, index) => device(`dev-${index}`, { sites: ['HQ'] })),
    );
    const facets = deviceFacets(documentsOf(), table);
    const counting = {
      ...facets,
      tagsOf: () => {
        asked++;
        return ['emea'];
      },
    };
    const tagged = (tag: string): Selector => ({ site: { tag: [tag] } });
    const match = createMatcher([tagged('emea'), tagged('x'), tagged('emea')], counting);
    for (let row = 0; row < table.length; row++) expect(match(row)).toEqual([0, 2]);
    expect(asked).toBe(2);
  });
});
