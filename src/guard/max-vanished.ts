import type { LimitRule } from './rule.ts';

/**
 * Devices that the service showed when a run last attempted something, and does not show now: that looks
 * like a change of permissions, and budgets no longer count what is hidden. It holds for everything that
 * is wanted, running rollouts too; an exception lifts it only if it covers every counted change.
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
