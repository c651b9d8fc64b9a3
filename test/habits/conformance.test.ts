import { describe, expect, it } from 'vitest';
import { foldersIn } from './rules.ts';
import { sources } from './sources.ts';

/**
 * How many rules of each letter, from 1, a scenario, a rehearsal or a test has to show by number. The
 * rules are those of docs/semantics.md, and of docs/protocol.md for X.
 */
const RULES = {
  W: ['windows', 23],
  B: ['budgets', 9],
  P: ['progress', 9],
  H: ['stop rules', 1],
  R: ['rotation', 7],
  F: ['firmware', 6],
  O: ['onboarding', 4],
  S: ['restarts', 3],
  X: ['execution', 4],
  G: ['guardrails and approvals', 5],
  K: ['steps of the decision order', 19],
} as const;

/** Rules that nothing can show yet, and why. */
const NOT_YET: Readonly<Record<string, string>> = {};

/** Neighbours of the decision order that cannot both bite, and why. */
const NEVER_TOGETHER: Readonly<Record<string, string>> = {
  'K1-before-K2': 'of a device that is not there nothing can be judged',
  'K15-before-K16':
    'the windows of a policy are one: it is open, though too late to start, or closed',
};

/** Folders whose names and test files whose titles carry numbers. */
const carried = wordsOf([
  ...foldersIn('test/scenarios'),
  ...foldersIn('test/rehearsals'),
  ...titles(),
]);

describe.each(Object.entries(RULES))('%s', (letter, [what, count]) => {
  it(`has a scenario, a rehearsal or a test for each rule of ${what}`, () => {
    const numbers = Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
    const missing = numbers.filter((number) => !carried.has(number) && !(number in NOT_YET));
    expect(missing).toEqual([]);
  });
});

describe('neighbours of the decision order', () => {
  const pairs = Array.from(
    { length: RULES.K[1] - 1 },
    (_, index) => `K${index + 1}-before-K${index + 2}`,
  );
  const shown = new Set(
    foldersIn('test/scenarios').flatMap((name) => [...name.matchAll(/K\d+-before-K\d+/g)].flat()),
  );

  it('have a scenario where both would bite and the earlier one gives the reason', () => {
    const missing = pairs.filter((pair) => !shown.has(pair) && !(pair in NEVER_TOGETHER));
    expect(missing).toEqual([]);
  });

  it('that nothing can show yet are shown by nothing', () => {
    expect(Object.keys(NOT_YET).filter((number) => carried.has(number))).toEqual([]);
  });

  it('that cannot both bite are told with the reason, and have no scenario', () => {
    const told = Object.keys(NEVER_TOGETHER);
    expect(told.filter((pair) => !pairs.includes(pair) || shown.has(pair))).toEqual([]);
  });
});

/** Texts of test files that begin with numbers of rules and go on in words. */
function titles(): readonly string[] {
  return sources('test')
    .filter(({ path }) => path.endsWith('.test.ts'))
    .flatMap(({ text }) => [...text.matchAll(/['"`]((?:[A-Z]\d+ )+)(?=\S)/g)])
    .map((match) => match[1] ?? '');
}

/** What stands between spaces and hyphens. A pair of neighbours shows neither step by itself. */
function wordsOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => name.replace(/K\d+-before-K\d+/g, '').split(/[- ]/)));
}
