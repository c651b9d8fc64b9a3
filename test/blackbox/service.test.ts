import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, createPlace, failureOf } from '../support/blackbox.ts';
import { expectStopped, expectWords, type Stranger } from '../support/blackbox-strangers.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';
import { selfSigned } from '../support/self-signed.ts';

const hub = createPlace();
let twin: TwinProcess;

beforeAll(async () => {
  twin = await startTwin(hub, { devices: 150 });
}, PATIENCE.timeout);
afterAll(() => hub[Symbol.dispose]());

/** What a new user gets wrong before the service says a word about the fleet; more in `service.slow.test.ts`. */
const STRANGERS: readonly [string, Stranger][] = [
  [
    'missing credentials',
    {
      env: { FLEETFORM_CLIENT_ID: '', FLEETFORM_CLIENT_SECRET: '' },
      code: 'credentialsMissing',
      says: ['FLEETFORM_CLIENT_ID', 'FLEETFORM_CLIENT_SECRET', 'Do not put them in YAML'],
      sent: 0,
    },
  ],
  [
    'a wrong secret',
    {
      env: { FLEETFORM_CLIENT_SECRET: 'wrong' },
      code: 'credentialsRefused',
      says: ['"acme"', '401', 'FLEETFORM_CLIENT_SECRET'],
      sent: 1,
    },
  ],
  [
    'a credential command that fails',
    {
      env: {
        FLEETFORM_CLIENT_ID: '',
        FLEETFORM_CLIENT_SECRET: '',
        FLEETFORM_CREDENTIAL_COMMAND: JSON.stringify([process.execPath, '-e', 'process.exit(3)']),
      },
      code: 'credentialCommandFailed',
      says: [process.execPath, 'exit code 3', 'by itself'],
      sent: 0,
    },
  ],
  [
    'two places of credentials',
    {
      env: { FLEETFORM_CREDENTIAL_COMMAND: '["/bin/true"]' },
      code: 'credentialsTwice',
      says: ['FLEETFORM_CLIENT_ID and FLEETFORM_CLIENT_SECRET', 'Unset'],
      sent: 0,
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
];

describe.concurrent('a user', PATIENCE, () => {
  it.each(STRANGERS)('is stopped for %s', async (_, stranger) => {
    using place = createPlace();
    await expectStopped(place, twin.as('admin'), stranger);
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
    expectWords(text.err, ['NODE_EXTRA_CA_CERTS', 'its CA is not trusted']);
    expect(asked).toBe(0);
  });

  it('is told by a refused POST which role is needed, and that nothing was started', async () => {
    using place = createPlace();
    const args = 'apply --yes --trace t';
    const text = await place.run(args, twin.as('viewer'));
    expect(text.code).toBe(1);
    expect(text.err).toContain('error[forbidden]');
    const message = text.err.slice(text.err.indexOf('error[forbidden]'));
    expectWords(message, ['Admin or Operator', 'the provider enables', 'POST /v1/tasks', '403']);
    expect(text.out).toContain('Exit 1');
    const posts = place.trace('t').filter(({ path }) => path === '/v1/tasks');
    expect(posts.map(({ method, status }) => [method, status])).toEqual([['POST', 403]]);
    expect(place.ledger().filter(({ type }) => type === 'RESULT')).toEqual([
      expect.objectContaining({ outcome: 'rejected', status: 403 }),
    ]);
  });
});
