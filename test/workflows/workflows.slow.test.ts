import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlace, PATIENCE } from '../support/blackbox.ts';
import { ROOT } from '../support/blackbox-build.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';
import { BOT } from '../support/fake-github.ts';
import { createHub, FORK, writeWorkflows, type Hub } from './github.ts';
import type { Run } from './runner.ts';

/** Those of this repository, and those that `init` writes for others: two ways to the same tool. */
const WRITTEN = ['this repository', 'init'];

// Played from their files, step by step, in the order of a repository's life: each test goes on where the one before it ended.
describe.each(WRITTEN)('the workflows of %s', PATIENCE, (whose) => {
  const place = createPlace();
  let hub: Hub;
  let twin: TwinProcess;
  let devices: readonly Device[] = [];

  /** Stops the twin, changes its world, and starts it where it was. */
  async function meanwhile(change: (world: World) => void): Promise<void> {
    await twin.stop();
    const world = JSON.parse(place.read('world.json')) as World;
    change(world);
    place.write('world.json', JSON.stringify(world));
    twin = await startTwin(place, {
      world: 'world.json',
      port: Number(new URL(twin.ready.url).port),
    });
  }

  beforeAll(async () => {
    place.edit('fleet/service.yaml', '  pace: {', '  ledger: {store: git}\n  pace: {');
    const folder = whose === 'init' ? writeWorkflows(place) : join(ROOT, '.github', 'workflows');
    hub = await createHub(place, folder);
    hub.push('main');
    twin = await startTwin(place, { world: 'world.json', devices: 60 });
    const [admin, reader] = [twin.as('admin'), twin.as('operator')];
    hub.vars['FLEETFORM_BASE_URL'] = twin.ready.url;
    hub.secrets['FLEETFORM_CLIENT_ID'] = admin['FLEETFORM_CLIENT_ID'] ?? '';
    hub.secrets['FLEETFORM_CLIENT_SECRET'] = admin['FLEETFORM_CLIENT_SECRET'] ?? '';
    hub.secrets['FLEETFORM_READ_CLIENT_ID'] = reader['FLEETFORM_CLIENT_ID'] ?? '';
    hub.secrets['FLEETFORM_READ_CLIENT_SECRET'] = reader['FLEETFORM_CLIENT_SECRET'] ?? '';
    // Whatever is left in the place is searched for these, and for the token of the jobs.
    for (const each of [admin, reader, { GITHUB_TOKEN: 'canary-of-a-job-5b81e0' }])
      await place.run('--version', each);
  }, PATIENCE.timeout);
  afterAll(async () => {
    await twin.stop();
    hub[Symbol.dispose]();
    place[Symbol.dispose]();
  });

  /** What a run printed goes to nobody but people who may read the repository: no secret is in it. */
  const good = (run: Run): readonly [string, readonly string[]] => {
    const secrets = Object.values(hub.secrets).filter((one) => one.length > 8);
    for (const secret of secrets) expect(run.said).not.toContain(secret);
    return [run.conclusion, run.steps.filter((step) => !step.endsWith(' success'))];
  };

  it('plan: the check to require passes for a request that changes no documents, without a plan or a comment', async () => {
    hub.push('feature');
    hub.open('feature');
    const { plan, comment } = await hub.review('feature');
    expect(plan.jobs, plan.said).toEqual({
      changes: 'success',
      plan: 'skipped',
      required: 'success',
    });
    expect(comment.conclusion).toBe('success');
    expect(hub.fake.comments).toEqual([]);
  });

  it('plan: a pull request gets its plan as an artifact, and one comment from another job', async () => {
    place.edit('fleet/policies/firmware.yaml', 'site: {tag: pilot}', 'site: {tag: emea}');
    hub.push('feature');
    hub.open('feature');
    const { plan, comment } = await hub.review('feature');
    expect(good(plan), plan.said).toEqual(['success', [...OUTSIDE_QUEUE, 'plan/Fetch it skipped']]);
    expect(plan.summary).toContain('compared: with `origin/main`');
    expect(plan.said).toMatch(/^::(notice|warning) .*file=fleet\/policies\/firmware\.yaml/m);
    expect(good(comment), comment.said).toEqual(['success', []]);
    expect(hub.fake.comments.map(({ user }) => user.login)).toEqual([BOT]);
    expect(hub.fake.comments[0]?.body).toContain('Plan ID `');
  });

  it('plan: the next push edits the same comment', async () => {
    const before = hub.fake.comments[0]?.body;
    place.edit('fleet/policies/firmware.yaml', ', site: {tag: emea}', '');
    hub.push('feature');
    hub.open('feature');
    const { plan, comment } = await hub.review('feature');
    expect([plan.conclusion, comment.conclusion]).toEqual(['success', 'success']);
    expect(hub.fake.comments).toHaveLength(1);
    expect(hub.fake.comments[0]?.body).not.toBe(before);
  });

  it('plan: documents with a mistake fail the job, and the comment says so', async () => {
    place.edit('fleet/policies/firmware.yaml', 'version: "11.11.x"', 'version: 11.11');
    hub.push('feature');
    hub.open('feature');
    const { plan, comment } = await hub.review('feature');
    expect(good(plan)).toEqual([
      'failure',
      [
        ...OUTSIDE_QUEUE,
        'plan/Fetch it skipped',
        'plan/Plan failure',
        'plan/Keep the plan skipped',
        'plan/Keep the report skipped',
        'required/Judge failure',
      ],
    ]);
    expect(good(comment), comment.said).toEqual(['success', ['comment/Fetch the plan failure']]);
    expect(hub.fake.comments).toHaveLength(1);
    expect(hub.fake.comments[0]?.body).toContain('No plan for commit');
    place.edit('fleet/policies/firmware.yaml', 'version: 11.11', 'version: "11.11.x"');
  });

  it('apply: does nothing while it is switched off', async () => {
    const before = hub.fake.calls.length;
    const run = await hub.run('apply', { event: 'push' });
    expect([run.conclusion, run.steps, hub.fake.calls.length]).toEqual(['skipped', [], before]);
  });

  it('M8 apply: a run that is run again after a freeze takes the newest documents', async () => {
    hub.vars['FLEETFORM_APPLY'] = 'on';
    place.edit('fleet/limits.yaml', 'maxPercentOfFleet: 30%', 'maxPercentOfFleet: 100%');
    // One of five devices of a site is down: with the example's limit its neighbours would need a person.
    place.edit(
      'fleet/limits.yaml',
      'default-site: {per: site, maxUnavailable: 15%}',
      'default-site: {per: site, maxUnavailable: 50%}',
    );
    const sha = hub.push('main');
    place.write('fleet/freeze.yaml', freezeNow());
    hub.push('main');
    const run = await hub.run('apply', { event: 'push', sha });
    expect([run.conclusion, run.jobs['apply']], run.said).toEqual(['success', 'success']);
    expect(run.said).not.toMatch(/[1-9] tasks? sent/);
    rmSync(place.path('fleet/freeze.yaml'));
  });

  it('apply: a merge is applied, recorded in the ledger and noted on its commit', async () => {
    const commit = hub.push('main');
    hub.fake.merged[commit] = [{ number: 7, merged_at: '2026-11-23T12:00:00Z' }];
    const before = new Map(
      (JSON.parse(await saved()) as World).devices.map((one) => [one.id, one]),
    );
    const run = await hub.run('apply', { event: 'push' });
    expect(good(run), run.said).toEqual(['success', []]);
    expect(run.summary).toMatch(/### fleetform apply\n\n```text\n[\s\S]*verified/);
    hub.git('fetch', '--quiet', 'origin', '+refs/notes/*:refs/notes/*');
    expect(hub.git('notes', '--ref=fleetform', 'show', commit)).toContain('verified');
    expect(hub.git('ls-remote', 'origin', 'refs/heads/fleetform-ledger')).not.toBe('');
    const after = (JSON.parse(await saved()) as World).devices;
    devices = after.filter(({ id, firmwareVersion }) => {
      const was = before.get(id)?.firmwareVersion;
      return was !== undefined && was !== firmwareVersion;
    });
    expect(devices.length).toBeGreaterThan(1);
    expect(run.jobs).toEqual({ work: 'success', apply: 'success', outcome: 'success' });
    expect(hub.fake.comments.map(({ body }) => body)).toEqual([
      expect.stringMatching(/### Applied at `[0-9a-f]{12}`, last run .*: \d+ verified/),
    ]);
  });

  it('N78 apply: without work the schedule starts no second job, and leaves the comment', async () => {
    const before = hub.fake.comments[0]?.body;
    const run = await hub.run('apply', { event: 'schedule' });
    expect(hub.fake.comments[0]?.body).toBe(before);
    expect(run.jobs).toEqual({ work: 'success', apply: 'skipped', outcome: 'skipped' });
    expect(run.said).toContain('Nothing to do: the next job');
  });

  it('drift: no issue is opened while there is none', async () => {
    hub.vars['FLEETFORM_DRIFT'] = 'on';
    const run = await hub.run('drift', { event: 'schedule' });
    const kept = 'drift/Keep the snapshot for pull requests of forks skipped';
    expect(good(run), run.said).toEqual(['success', [kept]]);
    expect(run.jobs).toEqual({ drift: 'success', issue: 'success' });
    expect(hub.fake.issues).toEqual([]);
  });

  it('drift: one issue, which the next run edits and the last one closes', async () => {
    hub.vars['FLEETFORM_SNAPSHOT'] = 'on';
    for (const count of [1, 2]) {
      await meanwhile((world) => downgrade(world, count));
      const run = await hub.run('drift', { event: 'schedule' });
      expect(good(run), run.said).toEqual(['success', []]);
      const changes = count === 1 ? '1 change' : `${count} changes`;
      expect(hub.fake.issues.map(({ state, title }) => [state, title])).toEqual([
        ['open', `Drift: ${changes} to restore what fleetform applied`],
      ]);
      expect(hub.fake.issues[0]?.body).toContain(OLD);
    }
    await meanwhile((world) => downgrade(world, 0));
    expect((await hub.run('drift', { event: 'schedule' })).conclusion).toBe('success');
    expect(hub.fake.issues.map(({ state }) => state)).toEqual(['closed']);
  });

  it('plan: a fork gets no secret, the snapshot of the drift run, and a comment that names it', async () => {
    hub.fake.comments.splice(0);
    place.edit('fleet/policies/firmware.yaml', 'minVersion: "11.5.0"', 'minVersion: "11.4.0"');
    hub.push('feature');
    hub.open('feature', FORK);
    const { plan, comment } = await hub.review('feature', FORK);
    expect(good(plan), plan.said).toEqual(['success', OUTSIDE_QUEUE]);
    expect(plan.said).toMatch(/on the saved snapshot of [A-Z].* UTC, 0 hours old/);
    expect(good(comment), comment.said).toEqual(['success', []]);
    expect(hub.fake.comments).toHaveLength(1);
    expect(hub.fake.comments[0]?.body).toContain(`Created by a run in the fork \`${FORK}\``);
  });

  it('M1 M2 move: nothing runs with another ledger until a reviewer lets the move pass', async () => {
    hub.git('reset', '--quiet', '--hard', 'origin/main');
    place.edit('fleet/service.yaml', '{store: git}', '{store: git, branch: records}');
    hub.push('main');
    const stopped = await hub.run('apply', { event: 'schedule' });
    expect(stopped.jobs, stopped.said).toMatchObject({ work: 'success', apply: 'failure' });
    expect(stopped.said.replaceAll(/\s+/g, ' ')).toContain('`fleetform ledger move --reason R`');
    const gates: string[] = [];
    const moved = await hub.run('move', {
      event: 'workflow_dispatch',
      inputs: { reason: 'renamed; $(touch x)' },
      onGate: (name) => void gates.push(name),
    });
    expect([good(moved), gates], moved.said).toEqual([['success', []], ['fleet-approve']]);
    expect(moved.said).toMatch(/fleetform-ledger ->/);
    const run = await hub.run('apply', { event: 'schedule' });
    expect(run.jobs, run.said).toEqual({ work: 'success', apply: 'success', outcome: 'success' });
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
      if (device) device.firmwareVersion = nth < count ? OLD : firmwareVersion;
    }
  }
});

/** What only a merge queue has to do. */
const OUTSIDE_QUEUE = [
  'plan/Find the reviewed plan skipped',
  'plan/Fetch the reviewed plan skipped',
];

const OLD = '10.12.236';

/** A freeze of the whole fleet, from an hour ago for two days. */
function freezeNow(): string {
  const [from, to] = [-1, 48].map(
    (hours) => `"${new Date(Date.now() + hours * 3_600_000).toISOString()}"`,
  );
  return `freezes: {now: {hard: true, from: ${from}, to: ${to}, reason: r, owner: o, ticket: "1"}}\n`;
}

interface Device {
  readonly id: string;
  firmwareVersion: string;
}

interface World {
  readonly devices: readonly Device[];
}
