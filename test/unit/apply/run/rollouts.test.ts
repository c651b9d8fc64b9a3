import { expect, test } from 'vitest';
import { recordStops } from '../../../../src/apply/run/rollouts.ts';
import type { RecordBody } from '../../../../src/model/ledger/record.ts';
import { stopKey, type ActiveStop } from '../../../../src/model/ledger/memory.ts';
import type { Policy } from '../../../../src/model/documents/policy.ts';
import { aRun } from '../../../support/apply-run.ts';
import { aMemory, entries, NOW, someDocuments } from '../../../support/plan-fleet.ts';
import { RESTART } from '../../../support/plan-decide.ts';

/** What is written about stops when a run looks at them, with `restarts.dark` as the documents have it. */
async function written(rollout: string | undefined, ...given: readonly (string | ActiveStop)[]) {
  const stops = new Map<string, ActiveStop>(
    given.map((one) => {
      const pause = { rule: 'canary', counts: {}, at: NOW, documents: 'old' };
      const stop = typeof one === 'string' ? { scope: one, ...pause } : one;
      return [stopKey(stop), stop];
    }),
  );
  const policy: Policy = { ...RESTART, ...(rollout !== undefined && { rollout }) };
  const bodies: RecordBody[] = [];
  const run = aRun({
    documents: someDocuments({ restarts: entries({ dark: policy }) }),
    journal: {
      memory: aMemory([], { stops }),
      append: async (more: readonly RecordBody[]) => {
        bodies.push(...more);
        return 'acknowledged';
      },
    },
    clock: { now: () => NOW },
  });
  await recordStops(run);
  return bodies.map((body) => ('scope' in body ? `${body.type} ${stopKey(body)}` : body.type));
}

const OWN = ['restarts.dark', 'restarts.dark/site=7'];

test('a policy that has no rollout any more is stopped by none: its stops are lifted', async () => {
  expect(await written(undefined, ...OWN)).toEqual(OWN.map((scope) => `LIFT ${scope}`));
});

test('its abort ends with its rollout too, which nothing else could end', async () => {
  const abort: ActiveStop = {
    scope: 'restarts.dark',
    rule: 'r',
    counts: {},
    at: NOW,
    action: 'abort',
    wish: 'w',
  };
  expect(await written(undefined, abort)).toEqual(['LIFT restarts.dark w']);
  expect(await written('careful', abort)).toEqual([]);
});

test('stops of others, of the fleet, and of a policy with a rollout are left alone', async () => {
  expect(await written(undefined, 'restarts.darker', 'fleet')).toEqual([]);
  expect(await written('careful', ...OWN)).toEqual([]);
});
