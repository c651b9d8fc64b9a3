import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/model/plan/change.ts';
import { PATIENCE, createPlace, type Place } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';

/** How a pull request becomes a part of main: the commit that was planned is not the one applied. */
const MERGES = {
  squash: ['merge --squash --quiet branch', 'commit --quiet -m squashed'],
  rebase: ['rebase --quiet main branch', 'checkout --quiet main', 'merge --quiet --ff-only branch'],
  merge: ['merge --quiet --no-ff -m merged branch'],
} as const;

describe.concurrent('a plan made on a branch is applied from main after', PATIENCE, () => {
  it.each(['squash', 'rebase', 'merge'] as const)('a %s', async (how) => {
    using place = createPlace();
    const twin = await startTwin(place, { devices: 40 });
    const git = (args: string) => gitIn(place, args);
    git('init --quiet -b main');
    git('add fleet');
    git('commit --quiet -m first');
    git('checkout --quiet -b branch');
    place.edit('fleet/policies/restarts.yaml', 'cooldown: 6h', 'cooldown: 7h');
    git('commit --quiet -am branch');
    const planned = await place.run('plan -o plan.json --base main', twin.as('admin'));
    expect(planned.code, planned.err).toBe(0);
    const plan = JSON.parse(place.read('plan.json')) as {
      readonly id: string;
      readonly inputs: { readonly commit: string };
      readonly changes: readonly Change[];
    };
    git('checkout --quiet main');
    place.write('README', 'another pull request was merged meanwhile');
    git('add README');
    git('commit --quiet -m other');
    for (const step of MERGES[how]) git(step);
    expect(git('rev-parse HEAD').trim()).not.toBe(plan.inputs.commit);
    const wanted = plan.changes.filter(({ action }) => action === 'run');
    expect(wanted.length).toBeGreaterThan(0);
    const args = `apply plan.json --yes --approved ${plan.id} --format json`;
    const { code, out, err } = await place.run(args, twin.as('admin'));
    const { counts } = JSON.parse(out) as { readonly counts: Readonly<Record<string, number>> };
    expect([code, counts['verified']], err).toEqual([0, wanted.length]);
  });
});

function gitIn(place: Place, args: string): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@x.example'];
  return execFileSync('git', [...identity, ...args.split(' ')], {
    cwd: place.folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: place.folder },
  });
}
