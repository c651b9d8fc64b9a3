import { canonical, type Json } from '../lib/canonical.ts';
import type { Change } from '../model/plan/change.ts';

/** One thing about a change that a person approves. */
interface ApprovedField {
  readonly name: string;
  /** `change`: another value is another change. `plan`: it is another plan, and the change goes on. */
  readonly binds: 'change' | 'plan';
  read(change: Change): Json | undefined;
}

/**
 * What was approved (protocol X12, X13), for the id of a plan, the comparison of a plan with a later one and
 * the last look before a POST. Nothing in it moves with the clock. In which wave a device is, is decided
 * anew while devices come and go.
 */
const APPROVED_FIELDS: readonly ApprovedField[] = [
  { name: 'task', binds: 'change', read: ({ task }) => task },
  { name: 'device', binds: 'change', read: ({ device }) => device.id },
  { name: 'target', binds: 'change', read: ({ target }) => target },
  { name: 'generation', binds: 'change', read: ({ generation }) => generation },
  { name: 'before', binds: 'change', read: ({ before }) => before },
  { name: 'after', binds: 'change', read: ({ after }) => after },
  { name: 'policy', binds: 'change', read: ({ policy }) => policy },
  { name: 'payload', binds: 'change', read: ({ payload }) => payload },
  { name: 'wave', binds: 'plan', read: ({ wave }) => wave },
  { name: 'window', binds: 'change', read: windowIn },
];

const OF_CHANGE = APPROVED_FIELDS.filter(({ binds }) => binds === 'change');
const WITHOUT_DEVICE = APPROVED_FIELDS.filter(({ name }) => name !== 'device');

/** Whether a change is still the one that was approved. */
export function isAsApproved(approved: Change, current: Change): boolean {
  return OF_CHANGE.every(({ read }) => textOf(read(approved)) === textOf(read(current)));
}

/** All that the id of a plan covers of one change, as a text. */
export function approvedText(change: Change): string {
  return canonical(
    Object.fromEntries(APPROVED_FIELDS.map(({ name, read }) => [name, read(change)])),
  );
}

/** The same but for the device, so that many devices share one list of values. */
export function approvedValues(change: Change): readonly (Json | undefined)[] {
  return WITHOUT_DEVICE.map(({ read }) => read(change));
}

/** A window and the zone it is in; when it opens next moves with the clock. */
function windowIn({ window }: Change): Json | undefined {
  return window && { name: window.name, zone: window.zone };
}

function textOf(value: Json | undefined): string {
  return canonical(value ?? null);
}
