import type { Change, Values } from '../model/change.ts';
import { ACTIONS, CAUSES, GROUPS, RISKS } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import { BEHIND, PLAN_VERSION } from '../model/plan.ts';
import { REASON_CODES } from '../model/reason.ts';
import { TASK_TYPES } from '../model/task.ts';
import { changeId } from './identify.ts';

/**
 * Whether a value read from a file can be worked with as a change; it may say nothing true all the
 * same.
 */
export function isChange(value: unknown): value is Change {
  if (!isRecord(value) || !isRecord(value.device) || !isRecord(value.at)) return false;
  const { device, at, task } = value;
  return (
    isOneOf(TASK_TYPES, task) &&
    typeof device.id === 'string' &&
    value.id === changeId(task, device.id) &&
    typeof at.policy === 'string' &&
    isDecided(value) &&
    isBound(value)
  );
}

function isDecided({ action, cause, risk, reason, group }: Fields): boolean {
  return (
    isOneOf(ACTIONS, action) &&
    isOneOf(CAUSES, cause) &&
    isOneOf(RISKS, risk) &&
    (group === undefined || isOneOf(GROUPS, group)) &&
    isRecord(reason) &&
    isOneOf(REASON_CODES, reason.code)
  );
}

function isBound({ before, after, target, marker, generation }: Fields): boolean {
  return (
    isValues(before) &&
    isValues(after) &&
    typeof target === 'string' &&
    typeof marker === 'string' &&
    typeof generation === 'number'
  );
}

/** Whether a value read from a file can be worked with as everything of a plan but its changes. */
export function isPlanHead(value: unknown): value is Omit<Plan, 'changes'> {
  return (
    isRecord(value) &&
    value.version === PLAN_VERSION &&
    typeof value.id === 'string' &&
    typeof value.evaluatedAt === 'string' &&
    typeof value.expiresAt === 'string' &&
    isRecord(value.inputs) &&
    [value.inputs.service, value.inputs.snapshot, value.inputs.ledger].every(isRecord) &&
    isRecord(value.counts) &&
    [value.notes, value.waves, value.verdicts, value.warnings].every(Array.isArray) &&
    (value.origins === undefined || Array.isArray(value.origins)) &&
    (value.hours === undefined || isHours(value.hours)) &&
    (value.base === undefined || isBase(value.base))
  );
}

function isHours(value: unknown): boolean {
  if (!isRecord(value) || typeof value.until !== 'string') return false;
  const { windows, freezes } = value;
  return isListOf(windows, isOpenAtTimes) && isListOf(freezes, isRecord);
}

function isOpenAtTimes(value: unknown): boolean {
  if (!isRecord(value) || typeof value.name !== 'string') return false;
  const { spans, freezes = [] } = value;
  return isListOf(spans, isRecord) && isListOf(freezes, isOpenAtTimes);
}

function isListOf(value: unknown, isOne: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

function isBase(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.ref === 'string' &&
    typeof value.commit === 'string' &&
    isRecord(value.counts) &&
    Array.isArray(value.gone) &&
    (value.behind === undefined || isBehind(value.behind))
  );
}

function isBehind(value: unknown): boolean {
  if (!isRecord(value) || typeof value.lacks !== 'number') return false;
  const { is, files = [] } = value;
  return isOneOf(BEHIND, is) && isListOf(files, (file) => typeof file === 'string');
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOneOf<T extends string>(list: readonly T[], value: unknown): value is T {
  return list.some((each) => each === value);
}

function isValues(value: unknown): value is Values {
  return (
    isRecord(value) &&
    Object.values(value).every((each) => each === null || typeof each !== 'object')
  );
}
