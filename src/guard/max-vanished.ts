import type { LimitRule } from './rule.ts';

/**
 * Counts devices that the service showed at the last attempt of a run and does not show now: a sign
 * of changed permissions, and budgets do not count hidden devices. It applies to all wanted
 * changes, those of running rollouts included; an exception raises it only if it covers every
 * counted change.
 */
export const maxVanished: LimitRule = ({
  limit,
  allowances,
  counted,
  snapshot,
  memory,
  isWanted,
}) => {
  const { lastVisible: total = snapshot.devices.length } = memory;
  const number = Math.max(0, total - snapshot.devices.length);
  const higher = allowances.findLast(
    ({ value, covers }) => value > limit && counted.every((change) => covers(change)),
  );
  const raised = number > limit ? higher : undefined;
  const allowed = raised?.value ?? limit;
  const value = allowed;
  const passed = !isWanted || number <= allowed;
  return [{ value, number, allowed, of: total, passed, ...(raised && { raisedBy: raised.by }) }];
};
