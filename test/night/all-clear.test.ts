import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createNight, type Night } from '../support/night.ts';
import { CAMERA } from '../support/night-leak.ts';

const DAY = 24 * 3_600_000;
const SERVICE = 'service: {baseUrl: "https://twin.test", organization: acme}\n';
const FIRMWARE =
  'firmware: {all: {select: {deviceType: camera}, version: "11.11.160", rollout: once, windows: anytime}}\n';
const ROLLOUTS = 'rollouts: {once: {canary: none, waves: [{name: all, percent: 100%}]}}\n';
const BUDGETS = 'budgets: {default-site: {per: site, maxUnavailable: 100%}}\n';

/** Sixty cameras that are as the documents say, but for the first so many. */
function fleetOf(odd = 0, other: object = {}): Night & { vanish(): void } {
  let isGone = false;
  const night = createNight({
    devices: 60,
    sites: 1,
    every: (_, index) => ({ ...CAMERA, ...(index < odd && other) }),
    through: (request, handle) =>
      isGone && new URL(request.url).pathname === '/v1/devices'
        ? Promise.resolve(Response.json({ devices: [], total: 0 }))
        : handle(request),
  });
  night.write('fleet/fleet.yaml', SERVICE + ROLLOUTS + BUDGETS + FIRMWARE);
  return Object.assign(night, { vanish: () => void (isGone = true) });
}

function acknowledge(night: Night, select: string, until: string): void {
  night.write(
    'fleet/known.yaml',
    `exceptions: {known: {type: acknowledge, reasons: [notComparable], select: ${select}, until: "${until}", reason: replaced in spring, owner: ops, ticket: OPS-1}}\n`,
  );
}

/** A version that no order knows: only a person can say whether the target is newer. */
const UNORDERED = { firmwareVersion: 'MX-V4.7.3.11-r4' };

