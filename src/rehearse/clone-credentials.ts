import { sha256 } from '../lib/canonical.ts';
import { HASH_SPAN, stableHash } from '../lib/stable-hash.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import { TASK_TYPES, TASKS } from '../model/fleet/task.ts';
import type { Device } from '../model/fleet/device.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import type { Assumed } from '../model/report/output.gen.ts';
import type { DeviceState } from '../twin/world/state.ts';

/** Over how long dates that were never read are spread: the ages that documents allow. */
export interface Lives {
  /** Absent where no policy rotates this credential: nothing is assumed then. */
  readonly password?: Milliseconds;
  readonly certificate?: Milliseconds;
}

type Credentials = Pick<DeviceState, 'accounts' | 'ssl'>;

/** The credentials of every device, and how many were assumed. */
interface ClonedCredentials {
  of(deviceId: string): Credentials;
  readonly assumed: Omit<Assumed, 'targets'>;
}

/** How long a credential of the simulator lives. */
const LIFE: Milliseconds = 365 * 86_400_000;

/** The dates that were read of each device, or listed; otherwise dates spread by its id. */
export function cloneCredentials(
  rows: readonly Device[],
  { facts }: Pick<Snapshot, 'facts'>,
  { at, lives }: { readonly at: Instant; readonly lives: Lives },
): ClonedCredentials {
  const assumed = { passwords: 0, certificates: 0 };
  const all = new Map<string, Credentials>();
  for (const row of rows) {
    const { passwords, certificates } = facts(row.id);
    const password = passwordDates(row, passwords) ?? assume('password', row, { at, lives });
    const certificate =
      certificateDates(row, certificates) ?? assume('certificate', row, { at, lives });
    if (password?.isAssumed) assumed.passwords += 1;
    if (certificate?.isAssumed) assumed.certificates += 1;
    all.set(row.id, {
      accounts: password
        ? [{ userName: 'admin', lastChanged: second(password.from), expiry: second(password.to) }]
        : [],
      ...(certificate && {
        ssl: {
          serial: sha256(row.id).slice(0, 16),
          notBefore: second(certificate.from),
          notAfter: second(certificate.to),
        },
      }),
    });
  }
  return { of: (id) => all.get(id) ?? { accounts: [] }, assumed };
}

interface Dates {
  readonly from: Instant;
  readonly to: Instant;
  readonly isAssumed?: boolean;
}

/** Undefined where they were not read; a read without a date, or without success, has none either. */
function passwordDates(
  { passwordChangedAt, passwordExpiresAt }: Device,
  read: ReturnType<Snapshot['facts']>['passwords'],
): Dates | undefined {
  if (typeof read === 'object') return dates(read.changedAt, read.expiresAt);
  return dates(passwordChangedAt, passwordExpiresAt);
}

function certificateDates(
  { sslCertificateExpiresAt }: Device,
  read: ReturnType<Snapshot['facts']>['certificates'],
): Dates | undefined {
  if (typeof read === 'object') return dates(read.notBefore, read.notAfter);
  return dates(undefined, sslCertificateExpiresAt);
}

function dates(from: Instant | undefined, to: Instant | undefined): Dates | undefined {
  if (from === undefined && to === undefined) return undefined;
  return { from: from ?? (to ?? 0) - LIFE, to: to ?? (from ?? 0) + LIFE };
}

/** Dates for a credential that policies rotate and that was not read: somewhere in the life they allow. */
function assume(
  what: keyof Lives,
  row: Device,
  { at, lives }: { readonly at: Instant; readonly lives: Lives },
): Dates | undefined {
  const life = lives[what];
  const task = TASK_TYPES.find((each) => TASKS[each].credential === what);
  const isOffered = Object.entries(row.available).some(
    ([name, offered]) => name === task && offered,
  );
  if (life === undefined || !isOffered) return undefined;
  const from = at - (stableHash(what, row.id) / HASH_SPAN) * life;
  return { from, to: from + Math.max(life, what === 'password' ? LIFE : 0), isAssumed: true };
}

function second(at: Instant): Instant {
  return Math.floor(at / 1_000) * 1_000;
}
