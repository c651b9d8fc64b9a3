import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deviceFacets } from '../../../src/desired/facets.ts';
import { groupRows } from '../../../src/desired/group-rows.ts';
import { createMatcher } from '../../../src/desired/matcher.ts';
import { compileSelector } from '../../../src/desired/select.ts';
import { sortedTable, tableOf } from '../../../src/live/device-table.ts';
import type { Device } from '../../../src/model/fleet/device.ts';
import { DeviceRows } from '../../../src/model/fleet/device-rows.ts';
import type { Membership } from '../../../src/model/documents/selector.ts';
import type { DeviceGroup, Selector, SelectorKeys } from '../../../src/model/documents/policy.ts';
import { inRange } from '../../../src/lib/version-order.ts';
import { device, documentsOf, snapshotOf } from '../../support/desired-documents.ts';

const TAGS: Readonly<Record<string, readonly string[]>> = { HQ: ['emea'], Lager: ['emea', 'dark'] };
const GROUPS: Readonly<Record<string, DeviceGroup>> = {
  lobby: { is: 'select', select: { name: ['lobby-*'], not: { vendor: ['Bosch'] } } },
  late: { is: 'select', select: { firmwareVersion: ['>11.5'] } },
  doors: { is: 'devices', devices: ['dev-2', 'dev-5', 'gone'] },
};

/** What the semantics say, device by device and key by key, with none of the matcher's machinery. */
function selects(selector: Selector, one: Device): Membership {
  const excluded = selector.not ? holds(selector.not, one) : false;
  return every([holds(selector, one), excluded === 'maybe' ? 'maybe' : !excluded]);
}

/** Of three values: no before unclear before yes (semantics M20). */
function every(answers: readonly Membership[]): Membership {
  return answers.includes(false) ? false : !answers.includes('maybe') || 'maybe';
}

function some(answers: readonly Membership[]): Membership {
  return answers.includes(true) || (answers.includes('maybe') && 'maybe');
}

function holds(keys: SelectorKeys, one: Device): Membership {
  const isUnread = (field: string): boolean => one.unreadable?.includes(field) === true;
  const any = (globs: readonly string[], text: string | undefined): boolean =>
    text !== undefined && globs.some((glob) => toRegExp(glob).test(text));
  const of = (field: string, globs: readonly string[] | undefined, text?: string): Membership =>
    !globs || (isUnread(field) ? 'maybe' : any(globs, text));
  const { site, source, group, firmwareVersion: wanted } = keys;
  const version = one.firmwareVersion ?? '';
  const lies = (range: string): Membership =>
    isUnread('vendor') ? 'maybe' : (inRange(one.vendor, version, range) ?? 'maybe');
  const fits = (text: string): Membership =>
    text.startsWith('>') ? lies(text) : any([text], version);
  const isSite = ({ id, name }: Device['sites'][number]): boolean =>
    (!site?.name || any(site.name, id) || any(site.name, name)) &&
    (!site?.tag || (TAGS[name ?? ''] ?? []).some((tag) => any(site.tag ?? [], tag)));
  return every([
    of('', keys.device, one.id),
    of('name', keys.name, one.name),
    of('vendor', keys.vendor, one.vendor),
    of('model', keys.model, one.model),
    of('deviceType', keys.deviceType, one.deviceType),
    !wanted ||
      (isUnread('firmwareVersion')
        ? 'maybe'
        : one.firmwareVersion !== undefined && some(wanted.map(fits))),
    !source || one.sources.some(({ id, name }) => any(source, id) || any(source, name)),
    !group || some(groupsOf(one).map(([name, isIn]) => any(group, name) && isIn)),
    !site || (isUnread('sites') ? 'maybe' : one.sites.some(isSite)),
  ]);
}

function groupsOf(one: Device): readonly (readonly [string, Membership])[] {
  return Object.entries(GROUPS).map(([name, group]) => [
    name,
    group.is === 'select' ? selects(group.select, one) : group.devices.includes(one.id),
  ]);
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
    group: globs('lobby', 'l*', 'd*', 'none'),
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
    unreadable: fc.subarray(['name', 'vendor', 'firmwareVersion', 'sites'], {
      minLength: 1,
      maxLength: 2,
    }),
  },
  { requiredKeys: [] },
);
/** Without the values of fields that could not be read. */
function asRead<T extends { readonly unreadable?: readonly string[] }>(some: T): Partial<T> {
  const lost = some.unreadable ?? [];
  return Object.fromEntries(
    Object.entries(some).filter(([key]) => !lost.includes(key)),
  ) as Partial<T>;
}

