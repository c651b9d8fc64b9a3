import { canonical, type Json, sha256 } from '../lib/canonical.ts';
import { compareTexts } from '../lib/text-order.ts';
import { readPath } from '../model/plan/upgrade-path.ts';
import { toMark } from '../model/fleet/mark.ts';
import { TASK_OF, TASKS } from '../model/fleet/task.ts';
import type { IntentState } from '../model/ledger/memory.ts';
import { boundPassed, isReadLate, passedKey, type Change } from '../model/plan/change.ts';
import type { OutcomeParts } from '../model/plan/outcome.ts';

/** One field of a change that a person approves. */
interface ApprovedField {
  readonly name: string;
  /**
   * `change`: with another value it is another change. `plan`: only the plan is another one; the
   * change is still approved.
   */
  readonly binds: 'change' | 'plan';
  read(change: Change): Json | undefined;
  /** The value to compare, if it is not the field itself. */
  compared?(change: Change): Json | undefined;
  /** Whether an approval of one value covers another one, where not only equal values are covered. */
  covers?(approved: Change, current: Change): boolean;
  /** The value that the ID of a plan has, if it is not the field itself. */
  listed?(change: Change): Json | undefined;
  /**
   * Which half of an outcome it belongs to: what the documents require, or what the device shows
   * (semantics N71). Absent: neither.
   */
  readonly half?: 'desired' | 'observed';
  /** Without it an outcome has the digest that it had before there was this field. */
  readonly isNew?: true;
}

/** The parts of an outcome: the fields of a change, as an approval binds them. */
export type OutcomeSource = Pick<
  Change,
  | 'task'
  | 'device'
  | 'policy'
  | 'payload'
  | 'window'
  | 'order'
  | 'passes'
  | 'target'
  | 'generation'
  | 'before'
>;

/**
 * The approved fields (protocol X12, X13), for a plan's ID, for comparing it with a later plan, and
 * for the last look before a POST. None depends on the clock but what a change passes. A device's wave is not included,
 * because it is decided again while devices are added and removed.
 */
const APPROVED_FIELDS: readonly ApprovedField[] = [
  { name: 'task', binds: 'change', half: 'desired', read: ({ task }) => task },
  { name: 'device', binds: 'change', half: 'desired', read: ({ device }) => device.id },
  {
    name: 'target',
    binds: 'change',
    half: 'desired',
    read: ({ target }) => target,
    compared: comparedTarget,
    listed: listedTarget,
  },
  { name: 'generation', binds: 'change', read: ({ generation }) => generation },
  { name: 'before', binds: 'change', half: 'observed', read: ({ before }) => before },
  { name: 'after', binds: 'change', read: ({ after }) => after },
  { name: 'policy', binds: 'change', half: 'desired', read: ({ policy }) => policy },
  { name: 'payload', binds: 'change', half: 'desired', read: ({ payload }) => payload },
  { name: 'order', binds: 'change', half: 'desired', isNew: true, read: ({ order }) => order },
  { name: 'passes', binds: 'change', read: passedIn, covers: coversPassed },
  { name: 'wave', binds: 'plan', read: ({ wave }) => wave },
  // What `isSameHardware` compares has to be in the ID: a file edited to fit another device is another plan.
  { name: 'vendor', binds: 'plan', read: ({ device }) => device.vendor },
  { name: 'model', binds: 'plan', read: ({ device }) => device.model },
  { name: 'window', binds: 'change', half: 'desired', read: windowIn },
];

const OF_CHANGE = APPROVED_FIELDS.filter(({ binds }) => binds === 'change');
const WITHOUT_DEVICE = APPROVED_FIELDS.filter(({ name }) => name !== 'device');

/** Whether a change is still as it was approved, and its device the one that a person saw. */
export function isAsApproved(approved: Change, current: Change): boolean {
  return (
    isSameHardware(approved.device, current.device) &&
    OF_CHANGE.every(
      ({ read, compared = read, covers }) =>
        covers?.(approved, current) ??
        canonicalText(compared(approved)) === canonicalText(compared(current)),
    )
  );
}

/** Another vendor or model under the same ID is another device; a name or a site may change. */
function isSameHardware(approved: Change['device'], current: Change['device']): boolean {
  const { vendor = current.vendor, model = current.model } = approved;
  return vendor === current.vendor && model === current.model;
}

/**
 * The digests of an outcome, from the same fields (semantics N71). A generation is what the
 * documents require of a credential; of any other task it counts what was done before.
 */
export function outcomeDigests(source: OutcomeSource): OutcomeParts {
  const whole = { ...source, after: {} } as Change;
  const half = (which: 'desired' | 'observed'): string =>
    digestOfFields(
      APPROVED_FIELDS.filter((field) => halfFor(field, source) === which),
      whole,
    );
  const passed = boundPassed(whole).map((each) => sha256(passedKey(each)).slice(0, 8));
  return { desired: half('desired'), observed: half('observed'), passed: passed.sort() };
}

