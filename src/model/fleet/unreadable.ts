import type { Device } from './device.ts';

/** A row with the names of its fields that could not be parsed. */
type Marked = Pick<Device, 'unreadable'>;

/** Whether one of these fields was sent but could not be parsed. */
export function isUnreadable({ unreadable }: Marked, ...fields: readonly string[]): boolean {
  return unreadable !== undefined && fields.some((field) => unreadable.includes(field));
}

/**
 * Fields that may decide about every task on a device: selectors, groups, freezes, exceptions and
 * budgets use them. A device with one of them unparsed may be on hold, frozen or down.
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

/** The first unparsed field that may decide: one of all tasks, or one of `others`. */
export function undecidedBy(
  { unreadable = [] }: Marked,
  others: readonly string[],
): string | undefined {
  return unreadable.find((field) => DECIDES.has(field) || others.includes(field));
}
