import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, constants, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WorldError } from '../../../src/model/error.ts';
import type { Clock, Credentials } from '../../../src/model/ports.ts';
import { errorWords } from '../../../src/render/words/errors.ts';
import {
  credentialsOf,
  ledgerPassword,
  missingCredentials,
  openCredentials,
  type CredentialUse,
} from '../../../src/shell/credentials.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const folder = scratchFolder('credentials');
const file = join(folder, 'secret');
writeFileSync(file, 'from-file\n');

type Env = Readonly<Record<string, string>>;

/** What a command would log in with. */
async function credentialsIn(
  env: Env,
  { clock = createVirtualClock(0), onExposed = (_: string): void => undefined } = {},
): Promise<Credentials> {
  const service = { organization: 'acme', baseUrl: 'https://api.example.com' };
  const source = await openCredentials({ ...service, env, clock, onExposed });
  return source();
}

describe('openCredentials', () => {
  it('takes both from the environment', async () => {
    const env = { FLEETFORM_CLIENT_ID: 'id', FLEETFORM_CLIENT_SECRET: 'hush' };
    expect(await credentialsIn(env)).toEqual({ clientId: 'id', clientSecret: 'hush' });
  });

  it('takes a secret from a file, without its last line end', async () => {
    const env = { FLEETFORM_CLIENT_ID: 'id', FLEETFORM_CLIENT_SECRET_FILE: file };
    expect((await credentialsIn(env)).clientSecret).toBe('from-file');
  });

  it.each([
    [{}, 'FLEETFORM_CLIENT_ID and FLEETFORM_CLIENT_SECRET'],
    [{ FLEETFORM_CLIENT_ID: 'id' }, 'FLEETFORM_CLIENT_SECRET'],
    [{ FLEETFORM_CLIENT_ID: '', FLEETFORM_CLIENT_SECRET: 'hush' }, 'FLEETFORM_CLIENT_ID'],
    [{ FLEETFORM_CREDENTIAL_COMMAND: '' }, 'FLEETFORM_CLIENT_ID and FLEETFORM_CLIENT_SECRET'],
  ])('names what is missing in %o', async (env: Env, missing) => {
    const refused = { code: 'credentialsMissing', params: { missing } };
    await expect(credentialsIn(env)).rejects.toEqual(expect.objectContaining(refused));
    expect(missingCredentials(env).join(' and ')).toBe(missing);
  });

  it('names the variables of the ledger database where its password is missing', async () => {
    const use = { env: {}, clock: createVirtualClock(0) } as unknown as CredentialUse;
    const { code, params } = (await ledgerPassword(use).catch(
      (error: unknown) => error,
    )) as WorldError;
    const { summary, next } = errorWords(code, params);
    expect(summary).toBe('Credentials are not set: FLEETFORM_LEDGER_PASSWORD.');
    expect(next).toMatch(
      /^Set FLEETFORM_LEDGER_PASSWORD, FLEETFORM_LEDGER_PASSWORD_FILE or FLEETFORM_LEDGER_PASSWORD_COMMAND\./,
    );
    expect(next).not.toMatch(/CLIENT|[[\]|]/);
    expect(errorWords('credentialsMissing', {}).next).toMatch(/^Set FLEETFORM_CLIENT_ID .*one\.$/);
  });

  it.each(['FLEETFORM_CLIENT_ID', 'FLEETFORM_CLIENT_SECRET_FILE'])(
    'refuses a command beside %s, and runs and reads neither',
    async (name) => {
      const env = { FLEETFORM_CREDENTIAL_COMMAND: '["/bin/false"]', [name]: 'x' };
      const refused = { code: 'credentialsTwice', params: { variables: name } };
      await expect(credentialsIn(env)).rejects.toEqual(expect.objectContaining(refused));
      expect(missingCredentials(env)).toEqual([]);
    },
  );

  it('takes no byte order mark for a part of the secret', async () => {
    const marked = join(folder, 'marked');
    writeFileSync(marked, '\uFEFFfrom-file\r\n');
    const env = { FLEETFORM_CLIENT_ID: 'id', FLEETFORM_CLIENT_SECRET_FILE: marked };
    expect((await credentialsIn(env)).clientSecret).toBe('from-file');
  });

  it('says of a file that others may write that they may', async () => {
    const env = { FLEETFORM_CLIENT_ID: 'id', FLEETFORM_CLIENT_SECRET_FILE: file };
    const told: string[] = [];
    const onExposed = (exposed: string): void => void told.push(exposed);
    await credentialsIn(env, { onExposed });
    chmodSync(file, 0o660);
    await credentialsIn(env, { onExposed });
    expect(told).toEqual([file]);
  });

  it('refuses a directory, and what is too large', async () => {
    const large = join(folder, 'large');
    writeFileSync(large, 'x'.repeat(65_537));
    for (const [path, why] of [
      [folder, 'notPlain'],
      [large, 'tooLarge'],
    ] as const) {
      const env = { FLEETFORM_CLIENT_ID: 'id', FLEETFORM_CLIENT_SECRET_FILE: path };
      const refused = { code: 'fileRefused', params: { file: path, why } };
      await expect(credentialsIn(env)).rejects.toEqual(expect.objectContaining(refused));
    }
  });

  it('says which variable points to a file that cannot be read', async () => {
    const env = { FLEETFORM_CLIENT_ID: 'id', FLEETFORM_CLIENT_SECRET_FILE: join(folder, 'none') };
    await expect(credentialsIn(env)).rejects.toEqual(
      expect.objectContaining({
        code: 'credentialsUnreadable',
        params: { variable: 'FLEETFORM_CLIENT_SECRET_FILE', file: join(folder, 'none') },
      }),
    );
  });
});

