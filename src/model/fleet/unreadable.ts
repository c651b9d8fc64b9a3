import type { Device } from './device.ts';
import type { Credential } from './task.ts';

/** A row with the names of its fields that could not be parsed. */
type Marked = { readonly unreadable?: Device['unreadable'] | undefined };

/** Whether one of these fields was sent but could not be parsed. */
export function isUnreadable({ unreadable }: Marked, ...fields: readonly string[]): boolean {
  return unreadable !== undefined && fields.some((field) => unreadable.includes(field));
}

/**
 * Fields that decide about every task on a device, whatever the documents say: whether it is down, in which sets of
 * budgets it is, how risky the task is, and how long it takes. Of other fields only what needs them waits: a selector is
 * unclear about them (semantics M20), and a kind names its own.
 */
const DECIDES: ReadonlySet<string> = new Set([
  'available',
  'deviceType',
  'id',
  'lastSeen',
  'maintenanceMode',
  'model',
  'sites',
  'sources',
  'status',
  'storageServer',
  'vendor',
]);

/** The fields of a row with the dates of a credential. */
export const DATE_FIELDS: Readonly<Record<Credential, readonly string[]>> = {
  password: ['passwordChangedAt', 'passwordExpiresAt'],
  certificate: ['sslCertificateExpiresAt'],
};

/** The first unparsed field that decides: one of all tasks, or one of `others`. */
export function undecidedBy(
  { unreadable = [] }: Marked,
  others: readonly string[],
): string | undefined {
  return unreadable.find((field) => DECIDES.has(field) || others.includes(field));
}
