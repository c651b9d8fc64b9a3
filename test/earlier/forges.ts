import { readFileSync } from 'node:fs';
import { GITLAB_FLEET_JOBS, GITLAB_JOBS } from '../../src/init/gitlab-files.ts';
import type { Twin } from '../../src/twin/twin.ts';
import type { Env, Place } from '../support/blackbox.ts';
import { createGitLabHost } from '../pipelines/gitlab.ts';
import { withInput } from '../pipelines/pipeline.ts';
import { createHub } from '../workflows/github.ts';
import type { Cell } from './repositories.ts';

/** What a run of jobs came to. */
export interface Outcome {
  /** How each job ended. */
  readonly jobs: Readonly<Record<string, string>>;
  readonly said: string;
}

/** A forge that plays the jobs of a repository, the same way whichever it is. */
export interface Forge extends Disposable {
  git(...args: readonly string[]): string;
  /** Pushes what the place has to a request, and plays its plan and its comment. */
  request(): Promise<Outcome>;
  /** Takes the request into the default branch. */
  merge(): void;
  /** What follows a merge, up to the gates, which Grace lets through. */
  gates(): Promise<Outcome>;
  night(): Promise<Outcome>;
  drift(): Promise<Outcome>;
  /** Lifts a pause, behind the gate. */
  resume(scope: string, organization: string): Promise<Outcome>;
  comments(): readonly string[];
  openIssues(): readonly string[];
}

/** The forge of a cell; `folder` has the files that `init` wrote. */
export function openForge(
  place: Place,
  cell: Cell,
  env: Env,
  twins: Readonly<Record<string, Twin>>,
): Promise<Forge> {
  return (cell.ci === 'github' ? openGitHub : openGitLab)(place, cell, env, twins);
}

async function openGitHub(
  place: Place,
  { branch, organizations }: Cell,
  env: Env,
  twins: Readonly<Record<string, Twin>>,
): Promise<Forge> {
  const hub = await createHub(place, place.path('.github/workflows'), { branch, env });
  hub.fake.approvals['*'] = [
    {
      state: 'approved',
      environments: ['', ...organizations.map((name) => `-${name}`)].map((suffix) => ({
        name: `fleet-approve${suffix}`,
      })),
      user: { login: 'grace', type: 'User' },
    },
  ];
  hub.vars['FLEETFORM_APPLY'] = 'on';
  hub.vars['FLEETFORM_DRIFT'] = 'on';
  for (const [name, { write, read }] of credentials(twins))
    if (organizations.length === 0) Object.assign(hub.secrets, write, read);
    else {
      hub.environments[`fleet-${name}`] = write;
      for (const role of ['read', 'approve']) hub.environments[`fleet-${role}-${name}`] = read;
    }
  const suffixes = organizations.length === 0 ? [''] : organizations.map((name) => `-${name}`);
  return {
    git: hub.git,
    request: async () => {
      hub.push('feature');
      hub.open('feature');
      const { plan, comment } = await hub.review('feature');
      return together([plan, comment]);
    },
    merge: () => {
      const commit = hub.push(branch);
      hub.fake.merged[commit] = [{ number: 7, merged_at: '2026-11-28T12:00:00Z' }];
    },
    gates: async () => {
      const all: Outcome[] = [];
      for (const suffix of suffixes) all.push(await hub.run(`approve${suffix}`, { event: 'push' }));
      return together(all);
    },
    night: () => hub.run('apply', { event: 'schedule' }),
    drift: () => hub.run('drift', { event: 'schedule' }),
    resume: (scope, fleet) =>
      hub.run('resume', {
        event: 'workflow_dispatch',
        inputs: { fleet, scope, reason: 'looked at', ticket: '' },
      }),
    comments: () => hub.fake.comments.map(({ body }) => body),
    openIssues: () =>
      hub.fake.issues.filter(({ state }) => state === 'open').map(({ title }) => title),
    [Symbol.dispose]: () => hub[Symbol.dispose](),
  };
}

async function openGitLab(
  place: Place,
  { branch, organizations }: Cell,
  env: Env,
  twins: Readonly<Record<string, Twin>>,
): Promise<Forge> {
  const read = (name: string): string => readFileSync(place.path(name), 'utf8');
  const own = organizations.map((name) => withInput(read(GITLAB_FLEET_JOBS), { fleet: name }));
  const host = await createGitLabHost(place, [read(GITLAB_JOBS), ...own], { branch, env });
  host.variables['FLEETFORM_APPLY'] = 'on';
  for (const [name, user] of credentials(twins))
    if (organizations.length === 0) {
      Object.assign(host.variables, user.read);
      host.scoped['fleet'] = user.write;
    } else {
      host.scoped[`fleet-${name}`] = user.write;
      host.scoped[`fleet-approve-${name}`] = user.read;
      host.open[`fleet-read-${name}`] = user.read;
    }
  const gates =
    organizations.length === 0
      ? ['fleet-approve']
      : organizations.map((name) => `fleet-approve-${name}`);
  const schedule = (what: string): Promise<Outcome> =>
    host.run('schedule', { variables: { FLEETFORM_SCHEDULE: what } });
  return {
    git: host.git,
    request: () => {
      host.push('feature');
      return host.mergeRequest('feature');
    },
    merge: () => {
      const commit = host.push(branch);
      host.fake.merged[commit] = [{ iid: 7, state: 'merged', merged_at: '2026-11-28T12:00:00Z' }];
    },
    gates: () => host.run('push', { starts: gates, person: 'grace' }),
    night: () => schedule('apply'),
    drift: () => schedule('drift'),
    resume: (scope, fleet) =>
      host.run('web', {
        variables: {
          FLEETFORM_RESUME: scope,
          FLEETFORM_REASON: 'looked at',
          FLEETFORM_FLEET: fleet,
        },
      }),
    comments: () => host.fake.notes.map(({ body }) => body),
    openIssues: () =>
      host.fake.issues.filter(({ state }) => state === 'opened').map(({ title }) => title),
    [Symbol.dispose]: () => host[Symbol.dispose](),
  };
}

type Pair = Readonly<Record<'write' | 'read', Record<string, string>>>;

/** By organization: what may write, and what may only read, as secrets of a job. */
function credentials(twins: Readonly<Record<string, Twin>>): readonly [string, Pair][] {
  return Object.values(twins).map(({ organization, users }) => {
    const of = (role: string, prefix: string): Record<string, string> => {
      const user = users.find((one) => one.role === role);
      return {
        [`${prefix}_CLIENT_ID`]: user?.clientId ?? '',
        [`${prefix}_CLIENT_SECRET`]: user?.clientSecret ?? '',
      };
    };
    return [
      organization,
      { write: of('admin', 'FLEETFORM'), read: of('operator', 'FLEETFORM_READ') },
    ];
  });
}

function together(runs: readonly Outcome[]): Outcome {
  return {
    jobs: Object.assign({}, ...runs.map(({ jobs }) => jobs)) as Outcome['jobs'],
    said: runs.map(({ said }) => said).join(''),
  };
}
