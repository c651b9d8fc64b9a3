import { describe, expect, it } from 'vitest';
import { createPlace, PATIENCE } from '../support/blackbox.ts';
import { committed, gitIn } from '../support/blackbox-record.ts';
import { startTwin } from '../support/blackbox-twin.ts';
import { PAYLOAD_SECRET } from '../support/canary.ts';

const ROTATION = `rotations:
  with-a-secret:
    task: rotatePassword
    select: {deviceType: camera}
    maxAge: 2d
    headStart: 1d
    spread: 0d
    priority: 900
    payload: {password: {fromEnv: CAMERA_PASSWORD}, hint: plain}
    windows: anytime
`;

// Whatever is printed, traced and written here, every object of the ledger's branch and every note
// is searched for the secret when the place is given back.
describe('a payload with a secret from the environment', PATIENCE, () => {
  it('reaches the service and nothing else: no plan, trace, ledger, note or report has it', async () => {
    using place = createPlace();
    const bare = place.path('origin.git');
    gitIn(place.folder, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
    place.edit('fleet/service.yaml', '  pace: {', '  ledger: {store: git}\n  pace: {');
    place.write('fleet/secret.yaml', ROTATION);
    place.edit('fleet/limits.yaml', 'maxPercentOfFleet: 30%', 'maxPercentOfFleet: 100%');
    const { commit } = committed(place, bare);
    const twin = await startTwin(place, { devices: 20, world: 'world.json' });
    const without = { ...twin.as('admin'), HTTP_PROXY: 'http://me:canary-proxy-71@127.0.0.1:9' };
    const env = { ...without, CAMERA_PASSWORD: PAYLOAD_SECRET };
    const refused = await place.run('apply --yes --format json', without);
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('secretMissing')]);
    await place.run('plan -o plan.json --save-snapshot fleet.snapshot', env);
    expect(place.read('plan.json')).toContain('rotations.with-a-secret');
    const run = await place.run('apply plan.json --yes --trace trace.ndjson', env);
    expect(run.out).toContain('verified');
    const posted = place.trace('trace.ndjson').filter(({ path }) => path === '/v1/tasks');
    expect(JSON.stringify(posted)).toContain('rotatePassword');
    for (const format of ['text', 'json', 'md', 'html', 'ci'])
      expect((await place.run(`show plan.json --format ${format}`, env)).code).toBe(0);
    for (const command of ['status', 'audit', 'audit verify', 'drift'])
      await place.run(command, env);
    expect(gitIn(bare, 'notes', '--ref=fleetform', 'show', commit)).toContain('verified');
    await twin.stop();
    expect(place.read('world.json')).toContain(JSON.stringify(PAYLOAD_SECRET));
  });
});
