import { WorldError } from '../../model/error.ts';
import type { Forge, FoundRequest, RequestSubject } from '../../forge/forge-port.ts';

/** The requests with the head of a job, and why none of them may show its plan. */
export interface TargetRequests {
  /** Those that are open: a plan is posted on the only one. */
  readonly open: readonly FoundRequest[];
  readonly refusal?: WorldError;
}

/**
 * Finds the request that a plan belongs to: the one open request with the head branch and commit of the
 * job. Another one with the same head may go to another branch, against which the plan is another; so may
 * one that was closed without a merge (protocol M6).
 */
export async function findTarget(forge: Forge, subject: RequestSubject): Promise<TargetRequests> {
  const found = await forge.requestsOf(subject);
  const open = found.filter(({ state }) => state === 'open');
  const [first] = open;
  const isElsewhere = found.some(({ state, base }) => state === 'closed' && base !== first?.base);
  const why = open.length > 1 ? 'several' : isElsewhere ? 'closed' : undefined;
  if (!first || why === undefined) return { open };
  return { open, refusal: new WorldError('requestUnclear', { why }) };
}

/**
 * Requires that a plan compares with a commit of the branch that its request goes to. Throws
 * `requestUnclear` (protocol M6).
 */
export async function requireOwnBase(
  forge: Forge,
  { base }: FoundRequest,
  commit: string | undefined,
): Promise<void> {
  const isOwn = commit !== undefined && (await forge.mergeBase(base, commit)) === commit;
  if (!isOwn) throw new WorldError('requestUnclear', { why: 'base', branch: base });
}
