import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Twin } from '../../src/twin/twin.ts';
import { gitIn } from '../support/blackbox-record.ts';
import { createPlace, PATIENCE, type Done } from '../support/blackbox.ts';
import { serveFar } from '../support/far-services.ts';
import { HOSTS, NEW, serviceOf } from '../earlier/fleet.ts';

const SHOWN = 'fleetform-shown.json';
const EVIL = 'api.evil.example';

interface Attack {
  readonly twin: Twin;
  /** Requests that reached the host of the author's choice, the one for a token included. */
  readonly evil: readonly string[];
  git(...args: readonly string[]): string;
  /** Writes documents: `service` beside its ledger, and policies. */
  write(service: string, policies?: string): void;
  /** Commits the documents on a branch and pushes it. */
  push(branch?: string): string;
  /** Runs a command as a job does. */
  run(command: string, env?: Readonly<Record<string, string>>): Promise<Done>;
  look(): Promise<Done>;
  approve(flags?: string, more?: Readonly<Record<string, string>>): Promise<Done>;
  /** How many tasks the service was sent. */
  tasks(): number;
}

const POLICIES = `rollouts: {once: {canary: none, waves: [{name: all, percent: 100%}]}}
budgets: {default-site: {per: site, maxUnavailable: 100%}}
firmware: {first: {select: {device: [dev-4, dev-5]}, version: "${NEW}", rollout: once, windows: anytime}}
`;
const PLAN = 'approval: plan';

