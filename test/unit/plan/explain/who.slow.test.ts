import { describe, test } from 'vitest';
import { scenarios } from '../../../support/plan-scenario.ts';
import { expectInverse, hasMany } from '../../../support/who-why.ts';

describe('who and why are inverse in a larger fleet, whichever line is asked about', () => {
  const many = scenarios()
    .filter(({ errors }) => errors.length === 0)
    .filter(hasMany);

  test.each(many.map((scenario) => [scenario.name, scenario] as const))('%s', (_, scenario) =>
    expectInverse(scenario),
  );
});
