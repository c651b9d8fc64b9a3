import { formatInstant, type Instant } from '../../lib/time.ts';
import type { Incident, Policy } from '../../model/documents/policy.ts';
import type { Params } from '../../model/error.ts';
import { findActor } from '../../model/plan/actor.ts';
import { isWanted, type Change } from '../../model/plan/change.ts';
import type { Reason } from '../../model/plan/reason.ts';

/** What a reason says of an incident that has ended. */
export function endParams({ name, since, until }: Incident): Params {
  return { incident: name, before: formatInstant(since), until: formatInstant(until) };
}

/**
 * The reason of a change that was planned for an incident, and that a rotation policy has taken over
 * because the incident has ended (semantics N61); undefined if that is not so, or if a person has to
 * act first, as for a device that is offline.
 * @param planned the policy that the change was planned for
 * @param current the change of the same device and task in the plan of now
 */
export function takenOver(
  planned: Policy | undefined,
  current: Change,
  now: Instant,
): Reason | undefined {
  if (planned?.section !== 'rotations' || !planned.incident || now < planned.incident.until)
    return undefined;
  const { action, reason, policy } = current;
  if (policy === planned.address || !isWanted(current) || findActor(reason) === 'person')
    return undefined;
  const next = action === 'run' ? now : reason.next;
  const params = { ...endParams(planned.incident), by: policy };
  return { code: 'incidentEnded', why: 'takenOver', params, ...(next !== undefined && { next }) };
}
