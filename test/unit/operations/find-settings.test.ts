import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findSettings, loadedDocuments } from '../../../src/operations/adopt/settings.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { outputDouble } from '../../support/cli-output.ts';
import { scratchFolder } from '../../support/scratch.ts';

const URL = 'https://service.test';
const cwd = scratchFolder('find-settings');
mkdirSync(join(cwd, 'empty'));

async function messageOf(env: Shell['env'], flags: { fleet: string; service?: string }) {
  const shell = { cwd, env, err: outputDouble() } as unknown as Shell;
  const loaded = await loadedDocuments(flags, shell);
  return findSettings(flags, shell, loaded).then(
    ({ baseUrl, organization }) => [baseUrl, organization],
    (error: Error & { readonly params?: { readonly message?: string } }) => error.params?.message,
  );
}

it.each(['fleet', 'empty'])(
  'what names the service without documents is asked for (%s)',
  async (fleet) => {
    const where = `no documents in ${fleet} (another directory: --fleet)`;
    const name = 'set FLEETFORM_ORGANIZATION';
    const url = 'pass --service URL or set FLEETFORM_BASE_URL';
    expect(await messageOf({}, { fleet })).toBe(
      `${where}: ${name}, and ${url}, or run \`fleetform init\``,
    );
    expect(await messageOf({ FLEETFORM_BASE_URL: URL }, { fleet })).toBe(
      `${where}: ${name}, or run \`fleetform init\``,
    );
    expect(await messageOf({ FLEETFORM_ORGANIZATION: 'acme' }, { fleet })).toBe(
      `${where}: ${url}, or run \`fleetform init\``,
    );
    expect(await messageOf({ FLEETFORM_ORGANIZATION: 'acme' }, { fleet, service: URL })).toEqual([
      URL,
      'acme',
    ]);
  },
);