describe('an all-clear', { timeout: 600_000 }, () => {
  it('M31 M32 is given for a fleet that matches, and not for one that vanished', async () => {
    const night = fleetOf();
    const apply = await night.run('apply --yes');
    expect([apply.exit, apply.out.split('\n')[0]]).toEqual([
      0,
      'No changes: all 60 devices match.',
    ]);
    night.vanish();
    for (const command of ['plan', 'apply --yes', 'drift', 'ci drift --out drift.json']) {
      const { exit, out, err } = await night.run(command);
      const said = (out + err).replaceAll(/\s+/gu, ' ');
      expect(exit, `${command}: ${said}`).toBe(3);
      expect(said, command).toMatch(/60 of 60 known devices are missing from their sites/u);
      expect(said, command).not.toMatch(/No changes|No drift|Guardrails passed/u);
    }
  });

  it('K27 is not given where a policy is refused, by the first run or the next', async () => {
    const night = fleetOf();
    const service = SERVICE.replace('}', ', ledger: {store: directory, path: ledger}}');
    const old =
      'rotations: {all: {select: {deviceType: camera}, task: rotatePassword, maxAge: 30d, spread: 0s, rollout: once, windows: anytime}}\n';
    const uncertain = ROLLOUTS.replace('canary: none, ', '');
    night.write('fleet/fleet.yaml', service + uncertain + BUDGETS + old);
    for (const nth of ['first', 'next']) {
      const { exit, out } = await night.run('apply --yes');
      expect([nth, exit, out.match(/(\d+) +policy refused/)?.[1]], out).toEqual([nth, 4, '57']);
    }
    expect(typesIn(join(night.folder, 'ledger'))).not.toContain('ATTEMPT');
  });

  it('K27 is not given either by a run that waits for the wave of another policy and plans again', async () => {
    const night = fleetOf(3, { firmwareVersion: '11.11.124' });
    const service = SERVICE.replace('}', ', ledger: {store: directory, path: ledger}}');
    const careful =
      'rollouts: {careful: {waves: [{name: canary, size: 1, stratify: [], soak: 10m}, {name: rest, percent: 100%, soak: 0m}], gate: {checks: []}}, untested: {waves: [{name: all, percent: 100%}]}}\n';
    const old =
      'rotations: {all: {select: {deviceType: camera}, task: rotatePassword, maxAge: 30d, spread: 0s, rollout: untested, windows: anytime}}\n';
    const firmware = FIRMWARE.replace('once', 'careful');
    night.write('fleet/fleet.yaml', service + careful + BUDGETS + firmware + old);
    const { exit, out } = await night.run('apply --yes --wait 3h');
    expect(out).toMatch(/rotations\.all +- +- +57 /);
    expect([exit, out.match(/(\d+) +policy refused/)?.[1]], out).toEqual([4, '57']);
  });

  it('Z7 is given without a record, and what is found then starts under the lease, by the same reading', async () => {
    const night = fleetOf();
    const service = SERVICE.replace('}', ', ledger: {store: directory, path: ledger}}');
    night.write('fleet/fleet.yaml', service + ROLLOUTS + BUDGETS + FIRMWARE);
    let seen = 0;
    const apply = async () => {
      const { exit, out, err, requests } = await night.run('apply --yes');
      expect(exit, err).toBe(0);
      const types = typesIn(join(night.folder, 'ledger'));
      const added = types.slice(seen);
      seen = types.length;
      return { added, out, readings: requests.filter((one) => one === 'GET /v1/sites').length };
    };
    await apply();
    const lease = ['LOCK', 'RELEASE'];
    expect((await apply()).added).toEqual(lease);
    const idle = await apply();
    expect([idle.out.split('\n')[0], idle.added]).toEqual([
      'No changes: all 60 devices match.',
      [],
    ]);
    const [first] = night.twin.world.state.devices;
    Object.assign(first ?? {}, { firmwareVersion: '11.8.61' });
    const found = await apply();
    expect(found.out).toMatch(/^1 task sent: 1 device verified/);
    expect(found.added.filter((type) => type === 'ATTEMPT' || lease.includes(type))).toEqual([
      'LOCK',
      'ATTEMPT',
      'RELEASE',
    ]);
    // Once: the lease does not read again, and the end of a run in which all went well does not (protocol X14).
    expect([idle.readings, found.readings]).toEqual([1, 1]);
    expect((await apply()).added).toEqual([]);
    night.write('fleet/more.yaml', 'groups: {lobby: {select: {name: lobby-*}}}\n');
    expect((await apply()).added).toEqual(lease);
    night.skip(DAY);
    expect((await apply()).added).toEqual(expect.arrayContaining(lease));
    Object.assign(first ?? {}, { firmwareVersion: 'MX-V4.7.3.11-r4' });
    const person = await night.run('apply --yes');
    expect([person.exit, typesIn(join(night.folder, 'ledger')).slice(seen)]).toEqual([
      4,
      ['FACTS'],
    ]);
  });

  it('M33 M34 waits for a person until that is done or acknowledged, and a job tells it once', async () => {
    const night = fleetOf(5, UNORDERED);
    const first = await night.run('ci apply');
    expect(first.exit, first.out + first.err).toBe(4);
    expect((await night.run('ci apply')).exit).toBe(0);
    for (const nth of [1, 2]) expect((await night.run('apply --yes')).exit, String(nth)).toBe(4);
    acknowledge(night, '{deviceType: camera}', '2026-12-10T00:00:00Z');
    const known = await night.run('apply --yes');
    expect(known.exit, known.out + known.err).toBe(0);
    expect(known.out).toMatch(/^No changes: 55 devices match.*; 5 acknowledged/u);
    acknowledge(night, '{device: [dev-1, dev-2, dev-3, dev-4]}', '2026-12-10T00:00:00Z');
    expect((await night.run('apply --yes')).exit).toBe(4);
    acknowledge(night, '{deviceType: camera}', '2026-12-10T00:00:00Z');
    night.skip(20 * DAY);
    expect((await night.run('apply --yes')).exit).toBe(4);
  });

  it('M30 counts a device that is away for a week as one that needs a person', async () => {
    const night = fleetOf(1, { firmwareVersion: '11.8.61', condition: 'dark' });
    const away = await night.run('apply --yes');
    expect(away.exit, away.out + away.err).toBe(7);
    night.skip(8 * DAY);
    const late = await night.run('apply --yes');
    expect(late.exit, late.out + late.err).toBe(4);
  });

  it('R14 is not given where a password changed after its failed rotation: plan, status and why name a person', async () => {
    const night = createNight({
      devices: 3,
      sites: 1,
      every: () => CAMERA,
      faults: [
        {
          match: { deviceId: 'dev-2', taskType: 'rotatePassword' },
          fault: { type: 'failingDevice', result: 'failed', effect: true },
        },
      ],
    });
    const raised =
      'rotations: {all: {select: {deviceType: camera}, task: rotatePassword, maxAge: 3650d, generation: 2, rollout: once, windows: anytime}}\n';
    night.write('fleet/fleet.yaml', SERVICE + ROLLOUTS + BUDGETS + raised);
    const first = await night.run('apply --yes');
    expect(first.out).toMatch(/^2 tasks sent: 2 devices verified, 1 failed/);
    night.skip(DAY + 3_600_000);
    const again = await night.run('apply --yes');
    expect([again.exit, again.requests.includes('POST /v1/tasks')], again.out).toEqual([4, false]);
    for (const command of ['plan', 'status', 'why dev-2']) {
      const { out } = await night.run(command);
      expect(out.replaceAll(/\s+/gu, ' '), command).toMatch(/no retry is left|quarantined since/u);
      expect(out, command).toContain('another target or a raised');
    }
    night.write('fleet/fleet.yaml', SERVICE + ROLLOUTS + BUDGETS + raised.replace(': 2', ': 3'));
    const last = await night.run('apply --yes');
    expect(last.requests.includes('POST /v1/tasks'), last.out).toBe(true);
  });

  it('M31 names what may start now before any later instant: new devices, and those that a file does not have', async () => {
    const night = fleetOf(3, { firmwareVersion: '11.8.61' });
    const { devices, discovered } = night.twin.world.state;
    const [first, ...others] = discovered;
    discovered.splice(1, others.length);
    if (!first) throw new Error('nothing is discovered');
    Object.assign(first, { onboardingStatus: 'readyToOnboard' });
    Object.assign(first.device, { ...CAMERA, firmwareVersion: '11.8.61' });
    await night.run('plan -o plan.json');
    Object.assign(devices[0] ?? {}, { firmwareVersion: '11.9.0' });
    const stale = await night.run('apply plan.json --yes');
    expect([stale.exit, nextOf(stale)]).toEqual([
      8,
      'next: `fleetform plan`: 1 change can start that is not in this file',
    ]);
    Object.assign(devices[8] ?? {}, { firmwareVersion: '11.8.61' });
    night.write(
      'fleet/new.yaml',
      'onboarding: {new: {select: {deviceType: camera}, windows: anytime}}\nwindows: {nights: {timeZone: UTC, allow: [{from: "01:00", to: "05:00"}]}}\nfirmware: {late: {select: {device: dev-9}, version: "11.11.160", rollout: once, priority: 900, windows: nights}}\n',
    );
    const onboarded = await night.run('apply --yes');
    expect(nextOf(onboarded), onboarded.out).toBe('next: fleetform apply');
    expect(nextOf(await night.run('status'))).toBe('next: fleetform apply');
    const last = await night.run('apply --yes');
    expect(nextOf(last), last.out).toMatch(/^next: nothing to do until /);
  });
});

/** The types of all records of a ledger in a directory. */
function typesIn(ledger: string): readonly string[] {
  const files = readdirSync(ledger, { recursive: true, withFileTypes: true });
  const records = files.filter((file) => file.isFile() && /^\d+/.test(file.name));
  const paths = records.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return paths.flatMap((path) => {
    const types = readFileSync(path, 'utf8').matchAll(/"type":"([A-Z]+)"/g);
    return [...types].map(([, type = '']) => type);
  });
}

function nextOf({ out }: { readonly out: string }): string {
  return out.slice(out.lastIndexOf('next:')).replaceAll(/\s+/g, ' ').trim();
}
