import { flatKey } from '../../lib/intern.ts';
import type { Params } from '../error.ts';
import type { Instant } from '../../lib/time.ts';

/**
 * Why a change has its action: the closed list of the decision order (semantics K20), and the codes
 * that apply adds (K25). A reason explains; no decision uses it.
 */
export const REASON_CODES = [
  'notSelected',
  'unmanaged',
  'notDiscovered',
  'unsupported',
  'notComparable',
  'notRead',
  'alreadyConverged',
  'blockedVendor',
  'hold',
  'exclude',
  'pinned',
  'incidentEnded',
  'frozenHard',
  'siteWithoutZone',
  'notDue',
  'inDoubt',
  'quarantined',
  'awaitsApproval',
  'busy',
  'offline',
  'unknown',
  'rolloutPaused',
  'rolloutAborted',
  'correlatedOutage',
  'waveNotOpen',
  'gatePending',
  'approvalPending',
  'frozen',
  'windowClosed',
  'pastCutoff',
  'refused',
  'budgetExhausted',
  'apiBudget',
  'act',
  'stale',
  'left',
  'gone',
  'interrupted',
  'notReached',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

/** A more precise word for a code, where there is one. */
export type ReasonWhy =
  // unsupported
  | 'taskUnavailable'
  | 'noPath'
  | 'noTargetFirmware'
  | 'endOfSupport'
  | 'downgrade'
  | 'valueUnknown'
  | 'ageNotShown'
  | 'lastSeenOff'
  | 'renewalLoop'
  | 'datesContradict'
  | 'expired'
  | 'enrichmentRequired'
  | 'archived'
  | 'duplicate'
  // hold
  | 'exceptionUnclear'
  // notComparable
  | 'downgradeUnclear'
  | 'selectorUnclear'
  // alreadyConverged
  | 'stillDiscovered'
  // notDue
  | 'age'
  | 'spread'
  | 'deferral'
  | 'cooldown'
  | 'backoff'
  | 'offlineGrace'
  | 'symptomNotHeld'
  | 'noSymptom'
  | 'maxPerDay'
  | 'maxPerSite'
  | 'firstDay'
  // quarantined
  | 'retriesUsed'
  | 'maxPerDevice'
  | 'escalated'
  // incidentEnded
  | 'takenOver'
  // awaitsApproval
  | 'approvalExpired'
  // notReached
  | 'refused'
  | 'endedEarly'
  // stale
  | 'replanned'
  // busy
  | 'ours'
  | 'foreign'
  | 'soak'
  | 'gap'
  | 'maintenanceMode'
  // rolloutPaused
  | 'person'
  | 'orphanedPause'
  | 'orphanedRollout'
  | 'orphanedAttempt'
  // waveNotOpen
  | 'canaryPace'
  | 'outsidePart'
  // approvalPending
  | 'singleton'
  // budgetExhausted
  | 'noRoomEver'
  | 'downAlready'
  | 'inOurHands'
  // gatePending (`soak` too)
  | 'emptyWave'
  | 'minReached'
  | 'minSuccess'
  | 'onTheWay'
  | 'checks'
  // act
  | 'versionDiffers'
  | 'belowMinVersion'
  | 'nextHop'
  | 'ageReached'
  | 'renewalDue'
  | 'expiryReached'
  | 'ageUnknown'
  | 'generationRaised'
  | 'incident'
  | 'incidentEnded'
  | 'symptomHeld'
  | 'listed'
  | 'matched'
  | 'pinned'
  | 'expedited'
  | 'retry';

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
