import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, createPlace, failureOf, type Env, type Place } from '../support/blackbox.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';
import { selfSigned } from '../support/self-signed.ts';

const hub = createPlace();
let twin: TwinProcess;

beforeAll(async () => {
  twin = await startTwin(hub, { devices: 150 });
}, PATIENCE.timeout);
afterAll(() => hub[Symbol.dispose]());

/** What a new user gets wrong before the service says a word about the fleet. */
const STRANGERS: readonly [string, Stranger][] = [
  [
    'missing credentials',
    {
      env: { FLEETFORM_CLIENT_ID: '', FLEETFORM_CLIENT_SECRET: '' },
      code: 'credentialsMissing',
      says: ['FLEETFORM_CLIENT_ID', 'FLEETFORM_CLIENT_SECRET', 'never stand in YAML'],
      sent: 0,
    },
  ],
  [
    'a missing secret',
    {
      env: { FLEETFORM_CLIENT_SECRET: '' },
      code: 'credentialsMissing',
      says: ['not set: FLEETFORM_CLIENT_SECRET.'],
      sent: 0,
    },
  ],
  [
    'a file of credentials that is not there',
    {
      env: { FLEETFORM_CLIENT_SECRET: '', FLEETFORM_CLIENT_SECRET_FILE: 'no-such-file' },
      code: 'credentialsUnreadable',
      says: ['no-such-file'],
      sent: 0,
    },
  ],
  [
    'a wrong secret',
    {
      env: { FLEETFORM_CLIENT_SECRET: 'wrong' },
      code: 'credentialsRefused',
      says: ['“acme”', '401', 'FLEETFORM_CLIENT_SECRET'],
      sent: 1,
    },
  ],
  [
    'a wrong organisation',
    {
      from: 'organization: acme',
      to: 'organization: acne',
      code: 'organizationUnknown',
      says: ['“acne”', 'service.organization'],
      sent: 1,
    },
  ],
  [
    'plain http to another machine',
    {
      env: { FLEETFORM_BASE_URL: 'http://api.example.com' },
      code: 'baseUrlUnsafe',
      says: ['api.example.com', 'https'],
      sent: 0,
    },
  ],
  ...[
    'file:///x',
    'data:,x',
    'https:///x',
    'javascript:alert(1)',
    'blob:https://api.example.com/1',
  ].map((address): [string, Stranger] => [
    `no service but ${address}`,
    {
      env: { FLEETFORM_BASE_URL: address },
      code: 'baseUrlUnsafe',
      says: [address, 'https'],
      sent: 0,
    },
  ]),
];

interface Stranger {
  readonly env?: Env;
  readonly from?: string;
  readonly to?: string;
  readonly code: string;
  readonly says: readonly string[];
  /** Requests that leave: to learn that a credential is refused takes one. */
  readonly sent: number;
}

