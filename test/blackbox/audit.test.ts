import { describe, expect, it } from 'vitest';
import { createPlace, PATIENCE, type Env } from '../support/blackbox.ts';
import { applied, offline } from '../support/blackbox-record.ts';

describe('the record of an apply', PATIENCE, () => {
  it('is told by commit, device and policy, noted on the commit, and proved offline', async () => {
    using place = createPlace();
    const { env, commit, git } = await applied(place, 60);
    const admin: Env = offline(env);
    const whole = await place.run(`audit --commit ${commit.slice(0, 9)}`, admin);
    expect([whole.code, whole.err]).toEqual([0, '']);
    expect(whole.out).toContain('approved as a saved plan, by its id');
    expect(whole.out).toContain('verified (read back)');
    expect(Math.max(...whole.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    const [device = '', policy = ''] = /^ +(dev-\d+) {2}(\S+) → /m.exec(whole.out)?.slice(1) ?? [];
    for (const only of [`--device ${device}`, `--policy ${policy}`]) {
      const { out } = await place.run(`audit ${only} --format json`, admin);
      const { runs } = JSON.parse(out) as { runs: readonly { attempts: readonly object[] }[] };
      expect(runs.flatMap(({ attempts }) => attempts).length).toBeGreaterThan(0);
    }
    expect((await place.run('audit --device nobody', admin)).out).toContain('Nothing is recorded');
    expect(git('log', '-1', '--notes=fleetform')).toMatch(/Notes \(fleetform\):\n.*verified/);
    const proof = await place.run('audit verify --snapshot fleet.snapshot --plan plan.json', admin);
    expect([proof.code, proof.err]).toEqual([0, '']);
    expect(proof.out).not.toMatch(/^(not proved|BROKEN)/m);
    expect(proof.out).toContain('The record holds.');
    const little = await place.run('audit verify --format json', admin);
    expect(JSON.parse(little.out)).toMatchObject({ result: 'parts' });
  });

  it('keeps the snapshot of a run without a file, whose plan is proved from it', async () => {
    using place = createPlace();
    const { env } = await applied(place, 20, 'apply --yes --save-snapshot run.snapshot');
    const proof = await place.run('audit verify --snapshot run.snapshot', offline(env));
    expect(proof.out).toContain('it has the digest that the ledger names, run 1');
    expect(proof.code).toBe(0);
  });
});
