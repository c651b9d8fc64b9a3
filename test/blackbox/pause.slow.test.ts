import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createPlace, PATIENCE } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';

/** Holds a run in the look before its second POST, long enough for a person to pause. */
const HELD = [
  {
    match: { endpoint: 'listDevices', query: 'status=offline', nth: 2 },
    fault: { type: 'latency', ms: 20_000 },
  },
];

describe('pause', PATIENCE, () => {
  it('N64 stops a run at work before its next attempt, and every later one until it is lifted', async () => {
    using place = createPlace();
    const twin = await startTwin(place, { devices: 15, faults: HELD });
    const admin = twin.as('admin');
    const run = place.start('apply --yes', admin);
    await run.says(/started: /);
    const types = () => place.ledger().map(({ type }) => type);

    const paused = await place.run('pause fleet --reason dark --ticket OPS-7', admin);
    expect([paused.code, paused.out]).toEqual([0, expect.stringMatching(/^Paused: fleet since /)]);
    expect(paused.out).toMatch(
      /with a running task, which finishes|No task in this scope is running/,
    );
    expect(types().filter((type) => type === 'ATTEMPT')).toHaveLength(1);

    const done = await run.done;
    expect(done.code, done.out + done.err).toBe(7);
    expect(types().filter((type) => type === 'ATTEMPT')).toHaveLength(1);
    expect(types()).toContain('SETTLED');
    expect(types().indexOf('PAUSE')).toBeLessThan(types().indexOf('RELEASE'));

    for (const command of ['plan', 'status', 'plan --format md']) {
      const shown = await place.run(command, admin);
      expect(shown.out).toMatch(
        /^(?:<!--.*-->\n> \[!WARNING\]\n> )?Paused: `?fleet`? since .*dark/s,
      );
    }
    expect((await place.run('apply --yes', admin)).err).not.toContain('started: ');

    const listed = await place.run('unpause', admin);
    expect([listed.code, listed.err]).toEqual([0, expect.stringContaining('fleet (paused by ')]);
    const refused = await place.run('unpause fleet --reason seen', admin);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--ticket')]);
    const lifted = await place.run('unpause fleet --reason seen --ticket OPS-7', admin);
    expect([lifted.code, lifted.err]).toEqual([
      0,
      expect.stringContaining('Unpaused under OPS-7: fleet (paused'),
    ]);
    expect((await place.run('apply --yes', admin)).err).toContain('started: ');

    const audit = await place.run('audit', admin);
    expect(audit.out).toMatch(/pause +\S.* UTC {2}fleet paused by \S+: dark \(OPS-7\)/);
    expect(audit.out).toMatch(/unpause .*pause of fleet ended, OPS-7, by/s);
    expect((await place.run('audit verify', admin)).code).toBe(0);
  });

  it('J6 outlives the directory of the ledger: nothing starts, and everything says why', async () => {
    using place = createPlace();
    const twin = await startTwin(place, { devices: 15 });
    const admin = twin.as('admin');
    expect((await place.run('pause fleet --reason dark', admin)).code).toBe(0);
    place.clear('.fleetform');
    const lost = /ledger is missing|lacks records/;

    for (const command of ['apply --yes', 'recover', 'unlock --reason why --by Ann']) {
      const refused = await place.run(command, admin);
      expect([command, refused.code, refused.err]).toEqual([
        command,
        9,
        expect.stringMatching(lost),
      ]);
    }
    for (const command of ['status', 'why dev-1', 'drift', 'report', 'plan --format md', 'plan']) {
      const shown = await place.run(command, admin);
      expect([command, shown.code]).toEqual([command, 9]);
      expect(shown.out + shown.err).toMatch(lost);
      expect(shown.out + shown.err).toMatch(/unlock\s+--accept-loss/);
    }
    const plan = JSON.parse((await place.run('plan --format json', admin)).out) as {
      readonly warnings: readonly { readonly code: string }[];
    };
    expect(plan.warnings.map(({ code }) => code)).toContain('ledgerLost');
    const saved = await place.run('plan -o plan.json', admin);
    expect([saved.code, existsSync(place.path('plan.json'))]).toEqual([9, false]);

    const again = await place.run('pause fleet --reason still', admin);
    expect([again.code, again.err]).toEqual([0, expect.stringMatching(lost)]);
    expect((await place.run('apply --yes', admin)).code).toBe(9);
    expect((await place.run('unlock --accept-loss --reason new --by Ann', admin)).code).toBe(0);
    const held = await place.run('apply --yes', admin);
    expect(held.err + held.out).not.toContain('started: ');
    expect(held.out).toContain('fleet is paused by');
    expect((await place.run('audit', admin)).out).toMatch(/loss of the records up to 3 accepted/);
  });

  it('is refused for what it cannot hold', async () => {
    using place = createPlace();
    for (const [command, said] of [
      ['pause firmware.no-such --reason dark', 'no-such'],
      ['pause fleet --reason=', '--reason'],
      ['pause fleet --reason dark --until 2020-01-01T00:00:00Z', '--until is past'],
    ] as const) {
      const done = await place.run(command, { FLEETFORM_BASE_URL: 'https://api.example.com' });
      expect([done.code, done.err]).toEqual([1, expect.stringContaining(said)]);
    }
    expect(place.ledger()).toEqual([]);
  });
});
