import { expect, test } from 'vitest';
import { proveRecords } from '../../src/ledger/proof.ts';
import { tenantFingerprint } from '../../src/ledger/ground-due.ts';
import type { FirmwarePolicy } from '../../src/model/documents/policy.ts';
import { gitStore } from '../../src/store/git-store.ts';
import { LEASE_TTL } from '../../src/store/lease.ts';
import { BRANCH, GitPlace } from '../support/git-place.ts';
import { chance } from '../support/store-double.ts';
import { appendNights, importBranch, type Nights } from './years-ledger.ts';

const SERVICE = { origin: 'https://service.test', organization: 'acme' };

test('`audit verify` proves a ledger of three nights, read from the branch that was imported', async () => {
  using place = new GitPlace();
  const branch = importBranch(place.bare, BRANCH);
  const onTime = (at: number): void => void (branch.at = at);
  const written = await appendNights({
    ...nights(3),
    store: unprobed(gitStore(branch, chance(1))),
    onTime,
  });
  await branch.close();
  const { records } = await gitStore(place.remote(), chance(2)).read(0);
  expect(records).toHaveLength(written);
  expect(records.filter(({ body }) => body.type === 'SETTLED')).toHaveLength(3 * 20);
  const checks = proveRecords(records, tenantFingerprint(SERVICE));
  expect(checks.filter(({ result }) => result !== 'proved')).toEqual([]);
});

test('what is imported is what the remote would have', async () => {
  using imported = new GitPlace();
  using pushed = new GitPlace();
  const branch = importBranch(imported.bare, BRANCH);
  await appendNights({ ...nights(1), store: unprobed(gitStore(branch, chance(1))) });
  await branch.close();
  await appendNights({ ...nights(1), store: unprobed(gitStore(pushed.remote(), chance(1))) });
  const [own, theirs] = [imported, pushed].map((place) =>
    place.git(place.bare, 'log', '--format=%T %an %ae %cn %ce %B', BRANCH),
  );
  expect(own).toBe(theirs);
});

/** Two batches of one policy a night. */
function nights(count: number): Omit<Nights, 'store'> {
  const policy = {
    section: 'firmware',
    address: 'firmware.p',
    task: 'upgradeFirmware',
    version: { is: 'exact', version: '11.11.160' },
    downgrade: 'forbid',
  } as FirmwarePolicy;
  return {
    leaseTtl: LEASE_TTL.git,
    nights: count,
    changes: 20,
    last: Date.parse('2026-01-10T01:00:00Z'),
    devices: Array.from({ length: 41 }, (_, at) => ({
      id: `dev-${at}`,
      model: 'P1',
      site: String(at % 3),
      policy,
      isBehind: at === 40,
    })),
    ground: {
      service: SERVICE,
      ledger: { store: 'directory' },
      approval: 'commit',
      gate: 'none',
      commit: '',
    },
    documents: 'documents',
  };
}

/** A branch that one writer imports has no race to look for. */
function unprobed(store: Nights['store']): Nights['store'] {
  return Object.assign(store, { probe: async () => undefined });
}
