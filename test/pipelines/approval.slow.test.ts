import { mkdirSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMarked } from '../../src/init/template.ts';
import { createPlace, PATIENCE } from '../support/blackbox.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';
import { createGitLabHost, type GitLabHost } from './gitlab.ts';

const JOBS = ['jobs.yml', 'approve.yml'].map((name) => readMarked(`gitlab/${name}`, false));

const SERVICE = `service:
  baseUrl: https://api.example.com
  organization: acme
  pace: {requestsPerSecond: 1000, tokenRequestsPerMinute: 600, pollEvery: 1s}
  ledger: {store: git}
  approval: plan
rollouts: {once: {canary: none, waves: [{name: all, percent: 100%}], maxInFlight: 50, batch: 25}}
budgets: {default-site: {per: site, maxUnavailable: 100%}}
guardrails: {default: {maxPercentOfFleet: 100%}}
`;
const MERGED = { iid: 7, state: 'merged', merged_at: '2026-11-23T12:00:00Z' };
const NIGHT = { variables: { FLEETFORM_SCHEDULE: 'apply' } };

// The way from a merge request to the night, played from the jobs that `init --approval plan` writes: each test goes on where the
// one before it ended.
describe('approval of a plan in the pipelines of GitLab', PATIENCE, () => {
  const place = createPlace();
  let host: GitLabHost;
  let twin: TwinProcess;
  let spare: string[] = [];
  const policies = new Map<string, readonly string[]>();

  function write(): void {
    const lines = [...policies].map(
      ([name, ids]) =>
        `  ${name}: {task: rotatePassword, select: {device: [${ids.join(', ')}]}, maxAge: 2d, headStart: 1h, spread: 0d, rollout: once, windows: anytime}\n`,
    );
    place.write('fleet/fleet.yaml', `${SERVICE}rotations:\n${lines.join('')}`);
  }

  /** A merge request with one policy more, planned and merged. */
  async function merge(name: string): Promise<string> {
    policies.set(name, spare.splice(0, 2));
    write();
    host.push('feature');
    expect((await host.mergeRequest('feature')).jobs['fleet-plan']).toBe('success');
    const commit = host.push('main');
    host.fake.merged[commit] = [MERGED];
    return commit;
  }

  beforeAll(async () => {
    rmSync(place.path('fleet'), { recursive: true });
    mkdirSync(place.path('fleet'));
    host = await createGitLabHost(place, [JOBS.join('')]);
    twin = await startTwin(place, { world: 'world.json', devices: 40 });
    await twin.stop();
    const world = JSON.parse(place.read('world.json')) as { readonly devices: readonly Device[] };
    spare = world.devices
      .filter((one) => one.deviceType === 'camera' && one.condition === 'well' && !one.maintenance)
      .map(({ id }) => id);
    twin = await startTwin(place, { world: 'world.json' });
    policies.set('never', spare.splice(0, 2));
    write();
    host.push('main');
    const [admin, reader] = [twin.as('admin'), twin.as('operator')];
    host.variables['FLEETFORM_BASE_URL'] = twin.ready.url;
    host.variables['FLEETFORM_APPLY'] = 'on';
    host.variables['FLEETFORM_READ_CLIENT_ID'] = reader['FLEETFORM_CLIENT_ID'] ?? '';
    host.variables['FLEETFORM_READ_CLIENT_SECRET'] = reader['FLEETFORM_CLIENT_SECRET'] ?? '';
    host.scoped['fleet'] = {
      FLEETFORM_CLIENT_ID: admin['FLEETFORM_CLIENT_ID'] ?? '',
      FLEETFORM_CLIENT_SECRET: admin['FLEETFORM_CLIENT_SECRET'] ?? '',
    };
    for (const each of [admin, reader]) await place.run('--version', each);
  }, PATIENCE.timeout);
  afterAll(async () => {
    await twin.stop();
    host[Symbol.dispose]();
    place[Symbol.dispose]();
  });

  it('N74 a merge shows what awaits approval and waits for a person; the night starts nothing', async () => {
    await merge('first');
    const played = await host.run('push');
    expect(played.jobs, played.said).toMatchObject({
      'fleet-look': 'success',
      'fleet-approve': 'manual',
      'fleet-apply': 'success',
    });
    expect(played.said).toContain('The plan of !7 is available to compare with.');
    expect(played.said).toContain('!7');
    const night = await host.run('schedule', NIGHT);
    expect(night.jobs['fleet-apply']).toBe('success');
    expect(night.said).not.toMatch(/[1-9] tasks? sent/);
  });

  it('N75 the person who starts the gate approves, by the record of GitLab, and the night does it', async () => {
    const gate = { starts: ['fleet-approve'], person: 'grace' };
    const played = await host.run('push', gate);
    expect(played.jobs['fleet-approve'], played.said).toBe('success');
    expect(played.said).toMatch(/Approved 4 outcomes until .*; approvers: grace\./);
    const night = await host.run('schedule', NIGHT);
    expect(night.said).toContain('4 devices verified');
  });

  it('N75 what a newer commit takes back while the gate waits is not approved', async () => {
    await merge('second');
    const takeBack = (): void => {
      policies.delete('second');
      write();
      host.push('main');
    };
    const gate = {
      starts: ['fleet-approve'],
      person: 'grace',
      before: { 'fleet-approve': takeBack },
    };
    const played = await host.run('push', gate);
    expect(played.jobs['fleet-approve'], played.said).toBe('success');
    expect(played.said).toContain('Approved 0 outcomes');
    expect((await host.run('schedule', NIGHT)).said).not.toMatch(/[1-9] tasks? sent/);
  });

  it('N75 a part is shown and approved alone, by a pipeline that a person starts', async () => {
    await merge('third');
    await merge('fourth');
    const part = { FLEETFORM_LOOK: 'on', FLEETFORM_ONLY: 'rotations.third' };
    const gate = { variables: part, starts: ['fleet-approve'], person: 'grace' };
    const played = await host.run('web', gate);
    expect(played.jobs, played.said).toEqual({
      'fleet-look': 'success',
      'fleet-approve': 'success',
    });
    expect(played.said).toMatch(/Approved 2 outcomes until /);
  });
});

interface Device {
  readonly id: string;
  readonly deviceType: string;
  readonly condition: string;
  readonly maintenance?: boolean;
}
