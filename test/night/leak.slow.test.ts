import { describe, expect, it } from 'vitest';
import { changedSince, leakAt } from '../support/night-leak.ts';
import { EVENING } from '../support/night.ts';

const MINUTE = 60_000;

/** A limit of real time; the nights themselves take none. */
const PATIENCE = { timeout: 600_000 };

describe('a leak at one request a second', PATIENCE, () => {
  it('N61 nothing starts after its end, and what is in flight is finished', async () => {
    const night = leakAt({ devices: 120, sites: 1, expect: 120, incident: 'maxInFlight: 2' });
    night.skip(10 * 60 * MINUTE - 5 * MINUTE);
    const apply = await night.run('apply --yes');
    const end = EVENING + 10 * 60 * MINUTE;
    const { tasks } = night.twin.world.state;
    expect(tasks.length).toBeGreaterThan(1);
    for (const { createdAt } of tasks) expect(createdAt).toBeLessThan(end);
    const changed = changedSince(night, EVENING).length;
    expect(changed).toBe(tasks.flatMap(({ deviceTasks }) => deviceTasks).length);
    expect(apply.out).toContain(` ${changed} devices verified`);
    expect((await night.run('apply --yes')).out).not.toMatch(/tasks? sent/);
  });

  it('N61 an incident that is deleted early causes nothing more', async () => {
    const night = leakAt({ devices: 30, sites: 1, expect: 30, every: dark(10) });
    await night.run('apply --yes');
    expect(changedSince(night, EVENING)).toHaveLength(20);
    for (const device of night.twin.world.state.devices) device.condition = 'well';
    night.write('fleet/incident.yaml', 'incidents: {}\n');
    night.skip(60 * MINUTE);
    const plan = await night.run('plan');
    expect(plan.out).toContain('No changes: all 30 devices match.');
    expect((await night.run('apply --yes')).exit).toBe(0);
    expect(changedSince(night, EVENING)).toHaveLength(20);
  });

  it('N66 a pause of the fleet holds an incident, until it is lifted', async () => {
    const night = leakAt({ devices: 20, sites: 1, expect: 20 });
    const paused = ['pause', 'fleet', '--reason', 'wrong site', '--ticket', 'OPS-7'];
    expect((await night.run(paused)).exit).toBe(0);
    const held = await night.run('apply --yes');
    expect(held.exit).toBe(7);
    expect(changedSince(night, EVENING)).toEqual([]);
    expect((await night.run('plan')).out.split('\n')[0]).toContain('Paused: fleet since');
    const lift = ['unpause', 'fleet', '--reason', 'right site'];
    expect((await night.run(lift)).exit).toBe(1);
    expect((await night.run([...lift, '--ticket', 'OPS-7'])).exit).toBe(0);
    await night.run('apply --yes');
    expect(changedSince(night, EVENING)).toHaveLength(20);
  });

  it.each([
    [
      'a hold',
      'exceptions: {evidence: {type: hold, select: {device: "*"}, until: "2026-11-25T00:00:00Z", reason: evidence, owner: legal, ticket: L-1}}',
    ],
    [
      'a hard freeze',
      'freezes: {trial: {from: "2026-11-20T00:00:00Z", to: "2026-11-25T00:00:00Z", hard: true, reason: trial, owner: legal, ticket: L-2}}',
    ],
  ])('N57 N58 %s beats an incident', async (_, document) => {
    const night = leakAt({ devices: 12, sites: 1, expect: 12 });
    night.write('fleet/beside.yaml', `${document}\n`);
    const apply = await night.run('apply --yes');
    expect(apply.exit, apply.err).toBe(4);
    expect(changedSince(night, EVENING)).toEqual([]);
  });

  it('N66 the pause of the incident by a person beats it', async () => {
    const night = leakAt({ devices: 12, sites: 1, expect: 12 });
    await night.run(['pause', 'incidents.leak', '--reason', 'black picture']);
    await night.run('apply --yes');
    expect(changedSince(night, EVENING)).toEqual([]);
    // Other documents end the stop of a rule, and never the pause of a person.
    const text = night.read('fleet/incident.yaml');
    night.write('fleet/incident.yaml', text.replace('expect: 12', 'expect: 13\n    trial: 3'));
    expect((await night.run('apply --yes')).exit).toBe(7);
    expect(changedSince(night, EVENING)).toEqual([]);
  });

  it('N44 a password on a device whose redundant peer is dead waits', async () => {
    const night = leakAt({ devices: 12, sites: 1, expect: 12, every: dark(1) });
    night.write(
      'fleet/beside.yaml',
      'groups: {door: {devices: [dev-1, dev-2], redundancy: true}}\n',
    );
    await night.run('apply --yes');
    const changed = changedSince(night, EVENING);
    expect(changed.length).toBeGreaterThan(0);
    expect(changed).not.toContain('dev-2');
  });
});

/** The first so many devices of the site do not answer. */
function dark(count: number): (_: object, n: number) => { condition: 'dark' | 'well' } {
  return (_, n) => ({ condition: n < count ? 'dark' : 'well' });
}
