import { flatKey } from '../../lib/intern.ts';
import type { Params } from '../error.ts';
import type { Instant } from '../../lib/time.ts';
import type { ReasonCode, ReasonWhy } from './plan.gen.ts';

export type { ReasonCode, ReasonWhy } from './plan.gen.ts';

/**
 * Who has to act before a change can continue: `time` is a window, a soak, a date or a running task;
 * `nobody` is a change that is not meant to happen.
 */
export type Actor = 'person' | 'time' | 'nobody';

/**
 * Why a change has its action: the closed list of the decision order (semantics K20), and the codes
 * that apply adds (K25); with who has to act (semantics N85), which sums, tables, hints and every
 * renderer take from here. A reason explains; no decision uses it.
 */
export const REASON_ACTORS = {
  notSelected: 'nobody',
  unmanaged: 'person',
  notDiscovered: 'time',
  unsupported: 'person',
  notComparable: 'person',
  notRead: 'time',
  alreadyConverged: 'nobody',
  blockedVendor: 'nobody',
  hold: 'time',
  exclude: 'nobody',
  pinned: 'nobody',
  incidentEnded: 'person',
  frozenHard: 'time',
  siteWithoutZone: 'person',
  notDue: 'time',
  inDoubt: 'person',
  quarantined: 'person',
  awaitsApproval: 'person',
  busy: 'time',
  offline: 'time',
  unknown: 'person',
  rolloutPaused: 'person',
  rolloutAborted: 'person',
  correlatedOutage: 'person',
  orderPending: 'time',
  waveNotOpen: 'time',
  gatePending: 'time',
  approvalPending: 'person',
  frozen: 'time',
  windowClosed: 'time',
  pastCutoff: 'time',
  refused: 'person',
  budgetExhausted: 'time',
  apiBudget: 'time',
  act: 'time',
  stale: 'person',
  left: 'nobody',
  gone: 'nobody',
  interrupted: 'time',
  notReached: 'time',
} as const satisfies Readonly<Record<ReasonCode, Actor>>;
export const REASON_CODES = Object.keys(REASON_ACTORS) as readonly ReasonCode[];

export interface Reason {
  readonly code: ReasonCode;
  readonly why?: ReasonWhy;
  /** Since when the reason has applied, where that is known. */
  readonly since?: Instant;
  /**
   * When the change may next be possible; `never` where only people or documents can change that.
   */
  readonly next?: Instant | 'never';
  readonly params?: Params;
}

/** A text that differs where reasons do, apart from their instants. */
export function reasonKey({ code, why, params }: Reason): string {
  return `${code} ${why ?? ''} ${params ? `{${flatKey(params)}}` : ''}`;
}
