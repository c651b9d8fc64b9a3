import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, createPlace } from '../support/blackbox.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';
import { schemaErrors } from '../support/plan-laws.ts';

const place = createPlace({ isBuilt: true });
let twin: TwinProcess;

beforeAll(async () => {
  twin = await startTwin(place, { world: 'world.json' });
}, PATIENCE.timeout);
afterAll(() => place[Symbol.dispose]());

interface Counts {
  readonly id: string;
  readonly counts: Readonly<Record<'run' | 'wait' | 'skip' | 'note', number>>;
  readonly changes: readonly { readonly id: string; readonly action: string }[];
}

const planIn = (text: string): Counts => JSON.parse(text) as Counts;

/** One test after the other: each is a step of the same road. */
describe('from documents to verified devices', PATIENCE, () => {
  it('the twin says in one line of JSON where it is and who may log in', () => {
    const { url, organization, users } = twin.ready;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(organization).toBe('acme');
    expect(users.map(({ role }) => role)).toEqual(['admin', 'operator', 'viewer']);
    expect(users.map(({ sites }) => sites.length)).toEqual([12, 12, 1]);
    for (const user of users)
      expect(Object.keys(user).sort()).toEqual(['clientId', 'clientSecret', 'role', 'sites']);
  });

  it('the example documents validate clean', async () => {
    const { code, out, err } = await place.run('validate');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^Valid: \d+ policies .*\n$/);
  });

  it('a plan sends reads alone, and its JSON fits the schema', async () => {
    const args = 'plan -o plan.json --format json --detailed-exitcode --trace plan.trace';
    const { code, out } = await place.run(args, twin.as('admin'));
    expect(code).toBe(2);
    expect(digest(out)).toBe(digest(place.read('plan.json')));
    expect(schemaErrors(out)).toEqual([]);
    const writes = place.trace('plan.trace').filter(({ method }) => method !== 'GET');
    expect(writes.map(({ path }) => path)).toEqual(['/v1/auth/acme']);
    expect(place.ledger()).toEqual([]);
  });

  it('a trace holds no secret', () => {
    const { FLEETFORM_CLIENT_SECRET: secret = '', FLEETFORM_CLIENT_ID: id = '' } = twin.as('admin');
    const text = place.read('plan.trace');
    const basic = Buffer.from(`${id}:${secret}`).toString('base64');
    for (const each of [secret, basic, 'Bearer ey']) expect(text).not.toContain(each);
  });

  it('the saved plan is shown as a page of 80 columns, and as its own bytes', async () => {
    const [text, json] = [
      await place.run('show plan.json'),
      await place.run('show plan.json --format json'),
    ];
    const { id, counts } = planIn(json.out);
    expect(digest(json.out)).toBe(digest(place.read('plan.json')));
    expect([text.code, json.code, json.err]).toEqual([0, 0, '']);
    expect(text.err).toMatch(/^Verified: .*Not\s+verified: /s);
    expect(text.out).toContain(id);
    expect(text.out).toContain(`${counts.run} now`);
    // An ID with its digest is one word, and too long for any line.
    const lines = text.out.split('\n').filter((line) => !/^ *\S+$/.test(line));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('why tells the same about one device', async () => {
    const [change] = planIn(place.read('plan.json')).changes.filter(
      ({ action }) => action === 'run',
    );
    const device = change?.id.split('/')[1] ?? '';
    const { code, out } = await place.run(`why ${device}`, twin.as('admin'));
    expect(code).toBe(0);
    expect(out).toContain(`(${device})`);
    expect(out).toContain('Upgrade firmware: now');
  });

  it('apply does what was approved, and verifies each device', async () => {
    const { id, counts } = planIn(place.read('plan.json'));
    const args = `apply plan.json --yes --approved ${id} --format json`;
    const { code, out, err } = await place.run(args, twin.as('admin'));
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      planId: id,
      counts: { verified: counts.run, failed: 0, inDoubt: 0, unverified: 0 },
    });
    expect(err).toMatch(/^started: firmware/m);
    expect(err).not.toMatch(/^(?:verified|sending|accepted|task|planned)[: ]/m);
  });

  it('the next plan is empty', async () => {
    const { code, out } = await place.run('plan --detailed-exitcode', twin.as('admin'));
    expect(code).toBe(0);
    expect(out).toMatch(/none can start now|nothing to do/i);
  });

  it('X4 the approved plan, applied once more, does nothing', async () => {
    const { code, out } = await place.run('apply plan.json --yes', twin.as('admin'));
    expect(code).toBe(0);
    expect(out).not.toMatch(/tasks? sent/);
  });

  it('a world is saved on exit, and goes on from there', async () => {
    expect((await twin.stop()).code).toBe(0);
    twin = await startTwin(place, { world: 'world.json' });
    const { out } = await place.run('plan --format json', twin.as('admin'));
    expect(planIn(out).counts).toMatchObject({ run: 0, wait: 0 });
  });
});

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
