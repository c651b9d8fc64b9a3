import { describe, expect, test } from 'vitest';
import { objectsIn } from '../../../../src/lib/objects.ts';
import { parseQueued } from '../../../../src/forge/github/github.ts';
import { findReviewedPlans } from '../../../../src/forge/github/reviewed-plan.ts';

const SHA = 'a'.repeat(40);
const ASKED = { commits: ['b'.repeat(40)], artifact: 'fleetform-plan' };
const PULL = { number: 7, merged_at: '2026-11-23T12:00:00Z', head: { sha: SHA } };
const RUN = { id: 4711, head_sha: SHA, event: 'pull_request' };
const KEPT = { name: 'fleetform-plan', expired: false };

/** A repository that answers with these rows, whatever was asked; requests may differ by commit. */
function hub(
  pulls: readonly unknown[] | ((commit: string) => readonly unknown[]),
  runs: readonly unknown[],
  kept: readonly unknown[],
) {
  return {
    list: async (path: string) =>
      objectsIn(typeof pulls === 'function' ? pulls(path.split('/')[1] ?? '') : pulls),
    get: async (path: string) =>
      path.includes('/artifacts') ? { artifacts: kept } : { workflow_runs: runs },
    send: async () => undefined,
    download: async () => undefined,
  };
}

describe('N74 the plans of the requests that were merged', () => {
  test('are those of the newest run for their last commit', async () => {
    const runs = [RUN, { ...RUN, id: 4713 }, { ...RUN, id: 4712 }];
    const found = await findReviewedPlans(hub([PULL], runs, [KEPT]), ASKED);
    expect(found).toEqual([{ name: '#7', plan: { is: 'run', run: 4713 } }]);
  });

  test('are of each request once, in the order of the commits', async () => {
    const two = { ...PULL, number: 5 };
    const pulls: Readonly<Record<string, readonly unknown[]>> = { b: [PULL], c: [PULL], e: [two] };
    const commits = ['b', 'c', 'd', 'e'].map((letter) => letter.repeat(40));
    const service = hub((commit) => pulls[commit.slice(0, 1)] ?? [], [RUN], [KEPT]);
    const found = await findReviewedPlans(service, { ...ASKED, commits });
    expect(found).toEqual([
      { name: '#7', plan: { is: 'run', run: 4711 } },
      { name: '#5', plan: { is: 'run', run: 4711 } },
    ]);
  });

  test('are of requests that were merged alone', async () => {
    const later = { ...PULL, number: 5, merged_at: '2026-11-24T12:00:00Z' };
    const open = { ...PULL, number: 9, merged_at: null };
    const found = await findReviewedPlans(hub([later, PULL, open], [RUN], [KEPT]), ASKED);
    expect(found.map(({ name }) => name)).toEqual(['#7', '#5']);
  });

  test.each<readonly [string, readonly unknown[], readonly unknown[]]>([
    ['its artifact has expired', [RUN], [{ ...KEPT, expired: true }]],
    ['no artifact has its name', [RUN], [{ ...KEPT, name: 'other' }, 7]],
    ['its run is for another commit', [{ ...RUN, head_sha: 'c'.repeat(40) }], [KEPT]],
    ['its run is no number', [{ ...RUN, id: '4711\nneeded=true' }], [KEPT]],
    ['its run is of a push', [{ ...RUN, event: 'push' }], [KEPT]],
  ])('are not there where %s', async (_, runs, kept) => {
    expect(await findReviewedPlans(hub([PULL], runs, kept), ASKED)).toEqual([{ name: '#7' }]);
  });

  test('N87 are, in a merge queue, the one of the request that its group is named after', async () => {
    const queued = (head_ref: unknown) => parseQueued({ merge_group: { head_ref } });
    const ref = `refs/heads/gh-readonly-queue/release/pr-2/pr-7-${SHA}`;
    expect(queued(ref)).toBe(7);
    for (const other of [`refs/heads/pr-7-${SHA}`, `${ref}0`, ref.replace('pr-7', 'pr-x'), 7])
      expect(queued(other)).toBeUndefined();
    const asked: string[] = [];
    const service = hub([], [RUN], [KEPT]);
    const get = async (path: string) => {
      asked.push(path);
      return path === 'pulls/7' ? { number: 7, head: { sha: SHA } } : service.get(path);
    };
    const wanted = { artifact: 'fleetform-plan' };
    expect(await findReviewedPlans({ ...service, get }, wanted, 7)).toEqual([
      { name: '#7', plan: { is: 'run', run: 4711 } },
    ]);
    expect(asked[0]).toBe('pulls/7');
    expect(await findReviewedPlans(service, wanted)).toEqual([]);
  });

  test('are not asked for without a request, or for a commit that is none', async () => {
    expect(await findReviewedPlans(hub([], [RUN], [KEPT]), ASKED)).toEqual([]);
    const odd = { ...PULL, head: { sha: '../..' } };
    expect(await findReviewedPlans(hub([odd], [RUN], [KEPT]), ASKED)).toEqual([{ name: '#7' }]);
    const named = { ...PULL, number: '7/../8' };
    expect(await findReviewedPlans(hub([named], [RUN], [KEPT]), ASKED)).toEqual([]);
  });
});
