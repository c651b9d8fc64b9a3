import type { Reason, ReasonCode, ReasonWhy } from '../../../model/plan/reason.ts';
import type { Sink } from '../../sinks/sinks.ts';
import { findWord } from '../entry.ts';
import { type PageTime, withReadableInstants } from '../moment.ts';
import { fill, type Phrase } from '../phrase.ts';

/** A reason in one or two words, for filters, columns and lines. */
export const REASON_LABELS: Readonly<Record<ReasonCode, string>> = {
  notSelected: 'not selected',
  unmanaged: 'not managed',
  notDiscovered: 'not discovered',
  unsupported: 'not possible',
  notComparable: 'cannot compare versions',
  notRead: 'not read yet',
  alreadyConverged: 'up to date',
  blockedVendor: 'vendor blocked',
  hold: 'held',
  exclude: 'excluded',
  pinned: 'pinned',
  incidentEnded: 'incident over',
  frozenHard: 'hard freeze',
  siteWithoutZone: 'site without time zone',
  notDue: 'not due',
  inDoubt: 'in doubt',
  quarantined: 'quarantined',
  awaitsApproval: 'awaits approval',
  busy: 'busy',
  offline: 'offline',
  unknown: 'status unknown',
  rolloutPaused: 'rollout paused',
  rolloutAborted: 'rollout aborted',
  correlatedOutage: 'probable network outage',
  waveNotOpen: 'wave not open',
  gatePending: 'gate not passed',
  approvalPending: 'needs approval',
  frozen: 'freeze',
  refused: 'policy refused',
  windowClosed: 'outside window',
  pastCutoff: 'past cutoff',
  budgetExhausted: 'budget full',
  apiBudget: 'no requests left',
  act: 'due now',
  stale: 'stale',
  left: 'no longer selected',
  gone: 'not returned by the service',
  interrupted: 'interrupted',
  notReached: 'not reached',
};

/** The same for a more precise word, where its code alone says too little. */
const WHY_LABELS: Readonly<Partial<Record<ReasonWhy, string>>> = {
  taskUnavailable: 'task not available',
  noPath: 'no upgrade path',
  noTargetFirmware: 'no approved firmware',
  endOfSupport: 'end of support',
  downgrade: 'downgrade',
  exceptionUnclear: 'held, as an exception may select it',
  selectorUnclear: 'unclear whether the policy selects it',
  valueUnknown: 'value unreadable',
  datesContradict: 'dates contradict',
  expired: 'expired',
  spread: 'scheduled day within spread',
  deferral: 'version deferred',
  backoff: 'after a failed attempt',
  offlineGrace: 'back online, grace period',
  maxPerDay: 'daily limit reached',
  maxPerSite: 'limit of the site reached',
  maintenanceMode: 'in maintenance mode',
  soak: 'soak',
  gap: 'cooling down',
  ours: 'task running',
  foreign: "another client's task running",
  orphanedPause: 'paused under an address of no policy',
  orphanedRollout: 'in the rollout of an address of no policy',
  orphanedAttempt: 'attempted by an address of no policy',
  downAlready: 'budget used by devices that are down',
};

/** A reason in a few words; a code that this version does not know is shown as is. */
export function reasonLabel({ code, why }: Pick<Reason, 'code' | 'why'>): string {
  return (
    (why && findWord<string>(WHY_LABELS, why)) ?? findWord<string>(REASON_LABELS, code) ?? code
  );
}

/** Somebody has acknowledged it, or something that has no end holds the change as well (semantics M33, K26). */
const ALSO_HELD: readonly (readonly [param: string, next: Phrase])[] = [
  ['acknowledged', 'acknowledged by exception {acknowledged}[ until {acknowledgedUntil}]'],
  [
    'alsoPaused',
    'lift the pause of {alsoPaused}, too: `fleetform resume {alsoPaused} --reason R[ --ticket {alsoTicket}]`',
  ],
  [
    'alsoStopped',
    'find out why {alsoStopped} was stopped, too, then `fleetform resume {alsoStopped} --ticket T --reason R`',
  ],
  [
    'alsoAborted',
    'set another version or generation, too: the rollout of {alsoAborted} was aborted',
  ],
  ['alsoFrozen', 'end freeze {alsoFrozen} earlier, too: it lasts for more than 400 days'],
  [
    'incidentEnds',
    'its incident ends first: add a new incident, or a rotation policy that selects it',
  ],
];

/** What a person does about that; undefined where nothing else holds it. */
export function alsoHeld({ params = {} }: Reason, sink: Sink, page: PageTime): string | undefined {
  const phrase = ALSO_HELD.find(([param]) => params[param] !== undefined)?.[1];
  return phrase === undefined ? undefined : fill(phrase, withReadableInstants(params, page), sink);
}
