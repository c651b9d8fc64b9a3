import { expect, test } from 'vitest';
import { plan } from '../../../src/plan/plan.ts';
import { make, readScenario } from '../../support/plan-scenario.ts';

test('M30 says how many of the devices with values of an earlier run match', async () => {
  const { input } = await make(
    readScenario('448-M33-E5-what-is-acknowledged-needs-nobody-until-its-end'),
  );
  const { snapshot } = input;
  const believe = (isBelieved: (id: string) => boolean) => {
    const facts = (id: string) => ({
      ...snapshot.facts(id),
      ...(isBelieved(id) && { knownAt: { passwords: input.now - 1 } }),
    });
    return plan({ ...input, snapshot: { ...snapshot, facts } }).plan.coverage;
  };
  expect(believe(() => true)).toMatchObject({ matching: 1, believed: 6, matchingBelieved: 1 });
  expect(believe((id) => id !== 'known-4')).toMatchObject({ believed: 5, matchingBelieved: 0 });
  expect(believe((id) => id === 'known-4')).not.toHaveProperty('matchingBelieved');
});
