import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foldersIn, rulesOf } from './rules.ts';
import { ROOT, sources } from './sources.ts';

/**
 * Rules of docs/semantics.md that neither a folder of ours nor a title carries by number, and where
 * they are shown instead. Lints have a habit of their own.
 */
const SHOWN_BY: Readonly<Record<string, string>> = {
  D3: 'test/fixtures/documents/unknownKey-misspelt-field',
  D8: 'test/fixtures/documents/looksLikeSecret-password-in-a-payload',
  W24: 'test/fixtures/documents/windowForOthers-restarts-in-a-window-for-firmware',
  W29: 'test/fixtures/documents/L-windowless-policy-without-windows',
  H5: 'test/fixtures/documents/stopWithoutCanary-no-wave-of-that-name',
};

/** Rules of docs/protocol.md that rehearsals show by number. */
const EXECUTION = ['X1', 'X2', 'X3', 'X4', 'X5'];

/** The steps of the decision order: K1 to K19. */
const STEPS = 19;

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

describe('every rule of the semantics', () => {
  const rules = [...rulesOf('semantics').filter((id) => !id.startsWith('L-')), ...EXECUTION];

  it.each(rules.filter((id) => !(id in SHOWN_BY)))('%s has a folder or a title', (id) => {
    expect(carried).toContain(id);
  });

  it.each(Object.entries(SHOWN_BY))('%s is shown by %s', (id, path) => {
    expect(rules).toContain(id);
    expect(carried).not.toContain(id);
    expect(existsSync(join(ROOT, path))).toBe(true);
  });
});

describe('neighbours of the decision order', () => {
  const pairs = Array.from(
    { length: STEPS - 1 },
    (_, index) => `K${index + 1}-before-K${index + 2}`,
  );
  const shown = new Set(
    foldersIn('test/scenarios').flatMap((name) => [...name.matchAll(/K\d+-before-K\d+/g)].flat()),
  );

  it('have a scenario where both would bite and the earlier one gives the reason', () => {
    const missing = pairs.filter((pair) => !shown.has(pair) && !(pair in NEVER_TOGETHER));
    expect(missing).toEqual([]);
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
