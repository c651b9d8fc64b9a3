import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlace, PATIENCE } from '../support/blackbox.ts';

// A service that nobody listens for, and a receiver that counts what it is told.
describe('a run of CI that cannot start', PATIENCE, () => {
  const place = createPlace();
  const told: { readonly error?: string; readonly exit: { readonly code: number } }[] = [];
  let server: Server;

  const documents = (more = ''): string => {
    const { port } = server.address() as AddressInfo;
    return `service:
  baseUrl: http://127.0.0.1:1
  organization: acme
  ledger: {store: git}
  notifications: {webhook: {url: "http://127.0.0.1:${port}/hook", secret: {fromEnv: FLEETFORM_WEBHOOK_SECRET}}}
${more}`;
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        told.push(JSON.parse(text) as (typeof told)[number]);
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    place.clear('fleet');
    place.make('fleet/fleet.yaml', documents());
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@x.example', ...args], {
        cwd: place.folder,
        encoding: 'utf8',
      });
    git('init', '-q', '-b', 'main');
    git('init', '-q', '--bare', '-b', 'main', 'remote.git');
    git('remote', 'add', 'origin', './remote.git');
    git('add', 'fleet');
    git('commit', '-q', '-m', 'first');
    git('push', '-q', 'origin', 'main');
  });
  afterAll(() => {
    server.close();
    place[Symbol.dispose]();
  });

  const KEYS = {
    FLEETFORM_CLIENT_ID: 'reader',
    FLEETFORM_CLIENT_SECRET: 'canary-of-a-client-77aa',
  };

  const start = (command: string, env: Readonly<Record<string, string>>) => {
    told.length = 0;
    const secret = { FLEETFORM_WEBHOOK_SECRET: 'canary-of-a-webhook-5d21' };
    return place.run(command, { CI: 'true', ...secret, ...env });
  };

  const run = async (env: Readonly<Record<string, string>>) => {
    const done = await start('ci apply --outcome outcome.json', env);
    return {
      ...done,
      left: JSON.parse(place.read('outcome.json')) as Readonly<Record<string, unknown>>,
    };
  };

  it('for invalid documents tells the webhook once, and leaves an outcome for the issue', async () => {
    place.make('fleet/fleet.yaml', documents('firmware: {a: {versoin: "1"}}\n'));
    const { code, left } = await run(KEYS);
    expect([code, left]).toEqual([
      1,
      expect.objectContaining({ exit: 1, policies: [], kind: 'outcome' }),
    ]);
    expect(left['next']).toContain('`fleetform validate`');
    expect(told.map(({ error, exit }) => [error, exit.code])).toEqual([['documentsInvalid', 1]]);
    place.make('fleet/fleet.yaml', documents());
  });

  it('tells the webhook as well where it is no step of a workflow', async () => {
    place.make('fleet/fleet.yaml', documents('firmware: {a: {versoin: "1"}}\n'));
    expect((await start('apply --yes', KEYS)).code).toBe(1);
    expect(told.map(({ error }) => error)).toEqual(['documentsInvalid']);
    expect((await start('apply --unmerged --yes', KEYS)).code).toBe(1);
    expect(told.map(({ error }) => error)).toEqual(['documentsInvalid']);
    place.make('fleet/fleet.yaml', documents());
  });

  it('is not hidden by the job that looks for work: the job of apply starts, and tells', async () => {
    for (const text of [documents('firmware: {a: {versoin: "1"}}\n'), documents()]) {
      place.make('fleet/fleet.yaml', text);
      place.write('output.txt', '');
      const env = { CI: 'true', GITHUB_OUTPUT: place.path('output.txt'), ...KEYS };
      const look = await place.run('ci look --work', env);
      expect([look.code, place.read('output.txt')]).toEqual([0, 'work=true\n']);
      expect(look.err).toMatch(/error/);
    }
  });

  it('without credentials tells both', async () => {
    const { code, left } = await run({});
    expect([code, left['exit']]).toEqual([1, 1]);
    expect(told.map(({ error }) => error)).toEqual(['credentialsMissing']);
  });

  it('with a service that is away tells the webhook once', async () => {
    const { code, left } = await run(KEYS);
    expect([code, left['exit']]).toEqual([1, 1]);
    expect(left['service']).toMatch(/^[0-9a-f]{16}$/);
    expect(told.map(({ error }) => error)).toEqual(['unreachable']);
  });
});
