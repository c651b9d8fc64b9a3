import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/model/plan/plan.ts';
import { createPlace, PATIENCE } from '../support/blackbox.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';

const place = createPlace();
let twin: TwinProcess;

const IDENTITY = ['-c', 'user.name=Ada Lovelace', '-c', 'user.email=ada@x.example'];
const git = (...args: string[]): string =>
  execFileSync('git', [...IDENTITY, ...args], { cwd: place.folder, encoding: 'utf8' });

const MORE = `rotations:
  intercom-passwords:
    task: rotatePassword
    select: {deviceType: intercom}
    maxAge: 30d
    headStart: 2d
    spread: 1d
    windows: anytime
`;

beforeAll(async () => {
  twin = await startTwin(place);
  git('init', '-q', '-b', 'main');
  git('add', 'fleet');
  git('commit', '-q', '-m', 'A first fleet');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  git('checkout', '-q', '-b', 'branch');
  place.write('fleet/more.yaml', MORE);
  git('add', 'fleet');
  git('commit', '-q', '-m', 'Rotate the intercoms');
}, PATIENCE.timeout);
afterAll(() => place[Symbol.dispose]());

/** Plans with this message on the only commit of the branch. */
async function planned(message: string): Promise<{ readonly code: unknown; readonly plan: Plan }> {
  git('commit', '-q', '--amend', '-m', message);
  const { code, out } = await place.run('plan --base main --format json', twin.as('admin'));
  return { code, plan: JSON.parse(out) as Plan };
}

describe('G9 a request with Scope trailers', PATIENCE, () => {
  it('exits with 0 where its plan keeps to them, and says so', async () => {
    const { code, plan } = await planned(
      'Rotate\n\nScope: rotations.intercom-*, at most 50 devices',
    );
    expect([code, plan.base?.scope?.passed]).toEqual([0, true]);
    expect(plan.base?.scope?.changes).toBe(plan.base?.counts.branch);
  });

  it('exits with 3 where its plan is wider, and a saved plan of it is not applied', async () => {
    const { code, plan } = await planned('Rotate\n\nScope: rotations.intercom-*, site HQ*');
    const { outside, passed } = plan.base?.scope ?? {};
    expect([code, passed]).toEqual([3, false]);
    expect(outside?.classes.map(({ policy }) => policy)).toEqual(['rotations.intercom-passwords']);
    expect(outside?.changes).toBeGreaterThan(0);
    await place.run('plan --base main -o wide.json', twin.as('admin'));
    const applied = await place.run('apply wide.json --yes --format json', twin.as('admin'));
    expect(applied.code).toBe(3);
    expect(JSON.parse(applied.out)).toMatchObject({ error: { code: 'planOutOfScope' } });
  });

  it('exits with 3 where a trailer matches nothing, or cannot be read', async () => {
    const { code, plan } = await planned(
      'Rotate\n\nScope: rotations.*\nScope: firmware.axis-*\nScope: everything\n',
    );
    const codes = plan.base?.scope?.trailers.map(({ problems }) =>
      problems.map((each) => each.code),
    );
    expect(code).toBe(3);
    expect(codes).toEqual([[], ['nothing'], ['unknown']]);
  });

  it('judges a branch that takes a policy away', async () => {
    git('checkout', '-q', '-b', 'away', 'main');
    place.edit('fleet/policies/onboarding.yaml', 'new-at-hq', 'old-at-hq');
    git('commit', '-q', '-a', '-m', 'Rename\n\nScope: onboarding.old-at-hq');
    const { code, out } = await place.run('plan --base main --format json', twin.as('admin'));
    const { base } = JSON.parse(out) as Plan;
    git('checkout', '-q', 'branch');
    expect([code, base?.scope?.passed]).toEqual([0, true]);
    expect(base?.scope?.changes).toBe((base?.counts.branch ?? 0) + (base?.counts.dropped ?? 0));
  });

  it('is a failed check in a pull request, with the reason in the summary and on the commit', async () => {
    git('commit', '-q', '--amend', '-m', 'Rotate\n\nScope: site Nowhere');
    place.write('summary.md', '');
    const job = { GITHUB_ACTIONS: 'true', GITHUB_BASE_REF: 'main' };
    const step = { ...job, GITHUB_STEP_SUMMARY: place.path('summary.md') };
    const run = await place.run('ci plan --out ci.json', { ...twin.as('admin'), ...step });
    expect(run.code).toBe(3);
    expect(run.out).toContain('::error title=Not within the scope of this request::');
    expect(place.read('summary.md')).toContain('exceeds the scope');
  });

  it('refuses a trailer that cannot be read without credentials and snapshot, as on a fork', async () => {
    git('commit', '-q', '--amend', '-m', 'Rotate\n\nScope: all the cameras');
    const fork = { CI: 'true', GITHUB_BASE_REF: 'main' };
    const run = await place.run('ci plan --out fork.json', fork);
    expect([run.code, run.out]).toEqual([3, expect.stringContaining('cannot read')]);
    git('commit', '-q', '--amend', '-m', 'Rotate\n\nScope: site HQ*');
    expect((await place.run('ci plan --out fork.json', fork)).code).toBe(0);
  });
});
