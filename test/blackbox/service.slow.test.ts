import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, createPlace, failureOf } from '../support/blackbox.ts';
import {
  expectNoAttempt,
  expectStopped,
  expectWords,
  type Stranger,
} from '../support/blackbox-strangers.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';

const hub = createPlace();
let twin: TwinProcess;

beforeAll(async () => {
  twin = await startTwin(hub, { devices: 150 });
}, PATIENCE.timeout);
afterAll(() => hub[Symbol.dispose]());

/** What else a new user gets wrong before the service says a word about the fleet. */
const STRANGERS: readonly [string, Stranger][] = [
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
    'a wrong organisation',
    {
      from: 'organization: acme',
      to: 'organization: acne',
      code: 'organizationUnknown',
      says: ['"acne"', 'service.organization'],
      sent: 1,
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

describe.concurrent('a user', PATIENCE, () => {
  it.each(STRANGERS)('is stopped for %s', async (_, stranger) => {
    using place = createPlace();
    await expectStopped(place, twin.as('admin'), stranger);
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

  const on = (path: string, type: string): object => ({ match: { path }, fault: { type } });

  it.each([
    ['HTML instead of JSON', [on('/v1/devices', 'html')], 'notJson', ['text/html', '/v1/devices']],
    ['HTML instead of a token', [on('/v1/auth/*', 'html')], 'notJson', ['/v1/auth/acme']],
    [
      'truncated JSON',
      [on('/v1/sites', 'truncated')],
      'cut',
      ['/v1/sites', 'does not use incomplete responses'],
    ],
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
    expectWords(text.err, ['"dev-999"', 'IDs that this user may not see']);
    const why = await place.run('why dev-999', twin.as('admin'));
    expect(why.code).toBe(1);
    expect(why.err).toContain('error[deviceUnknown]');
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
    expectWords(text.err, ['role Admin', 'reads the target firmware of each device instead']);
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
