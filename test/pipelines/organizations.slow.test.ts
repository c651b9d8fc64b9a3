import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gitlabFiles, GITLAB_FLEET_JOBS, GITLAB_JOBS } from '../../src/init/gitlab-files.ts';
import { createPlace, PATIENCE } from '../support/blackbox.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';
import { createGitLabHost, type GitLabHost } from './gitlab.ts';
import { withInput } from './pipeline.ts';

const NAMES = ['acme', 'globex'] as const;
const MERGED = { iid: 7, state: 'merged', merged_at: '2026-11-23T12:00:00Z' };

/** The files that `init` writes for one organization of several. */
function jobFiles(): Readonly<Record<string, string>> {
  const facts = {
    ci: 'gitlab',
    branch: 'main',
    isBranchNamed: false,
    home: '',
    isOwn: false,
    schema: 'node_modules/fleetform/schemas/fleet.bundle.schema.json',
  } as const;
  const files = gitlabFiles({
    ...facts,
    fleet: 'fleet/acme',
    sites: [],
    approval: 'commit',
  });
  return Object.fromEntries(files.map(({ path, text }) => [path, text]));
}

// Two organizations of one project, each with a service and credentials of its own, in the order of their life.
describe('the pipelines of several organizations', PATIENCE, () => {
  const place = createPlace();
  const twins: TwinProcess[] = [];
  let host: GitLabHost;

  const documents = (name: string, maxAge: string): string => `service:
  baseUrl: ${twins[NAMES.indexOf(name as 'acme')]?.ready.url}
  organization: acme
  pace: {requestsPerSecond: 1000, tokenRequestsPerMinute: 600, pollEvery: 1s}
  ledger: {store: git, branch: fleetform-${name}-ledger}
rotations:
  passwords: {task: rotatePassword, select: {deviceType: camera}, maxAge: ${maxAge}, headStart: 0d, spread: 0d, windows: anytime}
guardrails: {default: {maxPercentOfFleet: 100%}}
`;

  beforeAll(async () => {
    for (const name of NAMES)
      twins.push(await startTwin(place, { devices: name === 'acme' ? 6 : 7 }));
    const files = jobFiles();
    const text = (path: string): string => files[path] ?? '';
    const own = NAMES.map((fleet) => withInput(text(GITLAB_FLEET_JOBS), { fleet }));
    host = await createGitLabHost(place, [text(GITLAB_JOBS), ...own], { files });
    place.clear('fleet');
    for (const name of NAMES) place.make(`fleet/${name}/fleet.yaml`, documents(name, '3000d'));
    host.push('main');
    for (const [index, name] of NAMES.entries()) {
      const [admin = {}, reader = {}] = [twins[index]?.as('admin'), twins[index]?.as('operator')];
      host.scoped[`fleet-${name}`] = {
        FLEETFORM_CLIENT_ID: admin['FLEETFORM_CLIENT_ID'] ?? '',
        FLEETFORM_CLIENT_SECRET: admin['FLEETFORM_CLIENT_SECRET'] ?? '',
      };
      const reading = {
        FLEETFORM_READ_CLIENT_ID: reader['FLEETFORM_CLIENT_ID'] ?? '',
        FLEETFORM_READ_CLIENT_SECRET: reader['FLEETFORM_CLIENT_SECRET'] ?? '',
      };
      host.open[`fleet-read-${name}`] = reading;
      host.scoped[`fleet-approve-${name}`] = reading;
    }
  }, PATIENCE.timeout);
  afterAll(async () => {
    for (const twin of twins) await twin.stop();
    host[Symbol.dispose]();
    place[Symbol.dispose]();
  });

  it('plan: only the organization that a request changes is planned, and has a note', async () => {
    place.make('fleet/acme/fleet.yaml', documents('acme', '30d'));
    host.push('feature');
    const { jobs, said } = await host.mergeRequest('feature');
    expect(jobs, said).toEqual({
      'fleet-plan-acme': 'success',
      'fleet-comment': 'success',
    });
    expect(host.fake.notes.map(({ body }) => /Plan ID/.test(body))).toEqual([true]);
  });

  it('plan: a request for both has a note for each, also where one cannot be planned', async () => {
    place.make('fleet/globex/fleet.yaml', documents('globex', '30d'));
    host.push('feature');
    expect((await host.mergeRequest('feature')).jobs['fleet-comment']).toBe('success');
    const markers = new Set(host.fake.notes.map(({ body }) => body.split('\n')[0]));
    expect([host.fake.notes.length, markers.size]).toEqual([2, 2]);
    place.make('fleet/globex/fleet.yaml', documents('globex', 'never'));
    host.push('feature');
    const { jobs } = await host.mergeRequest('feature');
    expect(jobs).toMatchObject({
      'fleet-plan-acme': 'success',
      'fleet-plan-globex': 'failed',
    });
    const told = host.fake.notes.map(({ body }) => /No plan for commit/.test(body));
    expect(told.sort()).toEqual([false, true]);
    place.make('fleet/globex/fleet.yaml', documents('globex', '30d'));
    host.push('feature');
    await host.mergeRequest('feature');
  });

  it('apply: a merge is applied in each, on a ledger of its own, and told in its note', async () => {
    host.variables['FLEETFORM_APPLY'] = 'on';
    host.fake.merged[host.push('main')] = [MERGED];
    const { jobs, said } = await host.run('push');
    expect(jobs, said).toMatchObject({
      'fleet-work': 'success',
      'fleet-apply-pipeline': 'success',
    });
    for (const name of NAMES)
      expect(jobs, said).toMatchObject({
        [`fleet-apply-${name}`]: 'success',
        [`fleet-outcome-${name}`]: 'success',
      });
    for (const name of NAMES)
      expect(host.git('ls-remote', 'origin', `refs/heads/fleetform-${name}-ledger`)).not.toBe('');
    for (const { body } of host.fake.notes) expect(body).toMatch(/### Applied at .*verified/);
  });

  it('apply: an organization whose service is away fails alone', async () => {
    await twins[1]?.stop();
    place.make('fleet/acme/fleet.yaml', documents('acme', '29d'));
    host.push('main');
    const { jobs } = await host.run('schedule', {
      variables: { FLEETFORM_SCHEDULE: 'apply' },
    });
    expect(jobs).toMatchObject({
      'fleet-apply-acme': 'success',
      'fleet-outcome-acme': 'success',
    });
    expect(jobs).toMatchObject({
      'fleet-apply-globex': 'failed',
      'fleet-apply-pipeline': 'failed',
    });
  });

  it('unpause: the organization that a person names, and no other', async () => {
    const variables = {
      FLEETFORM_UNPAUSE: 'rotations.passwords',
      FLEETFORM_REASON: 'r',
    };
    const { jobs } = await host.run('web', {
      variables: { ...variables, FLEETFORM_FLEET: 'acme' },
    });
    expect(Object.keys(jobs)).toEqual(['fleet-unpause-acme']);
    expect((await host.run('web', { variables })).jobs).toEqual({});
  });
});
