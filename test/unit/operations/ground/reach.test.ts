import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect } from '../../../../src/operations/connect.ts';
import { systemClock } from '../../../../src/shell/clock.ts';
import type { Shell } from '../../../../src/shell/shell.ts';
import { scratchFolder } from '../../../support/scratch.ts';
import { begunRig, GroundRig, refused } from '../../../support/ground-rig.ts';

const GIT = 'ledger: {store: git}';
const TEAM = 'ledger: {store: git, branch: team-ledger}';
const EVIL = 'baseUrl: https://evil.example.com, organization: acme';
const CREDENTIALS = { FLEETFORM_CLIENT_ID: 'id', FLEETFORM_CLIENT_SECRET: 'a-secret-of-a-client' };

/** A credential command that leaves a file behind where it runs, and the environment of a command that has it. */
function leavingCommand(): { readonly ran: string; readonly env: Record<string, string> } {
  const folder = scratchFolder('reach');
  const [program, ran] = [join(folder, 'program'), join(folder, 'ran')];
  writeFileSync(program, `#!/bin/sh\necho x > ${ran}\n`, { mode: 0o700 });
  const none = { FLEETFORM_CLIENT_ID: '', FLEETFORM_CLIENT_SECRET: '' };
  return { ran, env: { ...none, FLEETFORM_CREDENTIAL_COMMAND: JSON.stringify([program]) } };
}

/** Connects as a command does, and says whether a way to the service was opened. */
async function reaches(
  rig: GroundRig,
  {
    service,
    isLedgerless = false,
    ...env
  }: { service?: string; isLedgerless?: boolean } & Record<string, unknown> = {},
): Promise<boolean> {
  let isOpened = false;
  const { shell, documents } = await rig.open(rig.folder, { ...CREDENTIALS, ...env } as Record<
    string,
    string
  >);
  const opening: Shell = {
    ...shell,
    // A program takes its time.
    clock: systemClock,
    openTransport: () => {
      isOpened = true;
      return Promise.resolve({
        transport: () => Promise.reject(new Error('sent')),
        close: () => Promise.resolve(),
      });
    },
  };
  const flags = {
    fleet: 'fleet',
    readOnly: true,
    isLedgerless,
    ...(service !== undefined && { service }),
  };
  const connection = await connect(opening, documents.service.value, flags).catch(
    (error: unknown) => {
      expect(isOpened).toBe(false);
      throw error;
    },
  );
  await connection.client.holdToken(1).catch(() => undefined);
  await connection.close();
  return isOpened;
}

describe.each([false, true])(
  'M3 the service of a command (without a ledger: %s)',
  (isLedgerless) => {
    it('is the one that the ledger names, in a request and after its merge', async () => {
      const rig = await begunRig();
      expect(await reaches(rig, { isLedgerless })).toBe(true);
      rig.write(GIT, EVIL);
      const changed = refused('groundChanged', {
        what: 'service.baseUrl',
        to: 'https://evil.example.com',
      });
      await expect(reaches(rig, { isLedgerless })).rejects.toEqual(changed);
      rig.write(TEAM, EVIL);
      await expect(reaches(rig, { isLedgerless })).rejects.toEqual(refused('groundChanged'));
      rig.merge(TEAM, EVIL);
      await expect(reaches(rig, { isLedgerless })).rejects.toEqual(refused('groundChanged'));
      rig.merge(GIT, 'baseUrl: https://api.example.com, organization: other');
      const other = refused('groundChanged', { what: 'service.organization', to: 'other' });
      await expect(reaches(rig, { isLedgerless })).rejects.toEqual(other);
    });

    it('alone is one for which a credential command is run', async () => {
      const rig = await begunRig();
      const { ran, env } = leavingCommand();
      rig.write(TEAM, EVIL);
      await expect(reaches(rig, { isLedgerless, ...env })).rejects.toEqual(
        refused('groundChanged'),
      );
      expect(existsSync(ran)).toBe(false);
      rig.write(GIT);
      expect(await reaches(rig, { isLedgerless, ...env })).toBe(true);
      expect(existsSync(ran)).toBe(true);
    });

    it('is the one that the newest commit names before the first run', async () => {
      const rig = new GroundRig({ env: { CI: 'true' } });
      rig.merge(GIT);
      expect(await reaches(rig, { isLedgerless })).toBe(true);
      rig.write(TEAM, EVIL);
      await expect(reaches(rig, { isLedgerless })).rejects.toEqual(refused('groundChanged'));
      rig.merge(TEAM, EVIL);
      expect(await reaches(rig, { isLedgerless })).toBe(true);
    });

    it('is none in a job whose default branch has no documents yet', async () => {
      const rig = new GroundRig();
      rig.git('commit', '--quiet', '--allow-empty', '-m', 'first');
      rig.git('push', '--quiet', 'origin', 'main');
      rig.git('switch', '--quiet', '--create', 'request');
      rig.commit(GIT);
      await expect(reaches(rig, { isLedgerless, CI: 'true' })).rejects.toEqual(
        refused('serviceUnnamed'),
      );
      expect(await reaches(rig, { isLedgerless })).toBe(true);
    });

    it('may be another one by a flag or a variable, which no document chooses', async () => {
      const rig = new GroundRig();
      rig.merge(GIT);
      const service = 'https://other.example.com';
      expect(await reaches(rig, { isLedgerless, service })).toBe(true);
      expect(await reaches(rig, { isLedgerless, FLEETFORM_BASE_URL: service })).toBe(true);
    });
  },
);