/** A pipe, and a clock that does one thing more to its other end each time a reader waits. */
class Pipe {
  readonly env: Env;
  readonly clock: ReturnType<typeof createVirtualClock>;
  readonly #path: string;
  #end: number | undefined;

  constructor(name: string, steps: readonly ((pipe: Pipe) => void)[]) {
    this.#path = join(folder, name);
    execFileSync('mkfifo', [this.#path]);
    this.env = { FLEETFORM_CLIENT_ID: 'id', FLEETFORM_CLIENT_SECRET_FILE: this.#path };
    const clock = createVirtualClock(0);
    const left = [...steps];
    const sleep: Clock['sleep'] = async (ms) => {
      await clock.sleep(ms);
      left.shift()?.(this);
    };
    this.clock = { ...clock, sleep };
  }

  write(text: string): void {
    this.#end ??= openSync(this.#path, constants.O_WRONLY | constants.O_NONBLOCK);
    writeSync(this.#end, text);
  }

  close(): void {
    if (this.#end !== undefined) closeSync(this.#end);
  }

  late(): unknown {
    const params = {
      variable: 'FLEETFORM_CLIENT_SECRET_FILE',
      file: this.#path,
      why: 'late',
    };
    return expect.objectContaining({ code: 'credentialsUnreadable', params });
  }
}

describe.skipIf(process.platform === 'win32')('a pipe with a credential', () => {
  const wait = (): void => undefined;

  it('is read to its end, in parts and after a while', async () => {
    const pipe = new Pipe('parts', [
      wait,
      wait,
      (to) => to.write('from-'),
      wait,
      (to) => to.write('pipe\n'),
      (to) => to.close(),
    ]);
    expect((await credentialsIn(pipe.env, pipe)).clientSecret).toBe('from-pipe');
  });

  it('is given up after five seconds if nobody writes to it', async () => {
    const pipe = new Pipe('alone', []);
    await expect(credentialsIn(pipe.env, pipe)).rejects.toEqual(pipe.late());
    expect(pipe.clock.monotonic()).toBe(5_000);
  });

  it('is given up after five seconds if its writer does not end', async () => {
    const pipe = new Pipe('open', [(to) => to.write('a part')]);
    await expect(credentialsIn(pipe.env, pipe)).rejects.toEqual(pipe.late());
    pipe.close();
  });

  it('is refused as soon as it is too large', async () => {
    const more = (to: Pipe): void => to.write('x'.repeat(40_000));
    const pipe = new Pipe('much', [more, more]);
    const refused = { code: 'fileRefused' };
    await expect(credentialsIn(pipe.env, pipe)).rejects.toEqual(expect.objectContaining(refused));
    pipe.close();
  });
});

describe('the environment of a fleet of several', () => {
  const env = {
    PATH: '/bin',
    FLEETFORM_CREDENTIAL_COMMAND: '["/x"]',
    FLEETFORM_CLIENT_ID: 'plain',
    FLEETFORM_CLIENT_SECRET_FILE: 'plain',
    FLEETFORM_FLEET_ACME_EU_CLIENT_ID: 'own',
    FLEETFORM_FLEET_ACME_EU_CLIENT_SECRET_FILE: 'own-file',
    FLEETFORM_FLEET_GLOBEX_CLIENT_ID: 'other',
    FLEETFORM_FLEET_GLOBEX_CLIENT_SECRET: 'other',
  };

  it('has its own credentials, and neither a plain one nor one of another fleet', () => {
    const own = Object.entries(credentialsOf('acme-eu', env)).filter(([, value]) => value);
    expect(Object.fromEntries(own)).toEqual({
      PATH: '/bin',
      FLEETFORM_CREDENTIAL_COMMAND: '["/x"]',
      FLEETFORM_CLIENT_ID: 'own',
      FLEETFORM_CLIENT_SECRET_FILE: 'own-file',
    });
    expect(
      missingCredentials({ ...credentialsOf('initech', env), FLEETFORM_CREDENTIAL_COMMAND: '' }),
    ).toHaveLength(2);
  });
});