function halfFor({ name, half }: ApprovedField, { task }: OutcomeSource): ApprovedField['half'] {
  if (name !== 'generation') return half;
  return TASKS[task].credential === undefined ? 'observed' : 'desired';
}

function digestOfFields(fields: readonly ApprovedField[], change: Change): string {
  const values = fields.flatMap(({ name, read, isNew }) => {
    const value = read(change) ?? null;
    return isNew && value === null ? [] : [[name, value] as const];
  });
  return sha256(canonical(Object.fromEntries(values))).slice(0, 16);
}

/**
 * The part of one change that a plan's ID covers, as canonical JSON: the text before the ID of the
 * device and the text after it, which many devices share.
 */
export function approvedText(change: Change): readonly [before: string, after: string] {
  const [before, after] = AROUND_DEVICE.map((fields) => membersText(fields, change));
  return [`{${before},"device":`, `,${after}}`];
}

const BY_NAME = APPROVED_FIELDS.toSorted((a, b) => compareTexts(a.name, b.name));
const AT_DEVICE = BY_NAME.findIndex(({ name }) => name === 'device');
/** Neither part is ever empty: a change has values before and after, and a task. */
const AROUND_DEVICE = [BY_NAME.slice(0, AT_DEVICE), BY_NAME.slice(AT_DEVICE + 1)];

function membersText(fields: readonly ApprovedField[], change: Change): string {
  const members: string[] = [];
  for (const { name, read, listed = read } of fields) {
    const value = listed(change);
    if (value !== undefined) members.push(`"${name}":${canonical(value)}`);
  }
  return members.join(',');
}

/** The values of that part without the device, so that many devices share one list. */
export function approvedValues(change: Change): readonly (Json | undefined)[] {
  return WITHOUT_DEVICE.map(({ read }) => read(change));
}

/** A plan may know of a credential only whether it is the same, where the last look has read it (semantics N24). */
function comparedTarget(change: Change): Json {
  // A rotation that the documents request themselves gets its target from the last look (N11, N56).
  if (isReadLate(change)) return null;
  const { task, device, target } = change;
  return TASKS[task].credential === undefined ? target : toMark(device.id, target);
}

/**
 * The ID has the dates of a credential, and its mark only where it shows none (semantics N24). So a fact
 * with another mark makes no other plan; the last look still compares it, which delays its device
 * alone (N14). What the documents ask for by themselves is read only then (N11).
 */
function listedTarget(change: Change): Json {
  const { task, before, target } = change;
  if (TASKS[task].credential === undefined) return target;
  const isDated = Object.values(before).some((value) => value !== null);
  return isDated || isReadLate(change) ? '' : target;
}

/** What a change passes, in a fixed order; of a change that passes nothing the ID of a plan says nothing. */
function passedIn(change: Change): Json | undefined {
  const keys = boundPassed(change).map(passedKey).sort(compareTexts);
  return keys.length > 0 ? keys : undefined;
}

/** A change may pass less than was approved, never more (semantics M26). */
function coversPassed(approved: Change, current: Change): boolean {
  const shown = new Set(boundPassed(approved).map(passedKey));
  return boundPassed(current).every((passed) => shown.has(passedKey(passed)));
}

/** A window and its zone, without its next opening, which depends on the clock. */
function windowIn({ window }: Change): Json | undefined {
  return window && { name: window.name, zone: window.zone };
}

function canonicalText(value: Json | undefined): string {
  return canonical(value ?? null);
}

/** A version on the way to another one. */
interface Step {
  readonly version: string;
  /** The final version of its path. */
  readonly target: string;
  readonly generation: number;
}

/**
 * The start of fleetform's verified steps towards a target: the version that a person saw, and the
 * generation of the first step.
 * @param past the intents of the device and the task, oldest first
 * @param here the current version
 */
export function findFirstStep(
  past: readonly IntentState[],
  here: Step,
): Pick<Step, 'version' | 'generation'> {
  let { version, generation } = here;
  for (let left = past.length; left > 0; left -= 1) {
    const step = past.findLast(
      (intent) =>
        intent.verdict === 'done' && intent.target === version && intent.towards === here.target,
    );
    if (!step) break;
    ({ generation } = step);
    version = step.marker;
  }
  return { version, generation };
}

/**
 * Whether a change is a later step of an approved upgrade, whose steps before it are our own and
 * verified. An approval covers it, since it shows the final version (semantics N71): what a plan did
 * itself to a device makes nothing of it stale.
 * @param past the intents of the device and the task, oldest first
 */
export function isLaterStep(
  approved: Change,
  current: Change,
  past: readonly IntentState[],
): boolean {
  const { task, generation } = current;
  if (task !== TASK_OF.firmware) return false;
  const [meant, here] = [readPath(approved), readPath(current)];
  if (here.from === undefined || here.final === undefined) return false;
  if (here.from === meant.from || here.final !== meant.final) return false;
  const step = { version: here.from, target: here.final, generation };
  if (findFirstStep(past, step).version !== meant.from) return false;
  const { target, generation: first, before, after } = approved;
  return isAsApproved(approved, { ...current, target, generation: first, before, after });
}
