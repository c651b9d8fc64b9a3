import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareReviewed } from '../../../../../src/cli/commands/ci/compare-reviewed.ts';
import { planLines } from '../../../../../src/plan/saved/save.ts';
import type { Shell } from '../../../../../src/shell/shell.ts';
import { change, labels, signedPlan } from '../../../../support/render-plan.ts';
import { scratchFolder } from '../../../../support/scratch.ts';

const cwd = scratchFolder('reviewed');
const shell = { cwd } as unknown as Shell;
const outcome = (letter: string): string => `${letter.repeat(16)}.${'b'.repeat(16)}`;

test('N74 the plan of a request is compared by its outcomes', async () => {
  const changes = labels(3).map((label) => change(label, { outcome: outcome('a') }));
  writeFileSync(join(cwd, 'plan.json'), `${[...planLines(signedPlan(changes))].join('\n')}\n`);
  const [first, second] = changes.map(({ id }) => id);
  const wanted = [
    [first ?? '', outcome('a')],
    [second ?? '', outcome('c')],
  ] as const;
  expect(await compareReviewed(shell, 'plan.json', wanted)).toEqual({
    is: 'compared',
    same: 1,
    added: 1,
    removed: 2,
  });
});

test('N74 a plan of a request that is missing or refused stops no look', async () => {
  writeFileSync(join(cwd, 'odd.json'), '{"version":1');
  expect(await compareReviewed(shell, 'nowhere.json', [])).toEqual({ is: 'missing' });
  expect(await compareReviewed(shell, 'odd.json', [])).toEqual({ is: 'refused' });
});
