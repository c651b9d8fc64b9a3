import type { Device } from './device.ts';

/** A row with the names of what was not understood of it. */
type Marked = Pick<Device, 'unreadable'>;

/** Whether one of these fields was sent and not understood. */
export function isUnreadable({ unreadable }: Marked, ...fields: readonly string[]): boolean {
  return unreadable !== undefined && fields.some((field) => unreadable.includes(field));
}

/**
 * Fields that may decide about every task on a device: selectors, groups, freezes, exceptions and
 * budgets look at them. Who was not understood in one of them may be held, frozen or down for all we know.
 */
const DECIDES: ReadonlySet<string> = new Set([
  'available',
  'deviceType',
  'firmwareVersion',
  'id',
  'lastSeen',
  'maintenanceMode',
  'model',
  'name',
  'sites',
  'sources',
  'status',
  'storageServer',
  'vendor',
]);

/** The first field that was not understood and may decide: one of all tasks, or one of `others`. */
export function undecidedBy(
  { unreadable = [] }: Marked,
  others: readonly string[],
): string | undefined {
  return unreadable.find((field) => DECIDES.has(field) || others.includes(field));
}
