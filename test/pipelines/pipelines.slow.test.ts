import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMarked } from '../../src/init/template.ts';
import { createPlace, PATIENCE } from '../support/blackbox.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';
import { PROJECT_BOT } from '../support/fake-gitlab.ts';
import { createGitLabHost, type GitLabHost } from './gitlab.ts';
import type { Played } from './play.ts';

const JOBS = readMarked('gitlab/jobs.yml', false);
const MERGED = { iid: 7, state: 'merged', merged_at: '2026-11-23T12:00:00Z' };

// Played from the file that `init` writes, job by job, in the order of a project's life: each test goes on where the one before
// it ended.
describe('the pipelines of GitLab', PATIENCE, () => {
  const place = createPlace();
  let host: GitLabHost;
  let twin: TwinProcess;
  let devices: readonly Device[] = [];

  /** Stops the twin, changes its world, and starts it where it was. */
  async function meanwhile(change: (world: World) => void): Promise<void> {
    await twin.stop();
    const world = JSON.parse(place.read('world.json')) as World;
    change(world);
    place.write('world.json', JSON.stringify(world));
    const port = Number(new URL(twin.ready.url).port);
    twin = await startTwin(place, { world: 'world.json', port });
  }

  beforeAll(async () => {
    place.edit('fleet/service.yaml', '  pace: {', '  ledger: {store: git}\n  pace: {');
    host = await createGitLabHost(place, [JOBS]);
    host.push('main');
    twin = await startTwin(place, { world: 'world.json', devices: 60 });
    const [admin, reader] = [twin.as('admin'), twin.as('operator')];
    host.variables['FLEETFORM_BASE_URL'] = twin.ready.url;
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

  /** What a job printed goes to everybody who may read the project: no secret and no token is in it. */
  const statuses = (played: Played): Played['jobs'] => {
    const [writer = {}] = Object.values(host.scoped);
    for (const [name, secret] of Object.entries({ ...host.variables, ...writer }))
      if (/SECRET|TOKEN/.test(name)) expect(played.said).not.toContain(secret);
    expect(played.said).not.toMatch(/^::/m);
    return played.jobs;
  };

  it('plan: a merge request gets one note, a report of code quality, and its plan as a file', async () => {
    place.edit('fleet/policies/firmware.yaml', 'site: {tag: pilot}', 'site: {tag: emea}');
    host.push('feature');
    const played = await host.mergeRequest('feature');
    const good = { 'fleet-plan': 'success', 'fleet-comment': 'success' };
    expect(statuses(played), played.said).toEqual(good);
    expect(host.fake.notes.map(({ author }) => author.username)).toEqual([PROJECT_BOT.username]);
    const text = host.fake.notes[0]?.body ?? '';
    expect(text).toContain('compared: with `origin/main`');
    expect(text).toMatch(
      /\(https:\/\/gitlab\.example\/acme\/fleet\/-\/jobs\/\d+\/artifacts\/browse\)/,
    );
    const issues = JSON.parse(played.file('fleet-plan', 'gl-code-quality-report.json')) as Issue[];
    expect(issues.length).toBeGreaterThan(0);
    for (const { location, severity } of issues) {
      expect(location.path).toMatch(/^fleet\/.*\.yaml$/);
      expect(['info', 'major', 'critical']).toContain(severity);
    }
    expect(played.file('fleet-plan', 'fleetform-plan.html')).toContain('<!doctype html>');
    expect([host.fake.obeyed, host.fake.mentioned]).toEqual([[], []]);
  });

  it('plan: the next push edits the same note', async () => {
    const before = host.fake.notes[0]?.body;
    place.edit('fleet/policies/firmware.yaml', ', site: {tag: emea}', '');
    host.push('feature');
    await host.mergeRequest('feature');
    expect(host.fake.notes).toHaveLength(1);
    expect(host.fake.notes[0]?.body).not.toBe(before);
  });

  it('N87 plan: a merge train passes what was reviewed, fails without that plan, and leaves the note', async () => {
    place.edit(
      'fleet/policies/rotations.yaml',
      '    renewBefore: 30d',
      '    renewBefore: 30d\n    generation: 2',
    );
    host.push('feature');
    await host.mergeRequest('feature');
    const note = host.fake.notes[0]?.body;
    const main = host.git('rev-parse', 'origin/main');
    const train = await host.train('feature', main);
    expect(statuses(train), train.said).toEqual({ 'fleet-plan': 'success' });
    expect(train.said).toContain('The plan of !7 is available');
    host.fake.jobs.splice(0);
    const again = await host.train('feature', main);
    expect(statuses(again), again.said).toEqual({ 'fleet-plan': 'failed' });
    expect(again.said.replaceAll(/\s+/g, ' ')).toContain('no plan of the request is left');
    expect(host.fake.notes.map(({ body }) => body)).toEqual([note]);
    place.edit('fleet/policies/rotations.yaml', '\n    generation: 2', '');
  });

  it('plan: documents with a mistake fail the job, and the note says so', async () => {
    place.edit('fleet/policies/firmware.yaml', 'version: "11.11.x"', 'version: 11.11');
    host.push('feature');
    const played = await host.mergeRequest('feature');
    const found = { 'fleet-plan': 'failed', 'fleet-comment': 'success' };
    expect(statuses(played), played.said).toEqual(found);
    expect(host.fake.notes).toHaveLength(1);
    expect(host.fake.notes[0]?.body).toContain('See the checks of this merge request.');
    const [issue] = JSON.parse(played.file('fleet-plan', 'gl-code-quality-report.json')) as Issue[];
    expect(issue).toMatchObject({
      severity: 'critical',
      location: { path: 'fleet/policies/firmware.yaml' },
    });
    place.edit('fleet/policies/firmware.yaml', 'version: 11.11', 'version: "11.11.x"');
  });

  it('apply: does nothing while it is switched off', async () => {
    expect(
      (await host.run('schedule', { variables: { FLEETFORM_SCHEDULE: 'apply' } })).jobs,
    ).toEqual({});
    expect((await host.run('push')).jobs).toEqual({});
  });

  it('apply: a merge is applied, recorded in the ledger, noted on its commit and on the request', async () => {
    host.variables['FLEETFORM_APPLY'] = 'on';
    place.edit('fleet/limits.yaml', 'maxPercentOfFleet: 30%', 'maxPercentOfFleet: 100%');
    const commit = host.push('main');
    host.fake.merged[commit] = [MERGED];
    const before = new Map(
      (JSON.parse(await saved()) as World).devices.map((one) => [one.id, one]),
    );
    const played = await host.run('push');
    const good = { 'fleet-work': 'success', 'fleet-apply': 'success', 'fleet-outcome': 'success' };
    expect(statuses(played), played.said).toEqual(good);
    expect(played.said).toContain('verified');
    host.git('fetch', '--quiet', 'origin', '+refs/notes/*:refs/notes/*');
    expect(host.git('notes', '--ref=fleetform', 'show', commit)).toContain('verified');
    expect(host.git('ls-remote', 'origin', 'refs/heads/fleetform-ledger')).not.toBe('');
    const after = (JSON.parse(await saved()) as World).devices;
    devices = after.filter(({ id, firmwareVersion }) => {
      const was = before.get(id)?.firmwareVersion;
      return was !== undefined && was !== firmwareVersion;
    });
    expect(devices.length).toBeGreaterThan(1);
    expect(host.fake.notes.map(({ body }) => body)).toEqual([
      expect.stringMatching(/### Applied at `[0-9a-f]{12}`, last run .*: \d+ verified/),
    ]);
    expect(host.fake.issues).toEqual([]);
  });

  it('N78 apply: without work the schedule ends at once, and leaves the note', async () => {
    const before = host.fake.notes[0]?.body;
    const played = await host.run('schedule', { variables: { FLEETFORM_SCHEDULE: 'apply' } });
    expect(played.said).toContain('Nothing to do: the next job');
    expect(played.said).not.toContain('Run:');
    expect(host.fake.notes[0]?.body).toBe(before);
  });

  it('apply: starts nothing on another branch or for another schedule', async () => {
    const other = { FLEETFORM_SCHEDULE: 'nightly-build' };
    expect((await host.run('schedule', { variables: other })).jobs).toEqual({});
    const branch = { FLEETFORM_SCHEDULE: 'apply', CI_COMMIT_BRANCH: 'feature' };
    expect((await host.run('schedule', { variables: branch })).jobs).toEqual({});
  });

  const drift = { variables: { FLEETFORM_SCHEDULE: 'drift' } };

  it('drift: one issue, which the next run edits and the last one closes', async () => {
    const none = await host.run('schedule', drift);
    const good = { 'fleet-drift': 'success', 'fleet-drift-issue': 'success' };
    expect([statuses(none), host.fake.issues]).toEqual([good, []]);
    expect(() => none.file('fleet-drift', 'fleet.snapshot')).toThrow('ENOENT');
    host.variables['FLEETFORM_SNAPSHOT'] = 'on';
    for (const count of [1, 2]) {
      await meanwhile((world) => downgrade(world, count));
      expect(statuses(await host.run('schedule', drift))).toEqual(good);
      const changes = count === 1 ? '1 change' : `${count} changes`;
      expect(host.fake.issues.map(({ state, title }) => [state, title])).toEqual([
        ['opened', `Drift: ${changes} to restore what fleetform applied`],
      ]);
    }
    await meanwhile((world) => downgrade(world, 0));
    await host.run('schedule', drift);
    expect(host.fake.issues.map(({ state }) => state)).toEqual(['closed']);
  });

  it('plan: a pipeline of a fork gets no variable and posts nothing; it plans on the snapshot', async () => {
    host.fake.notes.splice(0);
    place.edit('fleet/policies/firmware.yaml', 'minVersion: "11.5.0"', 'minVersion: "11.4.0"');
    host.push('feature');
    const played = await host.mergeRequest('feature', { isFork: true });
    expect(played.jobs, played.said).toEqual({ 'fleet-plan': 'success' });
    expect(played.said).toMatch(/on the saved snapshot of [A-Z].* UTC, 0 hours old/);
    expect(played.file('fleet-plan', 'fleetform-plan.json')).toContain('"version"');
    expect(host.fake.notes).toEqual([]);
  });

  it('unpause: lifts a pause, and is started by hand alone', async () => {
    const writer = { ...twin.as('admin'), FLEETFORM_BASE_URL: twin.ready.url };
    const policy = 'firmware.axis-p32';
    await place.run(`pause ${policy} --reason noise`, writer);
    const unpause = { FLEETFORM_UNPAUSE: policy, FLEETFORM_REASON: 'quiet; $(touch x)' };
    const played = await host.run('web', { variables: unpause });
    expect(statuses(played), played.said).toEqual({ 'fleet-unpause': 'success' });
    expect((await host.run('schedule', { variables: unpause })).jobs).toEqual({});
  });

  it('M1 M2 move: nothing runs with another ledger until a person lets the move pass', async () => {
    host.git('reset', '--quiet', '--hard', 'origin/main');
    place.edit('fleet/service.yaml', '{store: git}', '{store: git, branch: records}');
    host.push('main');
    const hourly = { variables: { FLEETFORM_SCHEDULE: 'apply' } };
    const stopped = await host.run('schedule', hourly);
    expect(statuses(stopped), stopped.said).toMatchObject({ 'fleet-apply': 'failed' });
    expect(stopped.said.replaceAll(/\s+/g, ' ')).toContain('`fleetform ledger move --reason R`');
    const move = { FLEETFORM_MOVE: 'renamed; $(touch x)' };
    const shown = await host.run('web', { variables: move });
    expect(statuses(shown)).toEqual({ 'fleet-ground': 'success', 'fleet-move': 'manual' });
    expect(shown.said).toMatch(/fleetform-ledger ->/);
    const moved = await host.run('web', { variables: move, starts: ['fleet-move'] });
    expect(statuses(moved), moved.said).toMatchObject({ 'fleet-move': 'success' });
    const run = await host.run('schedule', hourly);
    expect(statuses(run), run.said).toMatchObject({ 'fleet-work': 'success' });
  });

  /** The world as its file has it: the twin writes it when it ends. */
  async function saved(): Promise<string> {
    await meanwhile(() => undefined);
    return place.read('world.json');
  }

  /** Somebody else puts an older version on the first so many devices that were upgraded, and the new one on the rest. */
  function downgrade(world: World, count: number): void {
    for (const [nth, { id, firmwareVersion }] of devices.entries()) {
      const device = world.devices.find((one) => one.id === id);
      if (device) device.firmwareVersion = nth < count ? '10.12.236' : firmwareVersion;
    }
  }
});

interface Device {
  readonly id: string;
  firmwareVersion: string;
}

interface World {
  readonly devices: readonly Device[];
}

interface Issue {
  readonly severity: string;
  readonly location: { readonly path: string };
}
