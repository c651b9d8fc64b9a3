import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { adoptAndPlan, anyFleet, unexpected } from '../../support/adopted.ts';

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
        expect(unexpected(plan)).toEqual([]);
      }),
      { numRuns },
    );
  },
  900_000,
);
