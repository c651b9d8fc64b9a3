import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTwin, type ServeOptions } from '../../../../../src/operations/serve-twin.ts';
import { taskRequest } from '../../../../support/twin-rig.ts';
import { scratchFolder } from '../../../../support/scratch.ts';

interface Ready {
  readonly url: string;
  readonly organization: string;
  readonly users: readonly {
    readonly role: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly sites: readonly string[];
  }[];
}

const OPTIONS: ServeOptions = {
  port: 0,
  devices: 20,
  sites: 3,
  timeScale: 1,
  format: 'json',
};

/** As without `--port`. */
const ANY_PORT = { port: undefined } as unknown as Partial<ServeOptions>;

/** Runs the command until it has spoken, does something meanwhile, ends it. */
async function session(
  options: Partial<ServeOptions>,
  meanwhile: (said: string) => Promise<void> = async () => {},
  cwd = scratchFolder('twin-here', ['world.json', 'twin.json']),
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const end = new AbortController();
  let out = '';
  let err = '';
  const spoken = deferred();
  const io = {
    cwd,
    out: (text: string) => {
      out += text;
      spoken.resolve();
    },
    err: (text: string) => {
      err += text;
      spoken.resolve();
    },
    signal: end.signal,
  };
  const running = runTwin({ ...OPTIONS, ...options }, io);
  await spoken.promise;
  if (out !== '') await meanwhile(out);
  end.abort();
  return { code: await running, out, err };
}

function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

const ready = (said: string): Ready => JSON.parse(said) as Ready;
const login = ({ url, organization, users }: Ready): Promise<Response> => {
  const pair = btoa(`${users[0]?.clientId}:${users[0]?.clientSecret}`);
  const headers = { Authorization: `Basic ${pair}` };
  return fetch(`${url}/v1/auth/${organization}`, { method: 'POST', headers });
};

