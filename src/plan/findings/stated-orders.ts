import { readPath } from '../../model/plan/upgrade-path.ts';
import { compareVersions, reversedPair } from '../../lib/version-order.ts';
import { type Diagnostic, warning } from '../../model/documents/diagnostic.ts';
import type { FirmwarePolicy } from '../../model/documents/policy.ts';
import { locateValue, type Sourced } from '../../model/documents/source.ts';
import { type Change, isWanted } from '../../model/plan/change.ts';
import type { PlannerInput } from '../input.ts';

/**
 * Warns where the `order` of a policy decides about wanted changes and the built-in order does not, or decides
 * otherwise (semantics M21): one warning for each policy, with the first such pair and the number of devices.
 */
export function statedOrders(
  { documents }: Pick<PlannerInput, 'documents'>,
  changes: Iterable<Change>,
): readonly Diagnostic[] {
  const policies = [...documents.firmware.values()].filter(({ value }) => value.order);
  if (policies.length === 0) return [];
  const stating = new Map(policies.map((policy) => [policy.value.address, policy]));
  const found = new Map<Sourced<FirmwarePolicy>, { pair: Pair; device: string; count: number }>();
  for (const change of changes) {
    const policy = stating.get(change.policy);
    const pair = policy && isWanted(change) ? decidedPair(change, policy.value) : undefined;
    if (!policy || !pair) continue;
    const known = found.get(policy);
    if (known) known.count += 1;
    else found.set(policy, { pair, device: change.device.id, count: 1 });
  }
  return [...found].map(([policy, { pair, device, count }]) => {
    const [older, newer, problem] = pair;
    const params = { policy: policy.value.address, older, newer, problem, device, count };
    return warning('orderStated', locateValue(policy, '/order'), params);
  });
}

/** Two versions, the older first by the policy, and what the built-in order says of them. */
type Pair = readonly [older: string, newer: string, problem: 'unknown' | 'reversed'];

function decidedPair(change: Change, { order = [] }: FirmwarePolicy): Pair | undefined {
  const { vendor } = change.device;
  const { from = '', final = '' } = readPath(change);
  const builtIn = compareVersions(vendor, from, final);
  const isStated = order.includes(from) && order.includes(final);
  if (isStated && builtIn === undefined) return [from, final, 'unknown'];
  if (isStated && builtIn !== undefined && builtIn >= 0) return [from, final, 'reversed'];
  const reversed = reversedPair(vendor, order);
  return reversed && [...reversed, 'reversed'];
}
