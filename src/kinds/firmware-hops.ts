import type { Values } from '../model/plan/change.ts';
import type { IntentState } from '../model/ledger/memory.ts';
import type { FirmwarePolicy } from '../model/documents/policy.ts';
import { sameVersion, type Running } from './firmware-target.ts';

/** The way of one device to its wanted version, which is the last of the hops. */
export interface Way {
  readonly running: Running;
  /** Those that are left; none is the version that runs. */
  readonly hops: readonly string[];
  /** The service counts the version that runs among the hops: the way has begun. */
  readonly begun: boolean;
}

/** The next hop, and where it is not the last one the versions between and the one in the end. */
export function afterHop([hop = '', ...later]: readonly string[]): Values {
  const final = later.at(-1);
  if (final === undefined) return { firmwareVersion: hop };
  const between = later.slice(0, -1).join(', ');
  return { firmwareVersion: hop, ...(between && { via: between }), finalVersion: final };
}

/**
 * How many hops must fit before the window closes, where that is not the next one alone. With
 * `restAtIntermediate: forbid` the first one waits until all of them do. A device that rests on its way
 * already has to go on (semantics F8): the service says so, or the ledger that our last hop was one.
 */
export function hopsTogether(
  { restAtIntermediate }: Pick<FirmwarePolicy, 'restAtIntermediate'>,
  { running, hops, begun }: Way,
  past: readonly IntentState[],
): { readonly together?: number } {
  if (restAtIntermediate === 'allow' || hops.length < 2) return {};
  return begun || rests(running, past) ? {} : { together: hops.length };
}

/** What was done last brought it here, on the way to another version. */
function rests(running: Running, past: readonly IntentState[]): boolean {
  const isHere = ({ target }: IntentState): boolean =>
    sameVersion(running, target, running.firmwareVersion);
  const last = past.findLast((intent) => intent.verdict === 'done' || isHere(intent));
  return last?.towards !== undefined && isHere(last);
}
