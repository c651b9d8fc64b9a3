import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { adoptAndPlan, anyFleet } from '../../support/adopted.ts';
import { aDevice, aSnapshot } from '../../support/plan-fleet.ts';

const EMPTY = { run: 0, wait: 0, skip: 0 };

/** The changes that should not be there, for the message of a failure. */
function shown({ changes }: Plan): string {
  const found = [...changes].slice(0, 3);
  return JSON.stringify(found.map(({ id, reason, at }) => ({ id, reason, at })));
}

describe('the plan after an import', () => {
  it('is empty, and its documents are valid, for fleets of any shape', async () => {
    await fc.assert(
      fc.asyncProperty(anyFleet(8, 10), async (snapshot) => {
        const { plan, diagnostics } = await adoptAndPlan(snapshot);
        expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(plan.counts, shown(plan)).toMatchObject(EMPTY);
      }),
      { numRuns: 150 },
    );
  });

  it('is empty without a time zone, too: what could not be decided is left out', async () => {
    await fc.assert(
      fc.asyncProperty(anyFleet(8, 10), async (snapshot) => {
        const { plan } = await adoptAndPlan(snapshot, {});
        expect(plan.counts, shown(plan)).toMatchObject(EMPTY);
      }),
      { numRuns: 50 },
    );
  });

  it('is valid where the name of a site without a time zone fills a line', async () => {
    const sites = [{ id: '7', name: 'x'.repeat(118) }];
    const { diagnostics } = await adoptAndPlan(aSnapshot([aDevice('dev-1', { sites })]), {});
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('has at most one policy for each vendor, model and version, and the same for any order', async () => {
    await fc.assert(
      fc.asyncProperty(anyFleet(12, 40), async (snapshot) => {
        const { adopted } = await adoptAndPlan(snapshot);
        const used = new Set<string>();
        for (let row = 0; row < snapshot.devices.length; row += 1) {
          const { vendor, model, firmwareVersion } = snapshot.devices.at(row);
          used.add(JSON.stringify([vendor, model, firmwareVersion]));
        }
        const policies = adopted.entries.filter(({ section }) => section === 'firmware');
        expect(policies.length).toBeLessThanOrEqual(used.size);
        const wanted = policies.map(({ fields: { select, version, priority } }) => {
          const { vendor, model } = select as { readonly vendor?: string; readonly model?: string };
          return vendor !== undefined && model !== undefined
            ? JSON.stringify([vendor, model, version, priority === undefined])
            : JSON.stringify([select, version]);
        });
        expect(new Set(wanted).size).toBe(wanted.length);
      }),
      { numRuns: 50 },
    );
  });

  it('leaves devices at their version where one model runs several', async () => {
    const devices = ['11.8.61', '11.11.160', '11.11.160', '12.1.0'].map((firmwareVersion, index) =>
      aDevice(`dev-${index}`, { firmwareVersion }),
    );
    const { plan, adopted } = await adoptAndPlan(aSnapshot(devices));
    expect(plan.counts).toMatchObject(EMPTY);
    expect(adopted.entries.filter(({ section }) => section === 'firmware')).toMatchObject([
      { name: 'axis-p3265-v', fields: { version: '11.11.160' } },
      { name: 'axis-p3265-v-12-1-0', fields: { select: { device: 'dev-3' }, priority: 600 } },
      { name: 'axis-p3265-v-11-8-61', fields: { select: { device: 'dev-0' }, priority: 600 } },
    ]);
  });

  it('leaves out devices whose version would be a range of npm', async () => {
    const versions = ['1.0.0', '~', '^11', '11 - 12'];
    const devices = versions.map((firmwareVersion, index) =>
      aDevice(`dev-${index}`, { model: `M${index}`, firmwareVersion }),
    );
    const { plan, diagnostics } = await adoptAndPlan(aSnapshot(devices));
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(plan.counts).toMatchObject(EMPTY);
  });

  it('never uses a name with a wildcard as a pattern', async () => {
    const devices = [
      aDevice('dev-1', { model: 'P32*', firmwareVersion: '1.0.0' }),
      aDevice('dev-2', { model: 'P3265', firmwareVersion: '2.0.0' }),
    ];
    const { plan, diagnostics } = await adoptAndPlan(aSnapshot(devices));
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(plan.counts).toMatchObject(EMPTY);
  });
});
