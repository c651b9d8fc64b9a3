import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlace, PATIENCE } from '../support/blackbox.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';
import { createHub, writeWorkflows, type Hub } from './github.ts';
import type { Run } from './runner.ts';

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

// The way from a request to the night, played from the workflows that init writes: each test goes on where the one before it
// ended. Each request adds a policy for two devices, since a device rests between two tasks.
describe('approval of a plan, as its workflows play it', PATIENCE, () => {
  const place = createPlace();
  let hub: Hub;
  let twin: TwinProcess;
  let spare: string[] = [];
  const policies = new Map<string, readonly string[]>();
  let lastPull = 6;

  /** Writes the documents of now: one policy for each name. */
  function write(): void {
    const lines = [...policies].map(
      ([name, ids]) =>
        `  ${name}: {task: rotatePassword, select: {device: [${ids.join(', ')}]}, maxAge: 2d, headStart: 1h, spread: 0d, rollout: once, windows: anytime}\n`,
    );
    place.write('fleet/fleet.yaml', `${SERVICE}rotations:\n${lines.join('')}`);
  }

  function add(name: string): readonly string[] {
    const ids = spare.splice(0, 2);
    policies.set(name, ids);
    write();
    return ids;
  }

  /** A request with what the place has, planned and reviewed, and then merged in one of three ways. */
  async function mergeRequest(style: 'merge' | 'squash' | 'rebase'): Promise<string> {
    const base = hub.git('rev-parse', 'origin/main');
    const head = hub.push('feature');
    hub.open('feature');
    const { plan } = await hub.review('feature');
    expect(plan.conclusion, plan.said).toBe('success');
    return merge(style, { base, head });
  }

  function merge(
    style: 'merge' | 'squash' | 'rebase',
    { base, head }: { readonly base: string; readonly head: string },
  ): string {
    lastPull += 1;
    const parents = style === 'merge' ? ['-p', base, '-p', head] : ['-p', base];
    const subject = {
      merge: `Merge pull request #${lastPull} from x`,
      squash: `All (#${lastPull})`,
      rebase: 'next',
    };
    const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    const commit = hub.git(
      ...author,
      'commit-tree',
      `${head}^{tree}`,
      ...parents,
      '-m',
      subject[style],
    );
    hub.git('push', '--quiet', 'origin', `${commit}:refs/heads/main`);
    hub.git('fetch', '--quiet', 'origin', '+refs/heads/*:refs/remotes/origin/*');
    hub.git('reset', '--quiet', '--hard', commit);
    hub.fake.merged[commit] = [
      { number: lastPull, merged_at: new Date().toISOString(), head: { sha: head } },
    ];
    return commit;
  }

  /** A commit that goes to the default branch without a request. */
  const pushMain = (): string => hub.push('main');
  const look = (onGate?: () => void | Promise<void>): Promise<Run> =>
    hub.run('approve', { event: 'push', ...(onGate && { onGate }) });
  const night = (): Promise<Run> => hub.run('apply', { event: 'schedule' });
  const cli = (args: string) => place.run(args, twin.as('admin'));
  const records = async (type: string): Promise<number> => {
    const { out } = await cli('audit --format json');
    return JSON.parse(out)
      .runs.flatMap((run: { events: { is: string }[] }) => run.events)
      .filter(({ is }: { is: string }) => is === type).length;
  };

  /** The devices that have had a task, by the audit. */
  async function sent(): Promise<readonly string[]> {
    const { out } = await cli('audit --format json');
    const { runs } = JSON.parse(out) as {
      readonly runs: readonly {
        readonly attempts: readonly { readonly intents: readonly { readonly device: string }[] }[];
      }[];
    };
    return runs.flatMap(({ attempts }) =>
      attempts.flatMap(({ intents }) => intents.map(({ device }) => device)),
    );
  }

  /** What the newest look has kept. */
  function kept(): string {
    const folders = readdirSync(place.path('artifacts'))
      .sort((a, b) => Number(b) - Number(a))
      .map((run) => place.path(join('artifacts', run, 'fleetform-shown')));
    return folders.find((folder) => existsSync(folder)) ?? '';
  }

  beforeAll(async () => {
    rmSync(place.path('fleet'), { recursive: true });
    mkdirSync(place.path('fleet'));
    const pins = {
      organization: 'acme',
      ledger: 'git:origin#fleetform-ledger',
      approval: 'plan',
    } as const;
    hub = await createHub(place, writeWorkflows(place, { approval: 'plan', pins }));
    twin = await startTwin(place, { world: 'world.json', devices: 40 });
    await twin.stop();
    const world = JSON.parse(place.read('world.json')) as { readonly devices: readonly Device[] };
    spare = world.devices
      .filter((one) => one.deviceType === 'camera' && one.condition === 'well' && !one.maintenance)
      .map(({ id }) => id);
    twin = await startTwin(place, { world: 'world.json' });
    const [admin, reader] = [twin.as('admin'), twin.as('operator')];
    hub.vars['FLEETFORM_APPLY'] = 'on';
    hub.vars['FLEETFORM_BASE_URL'] = twin.ready.url;
    hub.secrets['FLEETFORM_CLIENT_ID'] = admin['FLEETFORM_CLIENT_ID'] ?? '';
    hub.secrets['FLEETFORM_CLIENT_SECRET'] = admin['FLEETFORM_CLIENT_SECRET'] ?? '';
    hub.secrets['FLEETFORM_READ_CLIENT_ID'] = reader['FLEETFORM_CLIENT_ID'] ?? '';
    hub.secrets['FLEETFORM_READ_CLIENT_SECRET'] = reader['FLEETFORM_CLIENT_SECRET'] ?? '';
    hub.fake.approvals['*'] = [
      {
        state: 'approved',
        environments: [{ name: 'fleet-approve' }],
        user: { login: 'grace' },
        comment: '',
      },
    ];
    for (const each of [admin, reader, { GITHUB_TOKEN: 'canary-of-a-job-5b81e0' }])
      await place.run('--version', each);
    add('first');
    pushMain();
  }, PATIENCE.timeout);
  afterAll(async () => {
    await twin.stop();
    hub[Symbol.dispose]();
    place[Symbol.dispose]();
  });

  it('N78 values that are owed are work: the night reads them, and starts nothing that awaits approval', async () => {
    const first = await night();
    expect(first.said, first.said).toContain('Stored device values are due to be read again.');
    expect([first.jobs['apply'], await sent()]).toEqual(['success', []]);
    const second = await night();
    expect(second.said).toContain('Nothing to do: the next job');
    expect(second.jobs).toEqual({ work: 'success', apply: 'skipped', outcome: 'skipped' });
  });

  it('N78 M24 they are owed again where their file is not the one that a run left', async () => {
    forgeFacts(3_600_000);
    const run = await night();
    expect(run.said.replaceAll(/\s+/g, ' ')).toContain('are in no record of the ledger.');
    expect(run.said).toContain('Stored device values are due to be read again.');
    expect([run.jobs['apply'], await sent()]).toEqual(['success', []]);
  });

  it.each(['merge', 'squash', 'rebase'] as const)(
    'N74 N80 after a %s the look compares with the reviewed plan, the gate approves, and the night starts it',
    async (style) => {
      const before = policies.get('first') ?? [];
      const ids = [...(style === 'merge' ? before : []), ...add(style)];
      await mergeRequest(style);
      expect(new Set(await sent()).has(ids[0] ?? '')).toBe(false);
      const run = await look();
      expect(run.jobs, run.said).toEqual({ look: 'success', approve: 'success' });
      expect(run.said).toMatch(
        new RegExp(
          `Compared with the plan of #${lastPull}: [24] as reviewed, \\d+ new since, 0 gone\\.`,
        ),
      );
      expect(run.said).toMatch(new RegExp(`Merged.*#${lastPull}`));
      expect(run.said).toMatch(/Approved \d+ outcomes until .*; approvers: grace/);
      const apply = await night();
      expect(apply.jobs['apply'], apply.said).toBe('success');
      expect(await sent()).toEqual(expect.arrayContaining([...ids]));
      expect((await cli('audit')).out).toContain('grace');
    },
  );

  it('N74 N79 of two requests before one gate, each is compared with its own plan', async () => {
    const ids = [...add('two')];
    await mergeRequest('squash');
    const one = lastPull;
    ids.push(...add('three'));
    await mergeRequest('merge');
    const run = await look();
    expect(run.jobs, run.said).toEqual({ look: 'success', approve: 'success' });
    // A request reads what it can change and no more: its plan has its own outcomes.
    for (const pull of [one, lastPull])
      expect(run.said).toContain(
        `Compared with the plan of #${pull}: 2 as reviewed, 2 new since, 0 gone.`,
      );
    expect(run.said).toContain('In none of these plans: 0 outcomes.');
    await night();
    expect(await sent()).toEqual(expect.arrayContaining(ids));
  });

  it('N83 audit verify proves the approval of each device', async () => {
    const { code, out } = await cli('audit verify --format json');
    expect([code, out]).toEqual([0, expect.stringContaining('attemptsApproved')]);
  });

  it.each<readonly [string, (folder: string) => void]>([
    [
      'forged',
      (folder) =>
        rewrite(folder, (text) =>
          text.replace(
            '"changes":[',
            '"changes":[["rotatePassword/dev-1","0000000000000000.0000000000000000"],',
          ),
        ),
    ],
    ['swapped', (folder) => writeFileSync(shownIn(folder), older)],
    ['missing', (folder) => rmSync(folder, { recursive: true })],
  ])('N75 nothing is approved by an artifact that is %s', async (how, change) => {
    if (how === 'forged') {
      add('later');
      older = readFileSync(shownIn(kept()), 'utf8');
      pushMain();
    }
    const before = [await records('approval'), (await sent()).length];
    const run = await look(() => change(kept()));
    expect(run.jobs, run.said).toEqual({ look: 'success', approve: 'failure' });
    expect((await night()).conclusion).toBe('success');
    expect([await records('approval'), (await sent()).length]).toEqual(before);
  });

  it('N75 a gate that is passed after the revert approves nothing of it', async () => {
    const ids = policies.get('later') ?? [];
    const run = await look(() => {
      policies.delete('later');
      write();
      pushMain();
    });
    expect(run.said).toMatch(/Approved 0 outcomes until/);
    policies.set('later', ids);
    write();
    pushMain();
    await night();
    expect(await sent()).not.toContain(ids[0]);
  });

  it('N82 a saved plan and --yes approve nothing', async () => {
    const ids = add('by-hand');
    pushMain();
    expect((await cli('plan -o by-hand.json')).code).toBe(0);
    expect((await cli('apply by-hand.json --yes')).code).toBe(8);
    await cli('apply --yes');
    expect(await sent()).not.toContain(ids[0]);
  });

  it('N41 of a part only what belongs to it is approved', async () => {
    const [one = '', other = ''] = policies.get('by-hand') ?? [];
    const run = await hub.run('approve', {
      event: 'workflow_dispatch',
      inputs: { only: 'rotations.*', site: '*', device: one },
    });
    expect(run.jobs, run.said).toEqual({ look: 'success', approve: 'success' });
    expect(run.said).toMatch(/Approved 1 outcome until .*; approvers: grace/);
    await night();
    const devices = await sent();
    expect([devices.includes(one), devices.includes(other)]).toEqual([true, false]);
  });

  it('N84 a policy is withdrawn with the ledger alone', async () => {
    const ids = add('taken-back');
    pushMain();
    await look();
    const done = await place.run(
      `withdraw rotations.taken-back --reason wrong --trace none`,
      twin.as('admin'),
    );
    expect([done.code, place.trace('none')], done.err).toEqual([0, []]);
    await night();
    expect(await sent()).not.toContain(ids[0]);
  });

  it('N67 the pause of a person is lifted by a workflow behind the gate, with its ticket', async () => {
    await cli('pause rotations.taken-back --reason odd --ticket OPS-7');
    const gates: string[] = [];
    const lift = (ticket: string): Promise<Run> =>
      hub.run('unpause', {
        event: 'workflow_dispatch',
        inputs: { scope: 'rotations.taken-back', reason: 'looked at', ticket },
        onGate: (name) => void gates.push(name),
      });
    const refused = await lift('');
    expect(refused.conclusion, refused.said).toBe('failure');
    const lifted = await lift('OPS-8');
    expect([lifted.conclusion, gates], lifted.said).toEqual([
      'success',
      ['fleet-approve', 'fleet-approve'],
    ]);
    expect((await cli('status')).out).not.toContain('Paused');
    expect((await cli('audit verify')).code).toBe(0);
  });

  let older = '';

  function shownIn(folder: string): string {
    return join(folder, 'fleetform-shown.json');
  }

  function rewrite(folder: string, change: (text: string) => string): void {
    const text = readFileSync(shownIn(folder), 'utf8');
    writeFileSync(shownIn(folder), change(text));
  }

  /** Somebody who may push the branch of facts makes each of them older. */
  function forgeFacts(by: number): void {
    const work = place.path('facts');
    hub.git('clone', '--quiet', '--branch', 'fleetform-facts', hub.bare, work);
    for (const name of readdirSync(work).filter((one) => one.endsWith('.jsonl'))) {
      const text = readFileSync(join(work, name), 'utf8');
      const moved = text.replace(/"at":"([^"]+)"/g, (_, at: string) => {
        const earlier = new Date(Date.parse(at) - by).toISOString().replace('.000Z', 'Z');
        return `"at":"${earlier}"`;
      });
      writeFileSync(join(work, name), moved);
    }
    const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    hub.git('-C', work, ...author, 'commit', '--quiet', '--amend', '-am', 'older');
    hub.git('-C', work, 'push', '--quiet', '--force', 'origin', 'HEAD:fleetform-facts');
    rmSync(work, { recursive: true });
  }
});

interface Device {
  readonly id: string;
  readonly deviceType: string;
  readonly condition: string;
  readonly maintenance: boolean;
}
