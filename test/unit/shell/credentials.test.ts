import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCredentials } from '../../../src/shell/credentials.ts';
import { scratchFolder } from '../../support/scratch.ts';

const folder = scratchFolder('credentials');
const file = join(folder, 'secret');
writeFileSync(file, 'from-file\n');

describe('readCredentials', () => {
  it('takes both from the environment', () => {
    const env = { FLEETFORM_CLIENT_ID: 'id', FLEETFORM_CLIENT_SECRET: 'hush' };
    expect(readCredentials(env)).toEqual({ clientId: 'id', clientSecret: 'hush' });
  });

  it('takes a secret from a file, without its last line end', () => {
    const env = { FLEETFORM_CLIENT_ID: 'id', FLEETFORM_CLIENT_SECRET_FILE: file };
    expect(readCredentials(env).clientSecret).toBe('from-file');
  });

  it.each([
    [{}, 'FLEETFORM_CLIENT_ID and FLEETFORM_CLIENT_SECRET'],
    [{ FLEETFORM_CLIENT_ID: 'id' }, 'FLEETFORM_CLIENT_SECRET'],
    [{ FLEETFORM_CLIENT_ID: '', FLEETFORM_CLIENT_SECRET: 'hush' }, 'FLEETFORM_CLIENT_ID'],
  ])('names what is missing in %o', (env, missing) => {
    expect(() => readCredentials(env)).toThrow(
      expect.objectContaining({ code: 'credentialsMissing', params: { missing } }),
    );
  });

  it('takes no byte order mark for a part of the secret', () => {
    const marked = join(folder, 'marked');
    writeFileSync(marked, '\uFEFFfrom-file\r\n');
    const env = { FLEETFORM_CLIENT_ID: 'id', FLEETFORM_CLIENT_SECRET_FILE: marked };
    expect(readCredentials(env).clientSecret).toBe('from-file');
  });

  it('says of a file that others may write that they may', () => {
    const env = { FLEETFORM_CLIENT_ID: 'id', FLEETFORM_CLIENT_SECRET_FILE: file };
    const told: string[] = [];
    readCredentials(env, (exposed) => told.push(exposed));
    chmodSync(file, 0o660);
    readCredentials(env, (exposed) => told.push(exposed));
    expect(told).toEqual([file]);
  });

  it('refuses a pipe at once, which nobody may ever write to, and what is too large', () => {
    const [pipe, large] = [join(folder, 'pipe'), join(folder, 'large')];
    execFileSync('mkfifo', [pipe]);
    writeFileSync(large, 'x'.repeat(65_537));
    for (const [path, why] of [
      [pipe, 'notPlain'],
      [folder, 'notPlain'],
      [large, 'tooLarge'],
    ]) {
      const env = { FLEETFORM_CLIENT_ID: 'id', FLEETFORM_CLIENT_SECRET_FILE: path };
      const refused = { code: 'fileRefused', params: { file: path, why } };
      expect(() => readCredentials(env)).toThrow(expect.objectContaining(refused));
    }
  });

  it('says which variable points to a file that cannot be read', () => {
    const env = { FLEETFORM_CLIENT_ID: 'id', FLEETFORM_CLIENT_SECRET_FILE: join(folder, 'none') };
    expect(() => readCredentials(env)).toThrow(
      expect.objectContaining({
        code: 'credentialsUnreadable',
        params: { variable: 'FLEETFORM_CLIENT_SECRET_FILE', file: join(folder, 'none') },
      }),
    );
  });
});
