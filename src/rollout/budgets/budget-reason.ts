import type { Params } from '../../model/error.ts';
import type { Reason, ReasonWhy } from '../../model/plan/reason.ts';
import type { BudgetRefusal } from './budget-tracker.ts';
import { isTakenByDevices, type Headroom } from './headroom.ts';

/**
 * Returns a refusal as the reason of a waiting change: step K17 of the decision order, or K13 where
 * a set of one needs an approval.
 */
export function toReason({ budget, scope, blocked, headroom, isAlone }: BudgetRefusal): Reason {
  const params = { budget, scope };
  if (blocked === 'approval')
    return { code: 'approvalPending', why: 'singleton', next: 'never', params };
  if (blocked === 'never') {
    const members = isAlone === true && { members: 1 };
    const reason = { code: 'budgetExhausted', why: 'noRoomEver', next: 'never' } as const;
    return { ...reason, params: { ...params, ...members } };
  }
  if (headroom === undefined) return { code: 'budgetExhausted', params };
  const why = whyTaken(headroom);
  return {
    code: 'budgetExhausted',
    ...(why && { why }),
    params: { ...params, ...headroomParams(headroom), ...(why && countPeers(scope, headroom)) },
  };
}

/** No exception raises the limit of a redundancy group (semantics N47): its peers have to come back. */
function countPeers(scope: string, headroom: Headroom): Params {
  return scope === 'redundancyGroup' && 'down' in headroom ? { peers: headroom.down } : {};
}

function whyTaken(headroom: Headroom): ReasonWhy | undefined {
  if ('mostInHands' in headroom) return headroom.inHands > 0 ? 'inOurHands' : undefined;
  return isTakenByDevices(headroom) ? 'downAlready' : undefined;
}

/**
 * Leaves out zero counts. Where this plan alone uses the whole limit, no parameters remain, so that
 * all sets share one class.
 */
function headroomParams(headroom: Headroom): Params {
  if ('atOnce' in headroom) return { atOnce: headroom.atOnce };
  if ('mostInHands' in headroom) {
    const { mostInHands: limit, inHands, devices, idle } = headroom;
    const isStuck = idle >= limit && { idle };
    return devices === undefined ? {} : { limit, inHands, devices, ...isStuck };
  }
  const { limit, members, down, devices, kinds, perhaps, missingIds, given } = headroom;
  if (devices === undefined) return {};
  return {
    limit,
    members,
    down,
    devices,
    ...kinds,
    ...(perhaps !== undefined && { perhaps }),
    ...(missingIds !== undefined && { missingIds }),
    ...(given > 0 && { given }),
  };
}
