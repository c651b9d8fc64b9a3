import { listFirst } from '../../lib/text-order.ts';
import { listPolicies } from '../../model/documents/policies.ts';
import type { Params } from '../../model/error.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import { afterOf } from '../../model/documents/policy.ts';
import { locateValue } from '../../model/documents/source.ts';
import { type Change, isWanted } from '../../model/plan/change.ts';
import { addTo } from '../../lib/maps.ts';
import { knownSites, type Prepared } from '../decide/decision-input.ts';

/** How many devices are named. */
const NAMED = 3;

/**
 * What `after` does not wait for where changes of its policy are left (semantics K29): devices that are left out, and
 * sites where the policy that comes first has none.
 */
export function* orderGaps(
  { documents, snapshot: { devices }, predecessors }: Prepared,
  changes: Iterable<Change>,
): Generator<Diagnostic> {
  if (!predecessors) return;
  const waiting = new Map<string, Change[]>();
  for (const change of changes)
    if (change.order && isWanted(change)) addTo(waiting, change.policy, change);
  for (const policy of listPolicies(documents))
    for (const [index, after] of afterOf(policy.value).entries()) {
      const { address } = policy.value;
      const sitesOf = (id: string) => knownSites(devices.at(devices.rowOf(id) ?? 0));
      const found = new Map(
        waiting.get(address)?.map(({ device: { id, site = '' } }) => {
          return [predecessors.of(after, sitesOf(id)), site] as const;
        }),
      );
      const leftOut = new Set(
        [...found.keys()].flatMap((each) => each.leftOut.map(({ id }) => id)),
      );
      const none = [...found].filter(([{ count, holds }]) => count + holds.length === 0);
      const sites = none.map(([, site]) => site);
      const place = { severity: 'warning', at: locateValue(policy, `/after/${index}`) } as const;
      const params = { policy: address, after: after.policy };
      if (leftOut.size > 0) yield { ...gap([...leftOut], true, params), ...place };
      if (sites.length > 0) yield { ...gap(sites, false, params), ...place };
    }
}

function gap(found: readonly string[], isLeft: boolean, params: Params) {
  const { length: count } = found;
  const devices = listFirst(found, NAMED);
  return isLeft
    ? ({ code: 'afterLeavesOut', params: { ...params, count, devices } } as const)
    : ({
        code: 'afterHasNone',
        params: { ...params, sites: count, site: found[0] ?? '' },
      } as const);
}
