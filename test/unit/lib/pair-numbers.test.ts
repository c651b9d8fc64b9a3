import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberValues } from '../../../src/lib/pair-numbers.ts';

test('equal JSON values have one number, and no two others do', () => {
  const few = fc.constantFrom<unknown>(0, 1, '0', '1', 'a', '', true, null, [], {}, [[]], [{}]);
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { weight: 3, arbitrary: few },
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('0', 'a', 'b'), tie('tree'), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(fc.array(tree, { minLength: 2, maxLength: 30 }), (values) => {
      const numberOf = numberValues();
      const numbers = values.map(numberOf);
      const texts = values.map((value) => JSON.stringify(value));
      for (const [at, number] of numbers.entries())
        expect(numbers.indexOf(number)).toBe(texts.indexOf(texts[at] ?? ''));
    }),
    { numRuns: 500 },
  );
});