describe('fleetform twin', () => {
  let folder = '';
  beforeEach(async () => {
    folder = scratchFolder('twin', ['world.json', 'twin.env']);
  });

  it('names a taken port and the way out, and writes nothing', async () => {
    await session({}, async (said) => {
      const port = Number(new URL(ready(said).url).port);
      const here = scratchFolder('twin-refused', []);
      const before = await readdir(here);
      const { code, err } = await session({ port }, undefined, here);
      expect(await readdir(here)).toEqual(before);
      expect(code).toBe(1);
      expect(err).toBe(
        `fleetform twin: port ${port} is in use; choose another with --port, or a free one with --port 0\n`,
      );
    });
  });

  it('says in one line of JSON where it is and who may come in', async () => {
    const { code, out, err } = await session({}, async (said) => {
      expect((await login(ready(said))).status).toBe(200);
    });
    expect([code, err, out.split('\n').length]).toEqual([0, '', 2]);
    const { organization, users } = ready(out);
    expect(organization).toBe('acme');
    expect(users.map(({ role, sites }) => [role, sites.length])).toEqual([
      ['admin', 3],
      ['operator', 3],
      ['viewer', 1],
    ]);
    expect(users[2]?.sites).toEqual(['HQ Berlin']);
  });

  it('says in text how to use each credential', async () => {
    const { out } = await session({ format: 'text' });
    expect(out.match(/^export FLEETFORM_CLIENT_SECRET=\S+$/gm)).toHaveLength(3);
    expect(out.match(/^export FLEETFORM_CLIENT_ID=\S+$/gm)).toHaveLength(3);
    expect(out.match(/^export FLEETFORM_BASE_URL=http:\/\/127\.0\.0\.1:\d+$/gm)).toHaveLength(3);
    expect(out).toContain('organization acme, 20 devices on 3 sites');
    expect(out).toContain('# viewer, sees HQ Berlin only');
  });

  it('saves its world on exit and comes back with the same credentials', async () => {
    const world = join(folder, 'world.json');
    const first = await session({ world });
    const saved = JSON.parse(await readFile(world, 'utf8')) as { readonly devices: unknown[] };
    expect(saved.devices).toHaveLength(20);
    const second = await session({ world, devices: 7 }, async (said) => {
      expect((await login(ready(said))).status).toBe(200);
    });
    expect(ready(second.out).users).toEqual(ready(first.out).users);
  });

  it('keeps world, address and credentials below its directory, and goes on with them', async () => {
    const here = scratchFolder('twin-here', ['world.json', 'twin.json']);
    const kept = join(here, '.fleetform/twin');
    const first = await session({}, async () => {}, here);
    const { url, users } = ready(first.out);
    const simulator = JSON.parse(await readFile(join(kept, 'twin.json'), 'utf8')) as object;
    expect(simulator).toMatchObject({ url, clientId: users[0]?.clientId, organization: 'acme' });
    expect((await stat(join(kept, 'twin.json'))).mode & 0o777).toBe(0o600);
    const second = await session({ ...ANY_PORT, format: 'text' }, async () => {}, here);
    expect(second.out).toContain(`The twin listens on ${url}\n`);
    expect(second.out).toContain('It goes on with the world in .fleetform/twin/world.json.\n');
    expect(second.out).toContain('So --devices, --sites and --seed change nothing');
    expect(JSON.parse(await readFile(join(kept, 'twin.json'), 'utf8'))).toEqual(simulator);
    expect(await readdir(here)).toEqual(['.fleetform']);
  });

  it('runs once in a directory, and beside others on the next free port', async () => {
    const here = scratchFolder('twin-here', ['world.json', 'twin.json']);
    await session(
      ANY_PORT,
      async (said) => {
        const again = await session(ANY_PORT, async () => {}, here);
        const { url } = ready(said);
        expect([again.code, again.out]).toEqual([1, '']);
        expect(again.err).toContain(`runs already, on ${url}; for another world add --world FILE`);
        const beside = ready((await session(ANY_PORT)).out).url;
        expect(Number(new URL(beside).port)).toBeGreaterThan(Number(new URL(url).port));
      },
      here,
    );
  });

  it('has the same credentials for the same seed, others for another, random ones for none', async () => {
    const pairs: string[] = [];
    for (const seed of [7, 7, 8, undefined, undefined]) {
      const { out } = await session({ ...OPTIONS, ...(seed !== undefined && { seed }) });
      pairs.push(JSON.stringify(ready(out).users));
    }
    expect(pairs[1]).toBe(pairs[0]);
    expect(new Set(pairs).size).toBe(4);
  });

  it('writes the environment of its admin, for its owner alone, again and again', async () => {
    const envFile = join(folder, 'twin.env');
    await writeFile(envFile, '');
    for (const [seed, flag] of [
      [7, { writeEnv: envFile }],
      [8, { writeEnv: envFile }],
    ] as const) {
      const { out } = await session({ ...flag, seed });
      const { url, organization, users } = ready(out);
      expect((await readFile(envFile, 'utf8')).split('\n').slice(1)).toEqual([
        `FLEETFORM_BASE_URL=${url}`,
        `FLEETFORM_ORGANIZATION=${organization}`,
        `FLEETFORM_CLIENT_ID=${users[0]?.clientId}`,
        `FLEETFORM_CLIENT_SECRET=${users[0]?.clientSecret}`,
        '',
      ]);
      expect((await stat(envFile)).mode & 0o777).toBe(0o600);
    }
    expect(await readdir(folder)).toEqual(['twin.env']);
  });

  it('takes tasks of as many devices as it is told', async () => {
    await session({ maxDevicesPerTask: 2, unknownFilters: 'refuse' }, async (said) => {
      const { url } = ready(said);
      const { access_token: token } = (await (await login(ready(said))).json()) as Record<
        string,
        string
      >;
      const headers = { Authorization: `Bearer ${token}` };
      const statuses = [1, 2, 3].map(async (count) => {
        const ids = Array.from({ length: count }, (_, index) => `dev-${index + 1}`);
        const body = JSON.stringify(taskRequest('restartDevice', ids));
        return (await fetch(`${url}/v1/tasks`, { method: 'POST', headers, body })).status;
      });
      expect(await Promise.all(statuses)).toEqual([200, 200, 400]);
    });
  });

  it('follows the fault script', async () => {
    const faults = join(folder, 'faults.json');
    await writeFile(faults, '[{"match":{"path":"/v1/auth/*"},"fault":{"type":"500"}}]');
    await session({ faults }, async (said) => {
      expect((await login(ready(said))).status).toBe(500);
    });
  });

  it('limits the rate where it is told to', async () => {
    await session({ rateLimit: 0.001 }, async (said) => {
      const answers = [await login(ready(said)), await login(ready(said))];
      expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    });
  });

  it.each<[string, (folder: string) => Partial<ServeOptions>, string]>([
    ['a missing fault script', (at) => ({ faults: join(at, 'none.json') }), 'ENOENT'],
    ['a broken fault script', (at) => ({ faults: join(at, 'bad.json') }), 'not JSON'],
    ['a broken world', (at) => ({ world: join(at, 'bad.json') }), 'not JSON'],
    [
      'a world that nothing can be saved to',
      (at) => ({ world: join(at, 'none', 'w.json') }),
      'ENOENT',
    ],
    [
      'an env file that is not its own',
      (at) => ({ writeEnv: join(at, 'bad.json') }),
      '--write-env',
    ],
    ['an env file that is a folder', (at) => ({ writeEnv: at }), '--write-env'],
    ['an env file in no folder', (at) => ({ writeEnv: join(at, 'none', 'env') }), 'ENOENT'],
    ['tasks of no device', () => ({ maxDevicesPerTask: 0 }), '--max-devices-per-task'],
    ['no sites', () => ({ sites: 0 }), '--sites'],
    ['a time scale of 0', () => ({ timeScale: 0 }), '--time-scale'],
    ['a rate limit that is no number', () => ({ rateLimit: Number.NaN }), '--rate-limit'],
  ])('refuses %s, says why and exits 1', async (_what, options, reason) => {
    await writeFile(join(folder, 'bad.json'), '{');
    const { code, out, err } = await session(options(folder));
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(reason);
    expect(await readFile(join(folder, 'bad.json'), 'utf8')).toBe('{');
  });
});
