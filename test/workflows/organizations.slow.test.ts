import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlace, PATIENCE } from '../support/blackbox.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';
import { createHub, writeWorkflows, type Hub } from './github.ts';
import type { Run } from './runner.ts';

const NAMES = ['acme', 'globex'] as const;

// Two organizations of one repository, each with a service and credentials of its own, in the order of their life.
describe('the workflows of several organizations', PATIENCE, () => {
  const place = createPlace();
  const twins: TwinProcess[] = [];
  let hub: Hub;

  const hour = (ahead: number): string =>
    `"${String((new Date().getUTCHours() + ahead) % 24).padStart(2, '0')}:00"`;
  const documents = (
    name: string,
    maxAge: string,
    windows = 'anytime',
  ): string => `include: [../_shared/base]
service:
  baseUrl: ${twins[NAMES.indexOf(name as 'acme')]?.ready.url}
  organization: acme
  pace: {requestsPerSecond: 1000, tokenRequestsPerMinute: 600, pollEvery: 1s}
  ledger: {store: git, branch: fleetform-${name}-ledger}
windows: {later: {timeZone: UTC, allow: [{days: mon-sun, from: ${hour(6)}, to: ${hour(9)}}]}}
rotations:
  passwords: {task: rotatePassword, select: {deviceType: camera}, maxAge: ${maxAge}, headStart: 0d, spread: 0d, windows: ${windows}}
guardrails: {default: {maxPercentOfFleet: 100%}}
`;

  beforeAll(async () => {
    for (const name of NAMES)
      twins.push(await startTwin(place, { devices: name === 'acme' ? 6 : 7 }));
    hub = await createHub(place, writeWorkflows(place, { fleet: 'fleet/acme' }));
    hub.git('rm', '-r', '--quiet', '--cached', '--ignore-unmatch', 'fleet');
    place.clear('fleet');
    for (const name of NAMES) place.make(`fleet/${name}/fleet.yaml`, documents(name, '3000d'));
    place.make('fleet/_shared/base/groups.yaml', 'groups: {lobby: {devices: [dev-1]}}\n');
    hub.push('main');
    for (const [index, name] of NAMES.entries()) {
      const [admin, reader] = [twins[index]?.as('admin'), twins[index]?.as('operator')];
      hub.environments[`fleet-${name}`] = {
        FLEETFORM_CLIENT_ID: admin?.['FLEETFORM_CLIENT_ID'] ?? '',
        FLEETFORM_CLIENT_SECRET: admin?.['FLEETFORM_CLIENT_SECRET'] ?? '',
      };
      const reading = {
        FLEETFORM_READ_CLIENT_ID: reader?.['FLEETFORM_CLIENT_ID'] ?? '',
        FLEETFORM_READ_CLIENT_SECRET: reader?.['FLEETFORM_CLIENT_SECRET'] ?? '',
      };
      hub.environments[`fleet-read-${name}`] = reading;
      hub.environments[`fleet-approve-${name}`] = reading;
    }
  }, PATIENCE.timeout);
  afterAll(async () => {
    for (const twin of twins) await twin.stop();
    hub[Symbol.dispose]();
    place[Symbol.dispose]();
  });

  const failed = (run: Run): readonly string[] =>
    run.steps.filter((step) => step.endsWith(' failure'));

  it('plan: only the organization that a request changes is planned, and has a comment', async () => {
    place.make('fleet/acme/fleet.yaml', documents('acme', '30d'));
    hub.push('feature');
    hub.open('feature');
    const { plan, comment } = await hub.review('feature');
    expect([plan.conclusion, failed(plan)], plan.said).toEqual(['success', []]);
    expect(plan.steps.filter((step) => step.includes('/Plan '))).toEqual([
      'plan-acme/Plan success',
    ]);
    expect([comment.conclusion, failed(comment)], comment.said).toEqual(['success', []]);
    expect(hub.fake.comments.map(({ body }) => /Plan ID/.test(body))).toEqual([true]);
  });

  it('plan: a request for both has a comment for each, also where one cannot be planned', async () => {
    place.make('fleet/globex/fleet.yaml', documents('globex', '30d'));
    hub.push('feature');
    hub.open('feature');
    expect((await hub.review('feature')).comment.conclusion).toBe('success');
    const markers = new Set(hub.fake.comments.map(({ body }) => body.split('\n')[0]));
    expect([hub.fake.comments.length, markers.size]).toEqual([2, 2]);
    place.make('fleet/globex/fleet.yaml', documents('globex', 'never'));
    hub.push('feature');
    hub.open('feature');
    const { plan } = await hub.review('feature');
    expect(failed(plan)).toEqual(['plan-globex/Plan failure', 'required/Judge failure']);
    const told = hub.fake.comments.map(({ body }) => /No plan for commit/.test(body));
    expect(told.sort()).toEqual([false, true]);
    place.make('fleet/globex/fleet.yaml', documents('globex', '30d'));
  });

  it('plan: a request that changes a shared folder alone is planned for each that includes it', async () => {
    hub.push('main');
    place.make('fleet/_shared/base/groups.yaml', 'groups: {lobby: {devices: [dev-2]}}\n');
    hub.push('feature');
    hub.open('feature');
    const { plan } = await hub.review('feature');
    expect([plan.conclusion, failed(plan)], plan.said).toEqual(['success', []]);
    expect(plan.steps.filter((step) => step.includes('/Plan ')).sort()).toEqual(
      NAMES.map((name) => `plan-${name}/Plan success`),
    );
  });

  it('apply: a merge is applied in each, on a ledger of its own, and told in its comment', async () => {
    hub.vars['FLEETFORM_APPLY'] = 'on';
    const commit = hub.push('main');
    hub.open('main');
    await hub.review('feature');
    hub.fake.merged[commit] = [{ number: 7, merged_at: '2026-11-23T12:00:00Z' }];
    const run = await hub.run('apply', { event: 'push' });
    expect([run.conclusion, failed(run)], run.said).toEqual(['success', []]);
    const branches = hub.git('ls-remote', 'origin', 'refs/heads/*').split('\n');
    for (const name of NAMES)
      expect(branches.filter((line) => line.endsWith(`/fleetform-${name}-ledger`))).toHaveLength(1);
    expect(hub.fake.comments).toHaveLength(2);
    for (const { body } of hub.fake.comments) expect(body).toMatch(/### Applied at .*verified/);
  });

  it('apply: an organization without work has no job, and the log says until when', async () => {
    place.make('fleet/globex/fleet.yaml', documents('globex', '30d', 'later'));
    hub.push('main');
    await hub.run('apply', { event: 'push' });
    const run = await hub.run('apply', { event: 'schedule' });
    expect(run.steps.filter((step) => step.includes('/Apply'))).toEqual([
      'apply-acme/Apply success',
    ]);
    expect(run.said).toMatch(/acme has work: rotations.passwords is bound to no window/);
    expect(run.said).toMatch(/globex is left out until .*window later opens/s);
    place.make('fleet/globex/fleet.yaml', documents('globex', '30d'));
  });

  it('apply: an organization whose service is away fails alone, and has the only issue', async () => {
    await twins[1]?.stop();
    place.make('fleet/acme/fleet.yaml', documents('acme', '29d'));
    hub.push('main');
    const run = await hub.run('apply', { event: 'schedule' });
    expect(run.conclusion).toBe('failure');
    expect(failed(run).filter((step) => step.includes('/Apply'))).toEqual([
      'apply-globex/Apply failure',
    ]);
    expect(run.steps).toContain('apply-acme/Apply success');
  });

  it('drift: one organization is looked at after another', async () => {
    hub.vars['FLEETFORM_DRIFT'] = 'on';
    const run = await hub.run('drift', { event: 'schedule' });
    expect(run.steps).toContain('issue-acme/Keep the issue success');
    expect(failed(run)).toContain('drift-globex/Look for drift failure');
  });

  it('unpause: a name that no folder has reaches no environment', async () => {
    const gates: string[] = [];
    const inputs = { fleet: 'acme/../acme', scope: 'rotations.passwords', reason: 'r', ticket: '' };
    const onGate = (name: string): void => void gates.push(name);
    const bad = await hub.run('unpause', { event: 'workflow_dispatch', inputs, onGate });
    expect([bad.conclusion, gates]).toEqual(['failure', []]);
    const named = { ...inputs, fleet: 'acme' };
    await hub.run('unpause', { event: 'workflow_dispatch', inputs: named, onGate });
    expect(gates).toEqual(['fleet-approve-acme']);
  });
});
