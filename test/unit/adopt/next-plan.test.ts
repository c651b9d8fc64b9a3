import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adoptAndPlan, anyFleet, unexpected } from '../../support/adopted.ts';
import { leftOutWords } from '../../../src/render/words/documents/import-words.ts';
import { draws } from '../../support/campaign.ts';
import { aDevice, aSnapshot } from '../../support/plan-fleet.ts';

describe('the plan after an import', () => {
  it('is empty, and its documents are valid, for fleets of any shape', async () => {
    await fc.assert(
      fc.asyncProperty(anyFleet(8, 10), async (snapshot) => {
        const { plan, diagnostics } = await adoptAndPlan(snapshot);
        expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(unexpected(plan)).toEqual([]);
      }),
      { numRuns: draws(150) },
    );
  });

  it('is empty without a time zone, too: what could not be decided is left out', async () => {
    await fc.assert(
      fc.asyncProperty(anyFleet(8, 10), async (snapshot) => {
        const { plan } = await adoptAndPlan(snapshot, {});
        expect(unexpected(plan)).toEqual([]);
      }),
      { numRuns: draws(50) },
    );
  });

  it('is valid where the name of a site without a time zone fills a line', async () => {
    const sites = [{ id: '7', name: 'x'.repeat(118) }];
    const { diagnostics } = await adoptAndPlan(aSnapshot([aDevice('dev-1', { sites })]), {});
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('has at most one floor for each vendor and type, and the same for any order', async () => {
    await fc.assert(
      fc.asyncProperty(anyFleet(12, 40), async (snapshot) => {
        const { adopted } = await adoptAndPlan(snapshot);
        const policies = adopted.entries.filter(({ section }) => section === 'firmware');
        const wanted = policies.map(({ fields: { select } }) => {
          const { vendor, deviceType } = select as Readonly<Record<string, string>>;
          return JSON.stringify([vendor, deviceType]);
        });
        expect(new Set(wanted).size).toBe(wanted.length);
      }),
      { numRuns: draws(50) },
    );
  });

  it('has the lowest version as the floor, also of a device that is offered no upgrade', async () => {
    const versions = ['11.8.61', '11.11.160', '11.11.160', '12.1.0', '9.80.3.2'];
    const devices = versions.map((firmwareVersion, index) => ({
      ...aDevice(`dev-${index}`, { firmwareVersion }),
      ...(index === 4 && { available: { rotatePassword: true }, lifeCycle: 'eos' }),
    }));
    const { plan, adopted } = await adoptAndPlan(aSnapshot(devices));
    expect(unexpected(plan)).toEqual([]);
    expect(adopted.entries.filter(({ section }) => section === 'firmware')).toEqual([
      {
        section: 'firmware',
        name: 'axis-cameras',
        fields: {
          select: { vendor: 'Axis', deviceType: 'camera' },
          minVersion: '9.80.3.2',
          priority: 100,
          windows: 'nights',
        },
      },
    ]);
  });

  it('leaves out what a plan would ask a person about, in a group', async () => {
    const devices = [...'abcd'].map((id) => aDevice(id, { firmwareVersion: '11.8.61' }));
    const odd = [
      { ...aDevice('no-version'), firmwareVersion: undefined },
      { ...aDevice('unread'), unreadable: ['firmwareVersion'] },
      { ...aDevice('vendor-unread'), vendor: undefined, unreadable: ['vendor'] },
      { ...aDevice('type-unread'), deviceType: undefined, unreadable: ['deviceType'] },
      { ...aDevice('nothing-offered'), available: {} },
    ] as unknown as ReturnType<typeof aDevice>[];
    const { plan, adopted } = await adoptAndPlan(aSnapshot([...devices, ...odd]));
    expect(unexpected(plan)).toEqual([]);
    const group = adopted.entries.find(({ name }) => name === 'firmware-left-out');
    expect(group?.fields).toEqual({
      devices: ['no-version', 'type-unread', 'unread', 'vendor-unread'],
    });
  });

  it.each([
    ['of a single device', [['Commend', '1.0']], 'single Commend'],
    [
      'without an order',
      [
        ['Axis', 'red'],
        ['Axis', 'blue'],
      ],
      'Axis without an order of versions',
    ],
    [
      'of which the lowest is not known',
      [
        ['Hikvision', 'V5.8.3'],
        ['Hikvision', 'V5.8.3 build 240821'],
        ['Hikvision', 'V5.9.0'],
      ],
      'Hikvision without an order of versions',
    ],
    [
      'without an order, and all alike',
      [
        ['Axis', 'red'],
        ['Axis', 'red'],
      ],
      'Axis without an order of versions',
    ],
  ] as const)('has no floor for versions %s, and says so', async (_, versions, words) => {
    const devices = versions.map(([vendor, firmwareVersion], index) =>
      aDevice(`dev-${index}`, { vendor, firmwareVersion }),
    );
    const { plan, adopted } = await adoptAndPlan(aSnapshot(devices));
    expect(unexpected(plan)).toEqual([]);
    expect(adopted.entries.filter(({ section }) => section === 'firmware')).toEqual([]);
    expect(leftOutWords(adopted.notices)).toContain(words);
  });

  it('leaves out devices whose version would be a range of npm', async () => {
    const versions = ['1.0.0', '~', '^11', '11 - 12'];
    const devices = versions.map((firmwareVersion, index) =>
      aDevice(`dev-${index}`, { model: `M${index}`, firmwareVersion }),
    );
    const { plan, diagnostics } = await adoptAndPlan(aSnapshot(devices));
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(unexpected(plan)).toEqual([]);
  });

  it('never uses a name with a wildcard as a pattern', async () => {
    const devices = [
      aDevice('dev-1', { model: 'P32*', firmwareVersion: '1.0.0' }),
      aDevice('dev-2', { model: 'P3265', firmwareVersion: '2.0.0' }),
    ];
    const { plan, diagnostics } = await adoptAndPlan(aSnapshot(devices));
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(unexpected(plan)).toEqual([]);
  });
});
