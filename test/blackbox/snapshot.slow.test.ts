import { describe, expect, it } from 'vitest';
import { createPlace, PATIENCE, type Env } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';

const withoutCredentials = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.includes('CLIENT')));

describe('a kept snapshot', PATIENCE, () => {
  it('makes the very same plan again, without the service and without credentials', async () => {
    using place = createPlace();
    const twin = await startTwin(place, { world: 'world.json', devices: 60 });
    const admin = twin.as('admin');
    const planned = await place.run('plan -o plan.json --save-snapshot fleet.snapshot', admin);
    expect(planned.code).toBe(0);
    const { evaluatedAt } = JSON.parse(place.read('plan.json')) as { evaluatedAt: string };
    await twin.stop();
    const again = `plan --snapshot fleet.snapshot --at ${evaluatedAt} -o again.json`;
    const { code, err } = await place.run(again, withoutCredentials(admin));
    expect([code, err]).toEqual([0, expect.not.stringContaining('lacks')]);
    expect(place.read('again.json')).toBe(place.read('plan.json'));
  });

  it('N29 answers why, who, status and drift, without the service and without credentials', async () => {
    using place = createPlace();
    const twin = await startTwin(place, { world: 'world.json', devices: 60 });
    const admin = twin.as('admin');
    await place.run('plan --save-snapshot fleet.snapshot', admin);
    await twin.stop();
    const none = withoutCredentials(admin);
    const lines = place.read('fleet/policies/rotations.yaml').split('\n');
    const entry = `fleet/policies/rotations.yaml:${lines.findIndex((line) => /^ {2}\w/.test(line)) + 1}`;
    for (const command of ['why dev-1', `why ${entry}`, 'status', 'drift']) {
      const { code, out, err } = await place.run(`${command} --snapshot fleet.snapshot`, none);
      expect([command, code, err]).toEqual([command, 0, expect.not.stringContaining('error[')]);
      expect(out).not.toBe('');
    }
    const traced = await place.run('why fleet/a.yaml:1 --snapshot fleet.snapshot --trace t', none);
    expect([traced.code, traced.err]).toEqual([1, expect.stringContaining('error[usage]')]);
  });

  it('is refused when one byte of it was changed, and flags that it leaves no use for are', async () => {
    using place = createPlace();
    const twin = await startTwin(place, { world: 'world.json', devices: 20 });
    const admin = twin.as('admin');
    await place.run('plan --save-snapshot fleet.snapshot', admin);
    place.edit('fleet.snapshot', '"status":"', '"status":"s');
    const changed = await place.run('plan --snapshot fleet.snapshot', admin);
    expect([changed.code, changed.err]).toEqual([
      1,
      expect.stringContaining('error[snapshotUnreadable]'),
    ]);
    const both = await place.run('plan --snapshot fleet.snapshot --save-snapshot x', admin);
    expect([both.code, both.err]).toEqual([1, expect.stringContaining('error[usage]')]);
  });

  it('says how many changes it leaves undecided for want of reads', async () => {
    using place = createPlace();
    const twin = await startTwin(place, { world: 'world.json', devices: 60 });
    const admin = twin.as('admin');
    const rotations = place.read('fleet/policies/rotations.yaml');
    place.write('fleet/policies/rotations.yaml', 'rotations: {}\n');
    await place.run('plan --save-snapshot fleet.snapshot', admin);
    place.write('fleet/policies/rotations.yaml', rotations);
    const { err } = await place.run('plan --snapshot fleet.snapshot', withoutCredentials(admin));
    expect(err).toMatch(
      /The snapshot lacks reads that these documents need: it leaves \d+ changes/,
    );
  });
});
