import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gitIn } from '../support/blackbox-record.ts';
import { createPlace, PATIENCE, type Env, type Running } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';

const FIRST = `firmware:
  first: {select: {vendor: Axis}, version: approved, windows: anytime, priority: 700}
guardrails: {default: {maxPercentOfFleet: 100%}}
`;

// From an empty directory to a service of one's own; each test goes on where the one before it ended.
describe('a first hour with the simulator', PATIENCE, () => {
  const place = createPlace();
  const git = (...args: readonly string[]): string => gitIn(place.folder, ...args);
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const service = (): string => place.read('fleet/service.yaml');
  const branches = (): readonly string[] =>
    git('ls-remote', '--heads', 'origin')
      .split('\n')
      .map((line) => line.replace(/^.*refs\/heads\//, ''));
  let twin: Running;
  let own: Env;

  const serve = async (): Promise<void> => {
    twin = place.start('twin --devices 60 --sites 2 --seed 1 --time-scale 1200');
    await twin.says(/Press Ctrl-C/);
  };
  const stop = async (): Promise<void> => {
    twin.signal('SIGINT');
    await twin.done;
  };

  beforeAll(async () => {
    rmSync(place.path('fleet'), { recursive: true });
    git('init', '--quiet', '--initial-branch=main');
    git('init', '--quiet', '--bare', '--initial-branch=main', 'own.git');
    git('remote', 'add', 'origin', place.path('own.git'));
    await serve();
  });
  afterAll(async () => {
    await stop();
    place[Symbol.dispose]();
  });

  it('finds address, organization and credentials where the environment has none', async () => {
    const made = await place.run('init --time-zone Europe/Berlin');
    expect([made.code, made.err]).toEqual([0, '']);
    expect(service()).toMatch(/baseUrl: "http:\/\/127\.0\.0\.1:\d+"/);
    expect(made.out).toContain('with 2 sites of the service');
    const { code, out } = await place.run('get devices --count-by vendor');
    expect([code, out]).toEqual([0, expect.stringContaining('Axis')]);
  });

  it('refuses a path that is not UTF-8, as it does from its sources', async () => {
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(service()) ?? [];
    expect((await fetch(`${url}/v1/devices/%ff`)).status).toBe(400);
  });

  it('has its ledger in this directory, whatever the documents say', async () => {
    place.edit(
      'fleet/service.yaml',
      '  # The ledger',
      '  pace: {requestsPerSecond: 1000, pollEvery: 1s}\n  # The ledger',
    );
    place.write('fleet/policies.yaml', FIRST);
    git('add', '--all', 'fleet', '.gitignore');
    git(...author, 'commit', '--quiet', '-m', 'first');
    git('push', '--quiet', 'origin', 'main');
    const applied = await place.run('apply --yes');
    expect([0, 4, 7], applied.out).toContain(applied.code);
    expect(applied.out).toMatch(/verified/);
    expect((await place.run('audit')).out).toContain('firmware.first');
    expect(branches()).toEqual(['main']);
  });

  it('is refused in a job, and where git tracks its credentials', async () => {
    const job = await place.run('plan', { CI: 'true' });
    expect([job.code, job.err]).toEqual([9, expect.stringContaining('fleetform init --service')]);
    git('add', '--force', '.fleetform/twin/twin.json');
    const tracked = await place.run('plan');
    expect([tracked.code, tracked.err]).toEqual([
      1,
      expect.stringContaining('FLEETFORM_CLIENT_ID'),
    ]);
    git('rm', '--cached', '--quiet', '.fleetform/twin/twin.json');
  });

  it('is no other service while it is stopped', async () => {
    await stop();
    const { code, err } = await place.run('pause firmware.first --reason noise');
    expect([code, err]).toEqual([1, expect.stringMatching(/does not answer at\s+http/)]);
    expect(branches()).toEqual(['main']);
    await serve();
  });

  it('is left for a service of your own by one line of one document', async () => {
    own = (await startTwin(place, { devices: 60 })).as('admin');
    const { FLEETFORM_BASE_URL: url = '' } = own;
    const before = service();
    const made = await place.run(`init --service ${url}`, own);
    expect([made.code, made.out]).toEqual([0, expect.stringContaining('fleet/service.yaml')]);
    expect(service()).toBe(before.replace(/baseUrl: "[^"]*"/, `baseUrl: "${url}"`));
    git(...author, 'commit', '--quiet', '--all', '-m', 'our own');
    git('push', '--quiet', 'origin', 'main');
    const applied = await place.run('apply --yes', own);
    expect([applied.code, applied.err]).toEqual([
      expect.toBeOneOf([0, 7]),
      expect.not.stringContaining('error'),
    ]);
    expect(branches()).toContain('fleetform-ledger');
  });
});
