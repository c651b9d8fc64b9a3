import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { adoptAndPlan, anyFleet } from '../../support/adopted.ts';
import { aDevice, aSnapshot } from '../../support/plan-fleet.ts';

it.each([
  [1_000, 60, 10],
  [50_000, 400, 2],
])(
  'plans nothing after an import of %i devices of any shape',
  async (devices, kinds, numRuns) => {
    await fc.assert(
      fc.asyncProperty(anyFleet(kinds, devices), async (snapshot) => {
        const { plan, diagnostics } = await adoptAndPlan(snapshot);
        expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(plan.counts).toMatchObject({ run: 0, wait: 0, skip: 0 });
      }),
      { numRuns },
    );
  },
  900_000,
);

it('plans nothing after an import of 50000 devices of as many models', async () => {
  const devices = Array.from({ length: 50_000 }, (_, index) => ({
    ...aDevice(`dev-${index}`),
    vendor: `Vendor ${index % 70}`,
    model: `M${index}`,
    firmwareVersion: `${index % 9}.${index}`,
    sites: [{ id: `s${index % 300}`, name: `Site ${index % 300}` }],
  }));
  const { plan, files } = await adoptAndPlan(aSnapshot(devices));
  expect(plan.counts).toMatchObject({ run: 0, wait: 0, skip: 0 });
  const firmware = files.filter(({ path }) => path.includes('/firmware'));
  const policies = firmware.flatMap(({ text }) => text.match(/^ {2}[^\s#].*:( |$)/gm) ?? []);
  expect(policies).toHaveLength(50_000);
}, 900_000);
