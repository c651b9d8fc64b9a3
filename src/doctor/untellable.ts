import type { Dialect, DialectKey } from '../model/fleet/dialect.ts';
import type { Assessment, Assessments } from './findings.ts';
import { fits, listLeaves } from './inventory.ts';
import type { AnswerRow } from './probing.ts';

/** What only a POST, a task or the owner of the service can show. */
const POST_KEYS: readonly DialectKey[] = [
  'maxDevicesPerTask',
  'taskDeviceField',
  'onboardDeviceField',
  'onboardSecondField',
  'onboardSecondSource',
  'payloadPlace',
  'upgradeVersionField',
  'upgradeMembers',
];
const TASK_KEYS: readonly DialectKey[] = ['onboardedId', 'onboardedIdField'];

/** Ids that come as numbers are probably sent as numbers, too; nothing but a POST proves it. */
export function judgeUntellable(
  devices: readonly AnswerRow[],
  discovered: readonly AnswerRow[],
  { discoveredIdField, taskDeviceType, onboardDeviceType }: Dialect,
): Assessments {
  const post: Assessment = { verdict: 'untellable', code: 'postOnly' };
  return new Map<DialectKey, Assessment>([
    ...POST_KEYS.map((key) => [key, post] as const),
    ...TASK_KEYS.map((key) => [key, { verdict: 'untellable', code: 'taskOnly' }] as const),
    ['autoSettleNegative', { verdict: 'untellable', code: 'ownerOnly' }],
    ['taskDeviceType', idType(devices, 'id', taskDeviceType)],
    ['onboardDeviceType', idType(discovered, discoveredIdField, onboardDeviceType)],
  ]);
}

function idType(rows: readonly AnswerRow[], path: string, assumed: string): Assessment {
  const leaf = listLeaves(rows).find((each) => each.path === path);
  const isNumeric = leaf !== undefined && fits(leaf, 'number');
  if (!isNumeric) return { verdict: 'untellable', code: 'postOnly' };
  const possible = assumed === 'number' ? {} : { possible: 'number' };
  return { verdict: 'untellable', code: 'numericIds', ...possible };
}
