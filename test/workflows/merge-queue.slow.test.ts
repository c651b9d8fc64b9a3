import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlace, PATIENCE } from '../support/blackbox.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';
import { createHub, writeWorkflows, type Hub } from './github.ts';
import type { Run } from './runner.ts';

// A request whose plan people have reviewed, on entries ahead of it that change what it does. Played as a server of its own has
// it, where `gh` fetches what other runs have kept.
describe('the merge queue of GitHub', PATIENCE, () => {
  const place = createPlace();
  let hub: Hub;
  let twin: TwinProcess;
  let ids: readonly string[] = [];

  /** Documents with a group of so many devices, and a policy for it where one is wanted. */
  const write = (members: number, maxAge?: string): void =>
    place.make(
      'fleet/fleet.yaml',
      `service:
  baseUrl: ${twin.ready.url}
  organization: acme
  pace: {requestsPerSecond: 1000, tokenRequestsPerMinute: 600, pollEvery: 1s}
  ledger: {store: git}
groups:
  team:
    devices:
${ids
  .slice(0, members)
  .map((id) => `      - ${id}\n`)
  .join('')}
rollouts: {once: {canary: none, waves: [{name: all, percent: 100%}]}}
guardrails: {default: {maxPercentOfFleet: 100%}}
rotations:
  old: {task: rotatePassword, select: {device: [${ids[7]}]}, maxAge: 3000d, windows: anytime}
${maxAge === undefined ? '' : `  new: {task: rotatePassword, select: {group: team}, maxAge: ${maxAge}, headStart: 0d, spread: 0d, rollout: once, windows: anytime}\n`}`,
    );

  beforeAll(async () => {
    twin = await startTwin(place, { devices: 40 });
    const listed = await place.run('get devices --format ndjson', {
      ...twin.as('admin'),
      FLEETFORM_BASE_URL: twin.ready.url,
    });
    const lines = listed.out.trim().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as Readonly<Record<string, string>>);
    ids = rows
      .filter(({ deviceType, status }) => deviceType === 'camera' && status === 'online')
      .map(({ id = '' }) => id);
    place.clear('fleet');
    write(2);
    hub = await createHub(place, writeWorkflows(place, { host: 'github.acme.example' }));
    hub.push('main');
    const reader = twin.as('operator');
    hub.secrets['FLEETFORM_READ_CLIENT_ID'] = reader['FLEETFORM_CLIENT_ID'] ?? '';
    hub.secrets['FLEETFORM_READ_CLIENT_SECRET'] = reader['FLEETFORM_CLIENT_SECRET'] ?? '';
  }, PATIENCE.timeout);
  afterAll(async () => {
    await twin.stop();
    hub[Symbol.dispose]();
    place[Symbol.dispose]();
  });

  const judged = ({ jobs }: Run) => [jobs['plan'], jobs['required']];

  it('N87 passes what the reviewed plan has, and what changes no documents', async () => {
    const main = hub.git('rev-parse', 'origin/main');
    hub.push('feature');
    hub.open('feature');
    expect(judged(await hub.queue('feature', main))).toEqual(['skipped', 'success']);
    write(2, '1d');
    hub.push('feature');
    hub.open('feature');
    const { plan, comment } = await hub.review('feature');
    expect(judged(plan), plan.said).toEqual(['success', 'success']);
    expect(comment.conclusion, comment.said).toBe('success');
    expect(hub.fake.comments.map(({ body }) => body)).toEqual([
      expect.stringContaining('Plan ID `'),
    ]);
    const queued = await hub.queue('feature', main);
    expect(judged(queued), queued.said).toEqual(['success', 'success']);
    expect(queued.summary).toContain('Plan ID');
  });

  it('N87 fails on a change that an entry ahead adds to it, whatever an author commits in place of the plan', async () => {
    hub.git('checkout', '--quiet', '-B', 'ahead', 'origin/main');
    write(3);
    const ahead = hub.push('ahead');
    const queued = await hub.queue('feature', ahead);
    expect(judged(queued), queued.said).toEqual(['failure', 'failure']);
    expect(queued.said.replaceAll(/\s+/g, ' ')).toMatch(
      /The merge queue adds 1 change that no reviewed plan has, the first on /,
    );
    expect(queued.steps).toContain('plan/Keep the plan success');
    hub.git('checkout', '--quiet', '-B', 'forged', 'origin/feature');
    const [run] = hub.fake.runs.filter(({ event }) => event === 'merge_group').slice(-1);
    place.make(
      'incoming/7/fleetform-plan.json',
      place.read(`artifacts/${run?.id}/fleetform-plan/fleetform-plan.json`),
    );
    hub.git('add', 'incoming');
    hub.push('forged');
    hub.open('forged');
    const forged = await hub.queue('forged', ahead);
    expect(judged(forged), forged.said).toEqual(['failure', 'failure']);
    expect(forged.said.replaceAll(/\s+/g, ' ')).toContain('no plan of the request is left');
  });
});
