import { describe, expect, test } from 'vitest';
import { findReviewedPlan } from '../../../../src/forge/github/reviewed-plan.ts';

const SHA = 'a'.repeat(40);
const ASKED = { commit: 'b'.repeat(40), artifact: 'fleetform-plan' };
const PULL = { number: 7, merged_at: '2026-11-23T12:00:00Z', head: { sha: SHA } };
const RUN = { id: 4711, head_sha: SHA, event: 'pull_request' };
const KEPT = { name: 'fleetform-plan', expired: false };

/** A repository that answers with these rows, whatever was asked. */
function hub(pulls: readonly unknown[], runs: readonly unknown[], kept: readonly unknown[]) {
  return {
    list: async () => pulls,
    get: async (path: string) =>
      path.includes('/artifacts') ? { artifacts: kept } : { workflow_runs: runs },
    send: async () => undefined,
    download: async () => undefined,
  };
}

describe('N74 the plan of the request that was merged', () => {
  test('is that of the newest run for its last commit', async () => {
    const runs = [RUN, { ...RUN, id: 4713 }, { ...RUN, id: 4712 }];
    const found = await findReviewedPlan(hub([PULL], runs, [KEPT]), ASKED);
    expect(found).toEqual({ name: '#7', plan: { is: 'run', run: 4713 } });
  });

  test('is that of the request that was merged last', async () => {
    const later = { ...PULL, number: 5, merged_at: '2026-11-24T12:00:00Z' };
    const open = { ...PULL, number: 9, merged_at: null };
    const found = await findReviewedPlan(hub([later, PULL, open], [RUN], [KEPT]), ASKED);
    expect(found?.name).toBe('#5');
  });

  test.each<readonly [string, readonly unknown[], readonly unknown[]]>([
    ['its artifact has expired', [RUN], [{ ...KEPT, expired: true }]],
    ['no artifact has its name', [RUN], [{ ...KEPT, name: 'other' }, 7]],
    ['its run is for another commit', [{ ...RUN, head_sha: 'c'.repeat(40) }], [KEPT]],
    ['its run is no number', [{ ...RUN, id: '4711\nneeded=true' }], [KEPT]],
    ['its run is of a push', [{ ...RUN, event: 'push' }], [KEPT]],
  ])('is not there where %s', async (_, runs, kept) => {
    expect(await findReviewedPlan(hub([PULL], runs, kept), ASKED)).toEqual({ name: '#7' });
  });

  test('is not asked for without a request, or for a commit that is none', async () => {
    expect(await findReviewedPlan(hub([], [RUN], [KEPT]), ASKED)).toBeUndefined();
    const odd = { ...PULL, head: { sha: '../..' } };
    expect(await findReviewedPlan(hub([odd], [RUN], [KEPT]), ASKED)).toEqual({ name: '#7' });
  });
});
