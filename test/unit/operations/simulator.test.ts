import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  localLedger,
  readSimulator,
  simulatorAt,
  simulatorCredentials,
  simulatorFile,
} from '../../../src/operations/simulator.ts';
import { overFetch } from '../../../src/model/http.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { scratchFolder } from '../../support/scratch.ts';

const URL_HERE = 'http://127.0.0.1:8080';
const LEFT = { id: 'world-1', organization: 'acme', clientId: 'admin', clientSecret: 'said' };

interface Situation {
  readonly url?: string;
  /** The world that answers; `none`: nobody answers. */
  readonly world?: string;
  readonly env?: Shell['env'];
  readonly isTracked?: boolean;
}

/** A directory in which a simulator has left its file, and what answers at its address. */
function situation({ url = URL_HERE, world = 'world-1', env, isTracked = false }: Situation) {
  const cwd = scratchFolder('simulator', ['twin.json']);
  mkdirSync(dirname(simulatorFile(cwd)), { recursive: true });
  writeFileSync(simulatorFile(cwd), JSON.stringify({ ...LEFT, url }));
  execFileSync('git', ['init', '-q'], { cwd });
  if (isTracked) execFileSync('git', ['add', '-f', '.'], { cwd });
  const asked: string[] = [];
  const transport = overFetch(async (request) => {
    asked.push(`${request.method} ${request.url} ${request.headers.get('authorization')}`);
    if (world === 'none') throw new Error('ECONNREFUSED');
    return world ? Response.json({ id: world }) : new Response('<html>', { status: 404 });
  });
  const shell = {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, ...env },
    openTransport: async () => ({ transport, close: async () => undefined }),
  } as unknown as Shell;
  return { shell, asked };
}

describe('the simulator of this directory (protocol J5)', () => {
  it.each([URL_HERE, `${URL_HERE}/`])('is the service at %s if it answers so', async (url) => {
    const { shell, asked } = situation({});
    expect(await simulatorAt(shell, url)).toMatchObject(LEFT);
    expect(asked).toEqual([`GET ${URL_HERE}/world null`]);
  });

  it('has its ledger in its directory, which doctor and audit name, and no other service has', () => {
    const { shell } = situation({});
    expect(localLedger(shell.cwd, URL_HERE)).toBe(join('.fleetform', 'twin', LEFT.id));
    expect(localLedger(shell.cwd, 'https://api.example.com')).toBeUndefined();
  });

  it.each<[string, Situation, string]>([
    ['of another port', {}, 'http://127.0.0.1:8081'],
    ['of another name', {}, 'http://localhost:8080'],
    ['that is a service of your own', {}, 'https://api.example.com'],
    [
      'that is not on this machine, whatever its file says',
      { url: 'https://api.example.com' },
      'https://api.example.com',
    ],
    ['where git tracks the file', { isTracked: true }, URL_HERE],
  ])('is none for an address %s, and is not asked', async (_, given, url) => {
    const { shell, asked } = situation(given);
    expect([await simulatorAt(shell, url), asked]).toEqual([undefined, []]);
  });

  it.each([
    ['another world', 'world-2'],
    ['another service', ''],
  ])('is none where %s answers', async (_, world) => {
    expect(await simulatorAt(situation({ world }).shell, URL_HERE)).toBeUndefined();
  });

  it('is no other service where nobody answers', async () => {
    const away = simulatorAt(situation({ world: 'none' }).shell, URL_HERE);
    await expect(away).rejects.toMatchObject({ code: 'simulatorAway', params: { url: URL_HERE } });
  });

  it('is refused in a job', async () => {
    const job = simulatorAt(situation({ env: { CI: 'true' } }).shell, URL_HERE);
    await expect(job).rejects.toMatchObject({ code: 'simulatorInCi' });
  });

  it('gives its credentials where the environment has none', async () => {
    const { shell } = situation({});
    expect(await simulatorCredentials(shell, URL_HERE)).toMatchObject({ clientId: 'admin' });
    const named = situation({ env: { FLEETFORM_CLIENT_SECRET_FILE: '/s' } });
    expect(await simulatorCredentials(named.shell, URL_HERE)).toBeUndefined();
  });

  it('is none where its file is none of its own', () => {
    const { cwd } = situation({}).shell;
    for (const text of ['', '[]', '{"url":"http://127.0.0.1:8080"}']) {
      writeFileSync(simulatorFile(cwd), text);
      expect(readSimulator(cwd)).toBeUndefined();
    }
  });
});