/** A repository with a remote, a service, and one that the author of a request would like credentials to go to. */
async function attack(act: (attack: Attack) => Promise<void>, first = PLAN): Promise<void> {
  using place = createPlace();
  const twin = serviceOf('acme', false);
  const evil: string[] = [];
  const other = {
    handle: async (request: Request) => {
      evil.push(request.url);
      return twin.handle(request);
    },
  } as Twin;
  const far = await serveFar(place, { [HOSTS.acme]: twin, [EVIL]: other });
  const admin = twin.users.find(({ role }) => role === 'admin');
  const env = {
    ...far.env,
    CI: 'true',
    FLEETFORM_CLIENT_ID: admin?.clientId ?? '',
    FLEETFORM_CLIENT_SECRET: admin?.clientSecret ?? '',
  };
  const git = (...args: readonly string[]): string =>
    gitIn(place.folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args).trim();
  const one: Attack = {
    twin,
    evil,
    git,
    write(service, policies = POLICIES) {
      const pace = 'pace: {requestsPerSecond: 1000, tokenRequestsPerMinute: 600, pollEvery: 1s}';
      const host = service.includes('baseUrl') ? '' : `baseUrl: "https://${HOSTS.acme}", `;
      place.write(
        'fleet/service.yaml',
        `service: {${host}organization: acme, ${pace}, ${service}}\n`,
      );
      place.write('fleet/policies.yaml', policies);
    },
    push(branch = 'main') {
      git('add', '--all', 'fleet');
      git('commit', '--quiet', '--allow-empty', '-m', 'documents');
      git('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
      git('fetch', '--quiet', 'origin');
      return git('rev-parse', 'HEAD');
    },
    run: (command, more = {}) => place.run(command, { ...env, ...more }),
    look: () => one.run(`ci look --out ${SHOWN}`),
    approve(flags = ' --approver Grace', more = {}) {
      const shown = readFileSync(place.path(SHOWN));
      const digest = createHash('sha256').update(shown).digest('hex');
      return one.run(`ci approve --shown ${SHOWN} --digest ${digest}${flags}`, more);
    },
    tasks: () => twin.world.state.tasks.length,
  };
  const bare = place.path('bare.git');
  gitIn(place.folder, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
  gitIn(place.folder, 'init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', bare);
  rmSync(place.path('fleet'), { recursive: true });
  place.make('fleet/service.yaml', '');
  one.write(`ledger: {store: git}, ${first}`);
  one.push();
  git('branch', '--quiet', '--set-upstream-to=origin/main');
  try {
    await act(one);
  } finally {
    await far.close();
  }
}

const ended = ({ code, out, err }: Done, expected: number, says: RegExp): void => {
  expect(code, out + err).toBe(expected);
  expect((out + err).replaceAll(/\s+/gu, ' ')).toMatch(says);
};

/** What the author of a request can do to have tasks started that nobody approved; each ends without one. */
describe.concurrent('the author of a request', PATIENCE, () => {
  it('M1 M2 cannot move the approvals to a copy of the ledger', () =>
    attack(async ({ run, git, write, push, tasks, look }) => {
      expect((await run('apply --yes')).code).toBe(7);
      git('push', '--quiet', 'origin', 'origin/fleetform-ledger:refs/heads/team-ledger');
      write(`ledger: {store: git, branch: team-ledger}, ${PLAN}`);
      push();
      ended(await look(), 9, /fleetform ledger move/);
      ended(await run('apply --yes'), 9, /fleetform ledger move/);
      expect(tasks()).toBe(0);
    }));

  it('M3 cannot choose where credentials go, in a request or once it is merged', () =>
    attack(async ({ run, write, push, git, tasks, evil }) => {
      expect((await run('apply --yes')).code).toBe(7);
      git('switch', '--quiet', '--create', 'feature');
      write(`baseUrl: "https://${EVIL}", ledger: {store: git, branch: nowhere}, ${PLAN}`);
      push('feature');
      ended(await run('plan'), 9, /groundChanged|fleetform ledger move/);
      push('main');
      ended(await run('apply --yes'), 9, /fleetform ledger move/);
      expect([evil, tasks()]).toEqual([[], 0]);
    }));

  it('M7 cannot have another branch count: where it is unclear nothing starts, and a plan says so', () =>
    attack(async ({ run, tasks }) => {
      expect((await run('apply --yes')).code).toBe(7);
      const unclear = { GITLAB_CI: 'true', CI_DEFAULT_BRANCH: 'nowhere' };
      ended(
        await run('plan', unclear),
        0,
        /warning: The default branch nowhere .* FLEETFORM_BRANCH/,
      );
      ended(await run('apply --yes', unclear), 9, /The default branch nowhere/);
      expect(tasks()).toBe(0);
    }));

  it('M8 cannot have an older commit start what was frozen since', () =>
    attack(async ({ run, write, push, git, tasks }) => {
      const old = git('rev-parse', 'HEAD');
      write(
        'ledger: {store: git}',
        `${POLICIES}freezes: {f: {hard: true, from: "2026-01-01T00:00:00Z", to: "2036-01-02T00:00:00Z", maxLength: 4000d, reason: r, owner: o, ticket: "1"}}\n`,
      );
      push();
      git('checkout', '--quiet', old);
      ended(await run('apply --yes'), 8, /are not the newest/);
      expect(tasks()).toBe(0);
    }, 'approval: commit'));

  it('M9 cannot switch approvals off by merging that, nor start what is not merged by a reason', () =>
    attack(async ({ run, write, push, git, tasks }) => {
      expect((await run('apply --yes')).code).toBe(7);
      write('ledger: {store: git}');
      push();
      ended(await run('apply --yes'), 7, /wait for an approval/);
      git('commit', '--quiet', '--allow-empty', '-m', 'mine');
      write('ledger: {store: git}', `${POLICIES}# mine\n`);
      const byHand = { CI: '' };
      ended(
        await run('apply --yes --unmerged --reason now --by Ada', byHand),
        8,
        /approval of plans/,
      );
      expect(tasks()).toBe(0);
    }));

  it('M10 M11 cannot use an approval after a revert that no run saw, a withdrawal, or without a name', () =>
    attack(async ({ run, write, push, tasks, look, approve }) => {
      expect((await look()).code).toBe(0);
      ended(await approve(''), 8, /no approver is known/);
      const atForge = { GITHUB_ACTIONS: 'true', FLEETFORM_BRANCH: 'main' };
      ended(await approve(undefined, atForge), 8, /fleet-approve/);
      expect((await approve()).code).toBe(0);
      write(`ledger: {store: git}, ${PLAN}`, POLICIES.replace(/firmware: .*/, ''));
      push();
      write(`ledger: {store: git}, ${PLAN}`);
      push();
      ended(await run('apply --yes'), 7, /wait for an approval/);
      expect(tasks()).toBe(0);
      expect((await look()).code).toBe(0);
      expect((await approve()).code).toBe(0);
      const withdrawn = await run('withdraw firmware.first --reason wrong --by Ada');
      expect(withdrawn.code, withdrawn.err).toBe(0);
      ended(await approve(), 8, /was withdrawn since/);
      ended(await run('apply --yes'), 7, /wait for an approval/);
      expect(tasks()).toBe(0);
    }));

  it('is stopped by these rules alone: what a person let through is started', () =>
    attack(async ({ run, tasks, look, approve }) => {
      expect((await look()).code).toBe(0);
      expect((await approve()).code).toBe(0);
      await run('apply --yes');
      expect(tasks()).toBeGreaterThan(0);
    }));
});