const fleet = fc
  .array(fields, { maxLength: 8 })
  .map((all) => all.map((some, index) => device(`dev-${index}`, asRead(some))));

describe('the matcher', () => {
  it('answers as each selector does on each device, however many there are', () => {
    fc.assert(
      fc.property(fleet, fc.array(selector, { maxLength: 70 }), (devices, selectors) => {
        const { devices: table } = snapshotOf(devices);
        const documents = documentsOf({ sites: TAGS, groups: GROUPS });
        const fleetOf = { documents, snapshot: { devices: table } };
        const match = createMatcher(selectors, deviceFacets(documents, table));
        for (let row = 0; row < table.length; row++) {
          const expected = { sure: [] as number[], unclear: [] as number[] };
          for (const [index, selector] of selectors.entries()) {
            const answer = selects(selector, table.at(row));
            if (answer === true) expected.sure.push(index);
            if (answer === 'maybe') expected.unclear.push(index);
            expect(compileSelector(selector, fleetOf)(row)).toBe(answer);
          }
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
        expect(groupRows([...selectors], facets).codes).toEqual(codes);
        const found = Array.from(codes, (code) => {
          return { sure: sets[code]?.indexes, unclear: sets[code]?.unclear };
        });
        expect(found).toEqual(devices.map((_, row) => match(row)));
        expect(sets.map(({ firstRow }) => codes[firstRow])).toEqual([...sets.keys()]);
        const counts = sets.map((_, code) => codes.filter((one) => one === code).length);
        expect(sets.map(({ count }) => count)).toEqual(counts);
      }),
      { numRuns: 200 },
    );
  });

  it('groups rows as they are grouped together, whatever pages they came in', () => {
    const inPages = fc.tuple(fleet, fc.array(fc.nat(8)), fc.array(selector, { maxLength: 40 }));
    fc.assert(
      fc.property(inPages, ([devices, ends, selectors]) => {
        const documents = documentsOf({ sites: TAGS, groups: GROUPS });
        const rows = new DeviceRows();
        let told = 0;
        for (const [index, one] of devices.toReversed().entries()) {
          rows.add(one);
          if (!ends.includes(index)) continue;
          const page = rows.page(
            Uint32Array.from({ length: rows.length - told }, (_, at) => told + at),
          );
          groupRows(selectors, deviceFacets(documents, tableOf(page)));
          told = rows.length;
        }
        const together = deviceFacets(
          documentsOf({ sites: TAGS, groups: GROUPS }),
          snapshotOf(devices).devices,
        );
        expect(groupRows(selectors, deviceFacets(documents, sortedTable(rows)))).toEqual(
          groupRows(selectors, together),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('matches no row again that was matched with its page', () => {
    const rows = new DeviceRows();
    for (const id of ['dev-2', 'dev-1']) rows.add(device(id, { sites: ['HQ'] }));
    const documents = documentsOf({ sites: TAGS });
    const selectors: Selector[] = [{ site: { tag: ['emea'] } }, { name: ['none'] }];
    groupRows(selectors, deviceFacets(documents, tableOf(rows.page())));
    const facets = {
      ...deviceFacets(documents, sortedTable(rows)),
      tagsOf: () => {
        throw new Error('matched again');
      },
    };
    expect(groupRows(selectors, facets).sets).toEqual([
      { indexes: [0], unclear: [], firstRow: 0, count: 2 },
    ]);
  });

  it('matches a row again for documents that give its site other tags', () => {
    const documents = documentsOf({ sites: TAGS });
    const { devices: table } = snapshotOf([device('dev-1', { sites: ['HQ'] })]);
    const selectors: Selector[] = [{ site: { tag: ['emea'] } }];
    expect(groupRows(selectors, deviceFacets(documents, table)).sets[0]?.indexes).toEqual([0]);
    const others = { ...documents, sites: documentsOf({ sites: { HQ: ['retail'] } }).sites };
    expect(groupRows(selectors, deviceFacets(others, table)).sets[0]?.indexes).toEqual([]);
  });

  it('matches a row again that a later read has replaced', () => {
    const documents = documentsOf({ sites: TAGS });
    const { devices: table } = snapshotOf([device('dev-1', { vendor: 'Axis' }), device('dev-2')]);
    const selectors: Selector[] = [{ vendor: ['Axis'] }];
    groupRows(selectors, deviceFacets(documents, table));
    const newer = table.with([device('dev-1', { vendor: 'Bosch' })]);
    expect(groupRows(selectors, deviceFacets(documents, newer)).sets[0]?.indexes).toEqual([]);
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
    for (let row = 0; row < table.length; row++) expect(match(row).sure).toEqual([0, 2]);
    expect(asked).toBe(2);
  });
});
