import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../src/model/ports.ts';
import { postWebhook } from '../../../src/notify/webhook.ts';
import { createVirtualClock } from '../../../src/rehearse/virtual-clock.ts';
import { hostileNames } from '../../support/hostile.ts';
import { createNight, type Night, type NightSettings } from '../../support/night.ts';

const SECRET = 'a key of the receiver';
const URL_OF_HOOK = 'https://hooks.example.com/fleetform';
const FLEET = `service:
  baseUrl: "https://twin.test"
  organization: acme
  notifications: {webhook: {url: "${URL_OF_HOOK}", secret: {fromEnv: HOOK_SECRET}}}
incidents:
  leak: {rotate: password, select: {deviceType: camera}, since: "2026-11-23T20:00:00Z", until: "2026-11-25T06:00:00Z",
         expect: 6, reason: leak, owner: secops, ticket: SEC-1}
`;

interface Got {
  readonly headers: Headers;
  readonly text: string;
}

type Answer = () => Response | Promise<Response>;

/** A night whose webhook answers as given, once each, the last answer again. */
function nightWith(
  answers: readonly Answer[],
  settings: Partial<NightSettings> = {},
): Night & { readonly got: readonly Got[] } {
  const got: Got[] = [];
  const night = createNight({
    devices: 6,
    sites: 1,
    every: () => ({ condition: 'well', deviceType: 'camera', tasks: ['rotatePassword'] }),
    env: { HOOK_SECRET: SECRET },
    ...settings,
    through: async (request, handle) => {
      if (new URL(request.url).host !== 'hooks.example.com') return handle(request);
      got.push({ headers: request.headers, text: await request.text() });
      const answer = answers[Math.min(got.length, answers.length) - 1];
      return answer ? answer() : new Response(null, { status: 204 });
    },
  });
  night.write('fleet/fleet.yaml', FLEET);
  return { ...night, got };
}

const answered =
  (status: number, headers = {}) =>
  () =>
    new Response(null, { status, headers });
const flat = (text: string) => text.replaceAll(/\s+/g, ' ');

describe('a run that changed something', () => {
  test('is posted once, signed, in the form of its schema', async () => {
    const night = nightWith([answered(204)]);
    const { exit, err } = await night.run('apply --yes');
    const [{ headers, text } = { headers: new Headers(), text: '' }, ...more] = night.got;
    expect(more).toEqual([]);
    expect(err).not.toContain('Cannot notify');
    const hmac = createHmac('sha256', SECRET).update(text).digest('hex');
    expect(headers.get('x-fleetform-signature-256')).toBe(`sha256=${hmac}`);
    expect(headers.get('authorization')).toBeNull();
    const body = JSON.parse(text) as { readonly exit: { readonly code: number } };
    expect(objections(body)).toBeUndefined();
    expect(body).toMatchObject({ organization: 'acme', command: 'apply', exit: { code: exit } });
    expect(headers.get('x-fleetform-delivery')).toBe((body as unknown as { id: string }).id);
    expect(`${text}${JSON.stringify([...headers])}`).not.toContain(SECRET);
  });

  test('a run that finds nothing new tells nobody', async () => {
    const night = nightWith([answered(204)]);
    let exit = 7;
    for (let runs = 0; runs < 9 && exit === 7; runs++) {
      ({ exit } = await night.run('apply --yes --wait 12h'));
      night.skip(3_600_000);
    }
    expect(exit).toBe(0);
    const told = night.got.length;
    expect((await night.run('apply --yes')).exit).toBe(0);
    expect(night.got).toHaveLength(told);
  });
});

