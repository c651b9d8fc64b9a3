import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/shell/clock.ts';
import { openCredentials } from '../../../src/shell/credentials.ts';
import { ROOT } from '../../habits/sources.ts';
import { scratchFolder } from '../../support/scratch.ts';

const EXAMPLE = join(ROOT, 'docs/examples/vault-credentials.sh');
const ORIGIN = 'https://api.example.com';
const GIVEN = { version: 1, clientId: 'id-of-acme', clientSecret: 'kept-in-a-vault-only' };

const folder = scratchFolder('vault', ['vault', 'calls']);
const calls = join(folder, 'calls');

/** A command line of Vault that knows one secret and one role, and writes down how it was called. */
const VAULT = `#!/bin/sh
echo "$VAULT_TOKEN $*" >> ${calls}
case "$*" in
  'write -field=token auth/jwt/login role=fleet jwt=-') [ "$(cat)" = identity ] && printf given ;;
  'kv get -format=json -field=data secret/fleetform/acme') echo '${JSON.stringify(GIVEN)}' ;;
  *) echo 'permission denied' >&2; exit 2 ;;
esac
`;

async function login(env: Readonly<Record<string, string>>, organization = 'acme') {
  const all = {
    PATH: [folder, process.env['PATH']].join(delimiter),
    FLEETFORM_CREDENTIAL_COMMAND: JSON.stringify([EXAMPLE]),
    VAULT_FLEET_ORIGIN: ORIGIN,
    ...env,
  };
  const use = { env: all, clock: systemClock, organization, baseUrl: `${ORIGIN}/eu` };
  return (await openCredentials(use))();
}

describe.skipIf(process.platform === 'win32')('the example for Vault', () => {
  beforeEach(() => {
    writeFileSync(join(folder, 'vault'), VAULT, { mode: 0o700 });
    writeFileSync(calls, '');
  });

  it('reads the secret of the organization with the token of the environment', async () => {
    expect(await login({ VAULT_TOKEN: 'own' })).toMatchObject({
      clientId: GIVEN.clientId,
      clientSecret: GIVEN.clientSecret,
    });
    expect(readFileSync(calls, 'utf8')).toBe(
      'own kv get -format=json -field=data secret/fleetform/acme\n',
    );
  });

  it('logs in with the identity of a job, which is in no argument', async () => {
    expect(await login({ VAULT_ID_TOKEN: 'identity', VAULT_ROLE: 'fleet' })).toMatchObject({
      clientId: GIVEN.clientId,
    });
    expect(readFileSync(calls, 'utf8')).toBe(
      ' write -field=token auth/jwt/login role=fleet jwt=-\ngiven kv get -format=json -field=data secret/fleetform/acme\n',
    );
  });

  it.each<[string, Parameters<typeof login>]>([
    ['another organization', [{ VAULT_TOKEN: 'own' }, 'other']],
    ['another service', [{ VAULT_TOKEN: 'own', VAULT_FLEET_ORIGIN: 'https://other.example.com' }]],
    ['a wrong identity', [{ VAULT_ID_TOKEN: 'forged', VAULT_ROLE: 'fleet' }]],
    ['no role', [{ VAULT_ID_TOKEN: 'identity' }]],
  ])('gives nothing for %s', async (_, args) => {
    const failed = { code: 'credentialCommandFailed' };
    await expect(login(...args)).rejects.toMatchObject(failed);
  });

  it.skipIf(!existsSync('/usr/bin/dash'))('is read by a POSIX shell', () => {
    expect(execFileSync('dash', ['-n', EXAMPLE]).toString()).toBe('');
  });
});
