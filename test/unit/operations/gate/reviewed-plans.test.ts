import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareReviewed } from '../../../../src/operations/gate/reviewed-plans.ts';
import type { ChangeOutcome } from '../../../../src/model/ledger/approval.ts';
import type { Change } from '../../../../src/model/plan/change.ts';
import { planLines } from '../../../../src/plan/saved/save.ts';
import { proposalWords } from '../../../../src/render/words/approval-words.ts';
import type { Shell } from '../../../../src/shell/shell.ts';
import { change, labels, signedPlan } from '../../../support/render-plan.ts';
import { scratchFolder } from '../../../support/scratch.ts';

const cwd = scratchFolder('reviewed');
const shell = { cwd } as unknown as Shell;
const outcome = (letter: string): string => `${letter.repeat(16)}.${'b'.repeat(16)}`;
const made = labels(3).map((label) => change(label, { outcome: outcome('a') }));
const [first = '', second = '', third = ''] = made.map(({ id }) => id);

function keep(pull: string, changes: readonly Change[], notRead = 0): void {
  mkdirSync(join(cwd, 'incoming', pull), { recursive: true });
  const plan = signedPlan(changes);
  const { task, at } = made[0] as Change;
  const notes =
    notRead > 0 ? [{ task, at, reason: { code: 'notRead' as const }, count: notRead }] : [];
  const text = `${[...planLines({ ...plan, notes, counts: { ...plan.counts, note: notRead } })].join('\n')}\n`;
  writeFileSync(join(cwd, 'incoming', pull, 'fleetform-plan.json'), text);
}

test('N74 the plan of each request is compared by its outcomes', async () => {
  keep('7', made);
  keep('8', made.slice(1, 2), 23);
  const changes: readonly ChangeOutcome[] = [
    [first, outcome('a')],
    [second, outcome('c')],
    [third, outcome('a')],
  ];
  const found = await compareReviewed(shell, 'incoming', { pulls: ['#7', '#8'], changes });
  expect(found).toEqual({
    requests: [
      { pull: '#7', is: 'compared', same: 2, added: 1, removed: 1, notRead: 0 },
      { pull: '#8', is: 'compared', same: 0, added: 3, removed: 1, notRead: 23 },
    ],
    unseen: 1,
  });
  const counts = { awaiting: 3, wanted: 3, withdrawn: 0 };
  const look = { planId: 'p', shown: 'shown.json', pulls: ['#7', '#8'], needed: true, ...counts };
  expect(proposalWords({ ...look, reviewed: found }).slice(2, 5)).toEqual([
    'Compared with the plan of #7: 2 as reviewed, 1 new since, 1 gone.',
    'Compared with the plan of #8: 0 as reviewed, 3 new since, 1 gone. It had not read 23 yet; they may be among the new.',
    'In none of these plans: 1 outcome.',
  ]);
});

test('N74 N41 of a part only what belongs to it is compared', async () => {
  keep('9', made);
  const id = made[0]?.device.id ?? '';
  const part = { devices: [id], names: {}, outside: { devices: 2, run: 2, notRead: 0 } };
  const changes: readonly ChangeOutcome[] = [[first, outcome('a')]];
  const found = await compareReviewed(shell, 'incoming', { pulls: ['!9'], changes, part });
  expect(found.requests).toEqual([
    { pull: '!9', is: 'compared', same: 1, added: 0, removed: 0, notRead: 0 },
  ]);
});

test('N74 a plan of a request that is missing or refused stops no look', async () => {
  mkdirSync(join(cwd, 'incoming', '10'), { recursive: true });
  writeFileSync(join(cwd, 'incoming', '10', 'fleetform-plan.json'), '{"version":1');
  const pulls = ['#10', '#11', 'b'.repeat(12), '../7'];
  const found = await compareReviewed(shell, 'incoming', { pulls, changes: [] });
  expect(found.requests.map(({ is }) => is)).toEqual(['refused', 'missing', 'missing', 'missing']);
  const counts = { awaiting: 0, wanted: 0, withdrawn: 0 };
  const look = { planId: 'p', shown: 'shown.json', pulls, needed: false, ...counts };
  expect(proposalWords({ ...look, reviewed: found }).slice(2, 4)).toEqual([
    `No plan is available to compare with for #11, ${'b'.repeat(12)}, ../7.`,
    'Not compared, because the plan file is invalid: #10.',
  ]);
});