describe('a run that failed', () => {
  test('is told with the devices, whatever their names are, in a bounded size', async () => {
    const names = [...hostileNames(59), 'x'.repeat(9_000)];
    const night = nightWith([answered(204)], {
      devices: 60,
      every: (_, index) => ({
        condition: 'well',
        deviceType: 'camera',
        tasks: ['rotatePassword'],
        name: names[index % names.length] ?? '',
      }),
      faults: [{ match: { endpoint: 'createTask' }, fault: { type: '500' } }],
    });
    night.write('fleet/fleet.yaml', FLEET.replace('expect: 6', 'expect: 60'));
    await night.run('apply --yes');
    for (const { text } of night.got) {
      expect(objections(JSON.parse(text))).toBeUndefined();
      expect(text.length).toBeLessThan(200_000);
      expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    }
    expect(night.got).not.toEqual([]);
  });

  test('before it had a plan is told by the code of its error', async () => {
    const night = nightWith([answered(204)], {
      faults: [{ match: { endpoint: 'listDevices' }, fault: { type: 'html' } }],
    });
    const { exit } = await night.run('apply --yes');
    const [{ text } = { text: '{}' }] = night.got;
    expect(objections(JSON.parse(text))).toBeUndefined();
    expect(JSON.parse(text)).toMatchObject({ exit: { code: exit }, error: 'notJson', attempts: 0 });
  });
});

describe('a notifier that fails is printed, and changes nothing', () => {
  const ROWS: readonly (readonly [string, readonly Answer[], string, number])[] = [
    ['answers 500', [answered(500)], 'status 500', 2],
    ['answers 404', [answered(404)], 'status 404', 1],
    ['redirects', [answered(302, { location: 'https://evil.example/' })], 'a redirect', 1],
    ['throws', [() => Promise.reject(new Error('boom'))], 'cannot be reached', 2],
  ];

  const told = () => nightWith([answered(204)]).run('apply --yes');
  let taken: ReturnType<typeof told> | undefined;

  test.each(ROWS)('%s', async (_, answers, said, tries) => {
    const plain = await (taken ??= told());
    const night = nightWith(answers);
    const { exit, out, err } = await night.run('apply --yes');
    expect(exit).toBe(plain.exit);
    expect(out).toBe(plain.out);
    expect(flat(err)).toContain('Cannot notify hooks.example.com: ');
    expect(flat(err)).toContain(said);
    expect(night.got).toHaveLength(tries);
  });

  test('is busy at first, and gets the same message again', async () => {
    const night = nightWith([answered(503), answered(204)]);
    expect((await night.run('apply --yes')).err).not.toContain('Cannot notify');
    const [first, second] = night.got;
    expect(second?.text).toBe(first?.text);
  });

  test('has no secret', async () => {
    const night = nightWith([answered(204)], { env: {} });
    const { err } = await night.run('apply --yes');
    expect(flat(err)).toContain('the variable HOOK_SECRET is not set');
    expect(night.got).toEqual([]);
  });
});

const message = { url: URL_OF_HOOK, secret: SECRET, body: '{}', event: 'run', id: '1' };

test('a receiver that never answers is left after 10 s', async () => {
  const clock = createVirtualClock(0);
  const transport: Transport = () => new Promise(() => undefined);
  const { signal } = new AbortController();
  const post = postWebhook(message, { transport, clock, signal });
  expect(await clock.run(post)).toEqual({ why: 'late' });
  expect(clock.monotonic()).toBe(10_000);
});

test('a signal ends a delivery', async () => {
  const clock = createVirtualClock(0);
  const stop = new AbortController();
  const transport: Transport = () => {
    stop.abort();
    return new Promise(() => undefined);
  };
  const { signal } = stop;
  expect(await clock.run(postWebhook(message, { transport, clock, signal }))).toEqual({
    why: 'stopped',
  });
});

const SCHEMAS = new URL('../../../schemas/', import.meta.url);
const read = (path: string) => JSON.parse(readFileSync(new URL(path, SCHEMAS), 'utf8')) as object;
const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
ajv.addSchema(read('plan.schema.json'));
for (const name of readdirSync(new URL('output/', SCHEMAS)))
  if (/^(common|notification)/.test(name)) ajv.addSchema(read(`output/${name}`));

function objections(body: unknown): unknown {
  const check = ajv.getSchema('https://schemas.fleetform.example/output/notification.schema.json');
  return check?.(body) === true ? undefined : (check?.errors ?? 'no schema');
}