describe.concurrent('a user', PATIENCE, () => {
  it.each(STRANGERS)('is stopped for %s', async (_, { env = {}, from, to, code, says, sent }) => {
    using place = createPlace();
    if (from !== undefined && to !== undefined) place.edit('fleet/service.yaml', from, to);
    const all = { ...twin.as('admin'), ...env };
    const { code: exit, out, err } = await place.run('plan --trace t', all);
    expect([exit, out]).toEqual([1, '']);
    expect(err).toContain(`error[${code}]`);
    expectWords(err, says);
    expect(place.trace('t').length).toBe(sent);
    expect(place.ledger()).toEqual([]);
  });

  it('is stopped by apply in the same way, and nothing is attempted', async () => {
    using place = createPlace();
    const wrong = { ...twin.as('admin'), FLEETFORM_CLIENT_SECRET: 'wrong' };
    const { text, json, error } = await failureOf(place, 'apply --yes', wrong);
    expect([text.code, json.code, error.code]).toEqual([1, 1, 'credentialsRefused']);
    expect([text.out, json.err]).toEqual(['', '']);
    expectNoAttempt(place);
  });

  it('is told which host cannot be reached', async () => {
    using place = createPlace();
    const env = { ...twin.as('admin'), FLEETFORM_BASE_URL: 'http://127.0.0.1:9' };
    // It is tried again for a while, so the two formats are waited for together.
    const [text, json] = await Promise.all([
      place.run('plan', env),
      place.run('plan --format json', env),
    ]);
    expect([text.code, json.code]).toEqual([1, 1]);
    expect(text.err).toContain('error[unreachable]');
    expect(JSON.parse(json.out)).toMatchObject({ error: { code: 'unreachable' } });
    expectWords(text.err, ['127.0.0.1:9', 'service.baseUrl']);
  });

  it('is not sent to a service whose certificate nobody vouches for', async () => {
    using place = createPlace();
    let asked = 0;
    const server = createServer({ ...selfSigned }, (_, response) => {
      asked += 1;
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const env = { ...twin.as('admin'), FLEETFORM_BASE_URL: `https://localhost:${port}` };
    const { text, json, error } = await failureOf(place, 'plan', env);
    server.close();
    expect([text.code, json.code, error.code]).toEqual([1, 1, 'tlsFailed']);
    expectWords(text.err, ['NODE_EXTRA_CA_CERTS', 'never goes on without']);
    expect(asked).toBe(0);
  });

  const on = (path: string, type: string): object => ({ match: { path }, fault: { type } });

  it.each([
    ['HTML instead of JSON', [on('/v1/devices', 'html')], 'notJson', ['text/html', '/v1/devices']],
    ['HTML instead of a token', [on('/v1/auth/*', 'html')], 'notJson', ['/v1/auth/acme']],
    ['truncated JSON', [on('/v1/sites', 'truncated')], 'cut', ['/v1/sites', 'Half an answer']],
  ])('is told of %s', async (_, faults, code, says) => {
    using place = createPlace();
    const faulty = await startTwin(place, { devices: 20, faults });
    const { text, json, error } = await failureOf(place, 'apply --yes', faulty.as('admin'));
    expect([text.code, json.code, error.code]).toEqual([1, 1, code]);
    expectWords(text.err, says);
    expectNoAttempt(place);
  });

  it('is told which device is not there', async () => {
    using place = createPlace();
    const { text, error } = await failureOf(place, 'get device dev-999', twin.as('admin'));
    expect([text.code, error.code]).toEqual([1, 'notFound']);
    expectWords(text.err, ['“dev-999”', 'what this user may not see']);
    const why = await place.run('why dev-999', twin.as('admin'));
    expect(why.code).toBe(1);
    expect(why.err).toContain('error[deviceUnknown]');
  });

  it('is told by a refused POST which role is needed, and that nothing was started', async () => {
    using place = createPlace();
    const args = 'apply --yes --trace t';
    const text = await place.run(args, twin.as('viewer'));
    expect(text.code).toBe(1);
    expect(text.err).toContain('error[forbidden]');
    expectWords(text.err, ['Admin or Operator', 'the provider enables', 'POST /v1/tasks', '403']);
    expect(text.out).toContain('Exit 1');
    const posts = place.trace('t').filter(({ path }) => path === '/v1/tasks');
    expect(posts.map(({ method, status }) => [method, status])).toEqual([['POST', 403]]);
    expect(place.ledger().filter(({ type }) => type === 'RESULT')).toEqual([
      expect.objectContaining({ outcome: 'rejected', status: 403 }),
    ]);
  });

  it('is told the same in JSON mode, as one value', async () => {
    using place = createPlace();
    const { code, out } = await place.run('apply --yes --format json', twin.as('viewer'));
    const report = JSON.parse(out) as { error: object; exit: object };
    expect(code).toBe(1);
    expect(report).toMatchObject({ error: { code: 'forbidden' }, exit: { code: 1 } });
  });

  it('may not list firmware paths, and plans with the target firmware of each device', async () => {
    using place = createPlace();
    const operator = twin.as('operator');
    const { text, error } = await failureOf(place, 'get firmware-paths', operator);
    expect([text.code, error.code]).toEqual([1, 'forbidden']);
    expectWords(text.err, ['role Admin', 'falls back to the target firmware']);
    const [byOperator, byAdmin] = await Promise.all([
      place.run('plan --format json --trace t', operator),
      place.run('plan --format json', twin.as('admin')),
    ]);
    const idOf = (text: string): string => (JSON.parse(text) as { id: string }).id;
    expect(byOperator.code).toBe(0);
    expect(idOf(byOperator.out)).toBe(idOf(byAdmin.out));
    const seen = place.trace('t').map(({ path, status }) => `${status} ${path}`);
    expect(seen).toContain('403 /v1/firmwarePaths');
    expect(seen.some((each) => /^200 .*\/targetFirmware$/.test(each))).toBe(true);
  });
});

function expectWords(text: string, words: readonly string[]): void {
  const flat = text.replace(/\s+/g, ' ');
  for (const word of words) expect(flat).toContain(word);
  expect(text).toContain('next: ');
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
}

function expectNoAttempt(place: Place): void {
  expect(place.ledger().filter(({ type }) => type === 'ATTEMPT')).toEqual([]);
}
