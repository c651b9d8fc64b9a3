import type { Instant } from '../../lib/time.ts';
import type { Params } from '../../model/error.ts';
import type { Reason, ReasonCode, ReasonWhy } from '../../model/plan/reason.ts';
import { findDialectKeys } from '../../model/fleet/dialect-keys.ts';
import { terminal, type Sink } from '../sinks/sinks.ts';
import { type Words, finer, codeWords, type CodePhrases, findWord } from './entry.ts';
import { possibleText, SINCE_TEXTS, sinceText, type PageTime } from './moment.ts';
import type { Phrase } from './phrase.ts';
import { VALUE_PROBLEM_WORDS } from './terms.ts';
import { alsoHeld } from './review/reason-labels.ts';

/**
 * A reason in English: why, since when, and when or how the change may continue.
 * @param options the time of the page, whose `now` adds how long ago `since` was; `lastNext` is when
 * the last of several may continue
 */
export function reasonWords(reason: Reason, options?: When): Words;

export function reasonWords<Text extends string>(
  reason: Reason,
  options: When & { readonly sink: (text: string) => Text },
): Words<Text>;

export function reasonWords(
  reason: Reason,
  { lastNext, sink = terminal, ...page }: When & { readonly sink?: Sink } = {},
): Words<string> {
  const known = finer(withKeys(reason), 'problem', VALUE_PROBLEM_WORDS);
  const [entry, params] = reasonEntry(reason, known);
  const words = codeWords(entry, params, sink, page);
  const also = alsoHeld(reason, sink);
  const sinceWords = findWord(SINCE_TEXTS, reason.why ?? '') ?? sinceText;
  return {
    ...words,
    ...(reason.since !== undefined && { detail: sinceWords(reason.since, page) }),
    ...(typeof reason.next === 'number' && { next: possibleText(reason.next, lastNext, page) }),
    ...(also !== undefined && { next: also }),
  };
}

/**
 * Adds the dialect keys for a reading that was not understood; keys do not help if it was refused.
 */
function withKeys({ why, params = {} }: Reason): Params {
  const { field, key, problem } = params;
  if (why !== 'valueUnknown' || problem !== 'unreadable' || key !== undefined) return params;
  const keys = findDialectKeys(String(field));
  return keys === undefined ? params : { ...params, key: keys };
}

/** The words of a code and its subcode; a code that this version does not know is shown as is. */
function reasonEntry({ code, why }: Reason, params: Params): readonly [CodePhrases, Params] {
  const entry = findWord(REASON_WORDS, code);
  if (!entry) return [UNKNOWN_REASON, { code, ...(why !== undefined && { why }) }];
  if (why === undefined) return [entry, params];
  const finerEntry = findWord(REASON_WHYS, why);
  if (finerEntry) return [{ ...entry, ...finerEntry }, params];
  return [
    { ...entry, says: `${entry.says} ({unknownWhy})` },
    { ...params, unknownWhy: why },
  ];
}

const UNKNOWN_REASON: CodePhrases = {
  says: '{code}[ ({why})]',
  next: 'use the version of fleetform that created the plan',
};

interface When extends PageTime {
  readonly lastNext?: Instant | undefined;
}

/**
 * The full limit, and what uses it: devices that are down, running tasks, and earlier changes of
 * this plan.
 */
const HEADROOM: Phrase =
  '[: {limit} of {members} may be down][: at most {atOnce} may run at once]' +
  '[; {down|is|are} down now][ ({devices})]' +
  '[ · {atWork} running][ · {inDoubt} in doubt][ · {unverified} unverified][ · {maintenance} in maintenance]' +
  '[ · {offline} offline][ · {unseen} not seen lately][ · {missing} not returned by the service][ · {unreadable} unreadable][ · {partial} partial][ · {unknown} unknown]' +
  '[ · {perhaps} of them may belong to other sets: unreadable]' +
  '[; {given|is|are} used by earlier changes]';

/** The words of every reason; `next` applies if the reason has no instant. */
export const REASON_WORDS: Readonly<Record<ReasonCode, CodePhrases>> = {
  notSelected: {
    says: 'no policy selects it',
    next: 'select it in a policy to manage it',
  },
  unmanaged: {
    says: 'listed in a document, but not a managed device[: {entry}][ (list read: {confidence})]',
    next: 'onboard it, or remove it from the list',
  },
  notDiscovered: {
    says: 'listed for onboarding[ {age} ago], not discovered yet[: {entry}][ (list read: {confidence})]',
    next: 'when a device source reports it; check the network and the entry',
  },
  unsupported: {
    says: 'the service does not support this for the device',
    next: 'check the device in the console, or exclude it from the policy',
  },
  notComparable: {
    says: 'cannot compare versions[: {versions}]',
    next: 'set an exact version from `fleetform get target-firmware ID`',
  },
  notRead: {
    says: 'not read yet[: {field}]',
    next: 'a later run reads it and decides',
  },
  alreadyConverged: { says: 'up to date', next: 'nothing to do' },
  blockedVendor: {
    says: 'vendor[ {vendor}] is blocked',
    next: 'when `blockVendors` no longer lists it',
  },
  hold: {
    says: 'blocked by exception {exception=of a document}[ until {until}]',
    next: 'when the exception ends or is removed',
  },
  exclude: {
    says: 'excluded by exception {exception=of a document}[ until {until}]',
    next: 'when the exception ends or is removed',
  },
  pinned: {
    says: 'pinned by exception {exception=of a document}[ until {until}]',
    next: 'when the exception ends or is removed',
  },
  incidentEnded: {
    says: 'incident {incident=of a document} ended before this device changed[: its credential is older than {before}]',
    next: 'add an incident or a rotation policy that selects it',
  },
  frozenHard: {
    says: 'blocked by hard freeze {freeze=of a document}[ until {to}]',
    next: 'end the freeze earlier: nothing may start within 400 days',
  },
  siteWithoutZone: {
    says: '[no time zone for site {site}||site without a time zone]',
    next: 'add `timeZone` to the site under `sites`',
  },
  notDue: { says: 'not due yet', next: 'when it falls due' },
  inDoubt: {
    says: 'the outcome of an earlier attempt is unknown[: {attempt}]',
    next: 'check the device; `fleetform resume` looks for evidence again',
  },
  quarantined: {
    says: 'quarantined after failed attempts',
    next: 'check the device; another target or a raised generation starts again',
  },
  awaitsApproval: {
    says: 'no approval covers this change yet',
    next: 'have the newest plan approved: `fleetform ci look`, then the gate of its workflow',
  },
  busy: { says: 'the device is busy', next: 'when it is idle' },
  offline: {
    says: '[overdue since {dueSince}, {windowsMissed|window|windows} missed, limit {breachesAt}; ]offline',
    next: 'check power and network; a later run continues',
  },
  unknown: {
    says: 'the service reports its status as {status=unknown}',
    next: 'check the status in the console; a later run continues',
  },
  rolloutPaused: {
    says: 'the rollout is paused[ by rule {rule}]',
    next: 'find the cause, then `fleetform resume {scope=SCOPE} --ticket T --reason R`, or change the rollout in a commit',
  },
  rolloutAborted: {
    says: 'the rollout was aborted[ by rule {rule}]',
    next: 'change the policy to start a new one',
  },
  correlatedOutage: {
    says: 'probable network outage[ at {site}][: {down} of {of} devices down]',
    next: 'fix the network first',
  },
  waveNotOpen: {
    says: 'wave[ {wave}] has not started',
    next: 'when the waves before it have passed',
  },
  gatePending: {
    says: 'gate of [wave {wave}||the previous wave] not passed',
    next: 'when the gate is passed',
  },
  approvalPending: {
    says: 'wave[ {wave}] needs approval',
    next: 'add an `allow` exception for the wave[ with gate {entry}]',
  },
  frozen: {
    says: '[overdue since {dueSince}, {windowsMissed|window|windows} missed, limit {breachesAt}; ]blocked by freeze {freeze=of a document}[ until {to}]',
    next: 'end the freeze earlier: nothing may start within 400 days',
  },
  windowClosed: {
    says: '[overdue since {dueSince}, {windowsMissed|window|windows} missed, limit {breachesAt}; ]outside window[ {window}][, which must fit {hops|upgrade step|upgrade steps} in a row]',
    next: 'change the window: it does not open within 400 days',
  },
  pastCutoff: {
    says: '[overdue since {dueSince}, {windowsMissed|window|windows} missed, limit {breachesAt}; ]past the cutoff of window {window=now}[, {cutoff} before it closes][, for {hops|upgrade step|upgrade steps} in a row]',
    next: 'change the window: it allows no start within 400 days',
  },
  budgetExhausted: {
    says: `budget {budget=of a document}[ ({scope})] is full${HEADROOM}`,
    next: 'when earlier changes end, in this run or the next',
  },
  apiBudget: {
    says: 'this change needs too many requests before it can start[: {requests} at {perSecond} a second][; window {window} closes for starts first]',
    next: 'raise `service.pace` if the service allows it[, or widen window {window}]',
  },
  act: { says: 'due now', next: 'apply runs it' },
  stale: {
    says: 'changed since it was approved[: {field}]',
    next: 'create a new plan and have it approved',
  },
  left: { says: 'no longer selected by its policy', next: 'nothing to do' },
  gone: {
    says: 'the service no longer returns the device',
    next: 'check whether it was removed, and whether this user sees its site',
  },
  interrupted: {
    says: 'the run was interrupted before this change started',
    next: 'run the same command again',
  },
  notReached: {
    says: 'the run ended before this change started',
    next: 'run the same command again',
  },
};

/** The words of subcodes, which replace those of the code, and where given its next step. */
export const REASON_WHYS: Readonly<Record<ReasonWhy, { says: Phrase; next?: Phrase }>> = {
  refused: {
    says: 'a guardrail refused the plan',
    next: 'see under Guardrails',
  },
  endedEarly: {
    says: 'the run ended before this change started',
    next: 'see the end of this report',
  },
  taskUnavailable: {
    says: 'the service does not offer this task for the device',
    next: 'check in the console why the task is not available',
  },
  noPath: {
    says: 'no upgrade path[ to {version}][ except through {hop}]',
    next: 'set a version that the service offers for the device',
  },
  noTargetFirmware: {
    says: 'the service approves no firmware that matches[ {version}]',
    next: 'set a version that the service approves; for an old model, exclude the device',
  },
  endOfSupport: {
    says: 'past end of support; the service approves no firmware that matches[ {version}]',
    next: 'replace the device, or exclude it',
  },
  downgrade: {
    says: 'the target is older than the current version[: {version}]',
    next: 'set `downgrade: allow` with a ticket',
  },
  valueUnknown: {
    says: 'the current value cannot be read[: {field}][, {problem}][; {requests} of {devices} devices of its kind were read without a usable response]',
    next: '[if the service uses another field or form, set {key} under `service.dialect`; `--trace FILE` records the responses||check the permissions of this user and the dialect]',
  },
  ageNotShown: {
    says: 'the service does not return the date that the policy needs[: {field}]',
    next: 'check the device; `unknownAge: rotate` rotates such devices once',
  },
  lastSeenOff: {
    says: 'no online device was seen within 15 minutes of the read, so nothing tells since when this one is offline',
    next: 'compare the clock and the time zone of the service: `fleetform doctor`',
  },
  renewalLoop: {
    says: '`renewBefore` is half of the lifetime or more[: {renewBefore} of {life}], so each new one would be due at once',
    next: 'set `renewBefore` below half of the lifetime, such as `33%`; if only this device is odd, replace its certificate in the console or raise `generation`',
  },
  enrichmentRequired: {
    says: 'the discovered device is incomplete',
    next: 'complete it in the console',
  },
  archived: {
    says: 'the discovered device is archived',
    next: 'restore it in the console if you need it',
  },
  duplicate: {
    says: 'more than one discovered device matches[ {entry}][: {ids}]',
    next: 'use the ID of one of them, and exclude the others with an exception',
  },
  stillDiscovered: { says: 'onboarded; the service still lists it as discovered' },
  approvalExpired: {
    says: 'the approval of this change has expired',
    next: 'have the newest plan approved again: `fleetform ci look`, then the gate of its workflow',
  },
  age: { says: 'younger than the policy requires' },
  spread: {
    says: 'due; scheduled for its own day within `spread`[ (provisional until an apply records the {unseen})]',
  },
  deferral: {
    says: 'the version is deferred[ for {deferral}][ (provisional until an apply records its {unseen})]',
    next: 'after an apply records the approval; the time counts from then',
  },
  cooldown: { says: 'cooling down after the last restart' },
  backoff: { says: 'waiting after a failed attempt' },
  offlineGrace: {
    says: 'back online, in its grace period[ (provisional until an apply records the {unseen})]',
  },
  symptomNotHeld: {
    says: 'symptom present, but shorter than `when.for`[ (provisional until an apply records its {unseen})]',
    next: 'after an apply records the symptom and it lasts for `when.for`',
  },
  noSymptom: { says: 'no symptom', next: 'nothing to do' },
  maxPerDay: {
    says: '`maxPerDay` of the policy is reached[: {maxPerDay}]',
    next: 'within 24 hours; run again',
  },
  maxPerSite: {
    says: '`maxPerSite` of the policy is reached[: {maxPerSite}][ per {per}]',
    next: 'run again later',
  },
  firstDay: {
    says: 'new; {task=another task} runs first',
    next: 'when it is done; run again',
  },
  retriesUsed: { says: 'all attempts are used[: {attempts}]' },
  maxPerDevice: {
    says: '`maxPerDevice` of the policy is reached[: {count} times]',
    next: 'check the device',
  },
  escalated: {
    says: 'the symptom is back[ after {restarts|restart|restarts}]',
    next: 'check the device; fleetform restarts it again only after a period without the symptom',
  },
  ours: { says: 'a fleetform task is running[: {task}]' },
  foreign: { says: "another client's task is running" },
  soak: { says: '[wave {wave} soaks||new firmware soaks]' },
  gap: { says: 'cooling down[ after {task}]' },
  maintenanceMode: {
    says: 'in maintenance mode',
    next: 'end maintenance mode; a later run continues',
  },
  emptyWave: {
    says: 'no device of [wave {wave}||a wave] can change',
    next: 'solve what holds one of them (`fleetform why DEVICE`), or let the wave start with other devices',
  },
  minReached: {
    says: 'too few devices of [wave {wave}||a wave] have been attempted',
    next: 'when more of them can be changed; run again',
  },
  minSuccess: {
    says: 'too few attempts of [wave {wave}||a wave] are verified',
    next: 'check the failed devices; the rollout pauses if this lasts',
  },
  onTheWay: {
    says: '[wave {wave}||a wave] has devices at an intermediate version',
    next: 'when the next step of their upgrade is verified',
  },
  checks: {
    says: '[wave {wave}||a wave] has not passed enough consecutive checks',
    next: 'each apply checks once',
  },
  person: {
    says: '{scope=the rollout} is paused by {who=a person}[: {because}][ ({ticket})]',
    next: 'lift the pause: `fleetform resume {scope=SCOPE} --reason R[ --ticket {ticket}]`',
  },
  canaryPace: {
    says: 'age unknown; [at most {most}||only a few] such devices at a time',
    next: 'when earlier ones are done; run again',
  },
  outsidePart: {
    says: '[wave {before}||an earlier wave] of its rollout is outside this part[ ({devices|device|devices}, first {first})]',
    next: 'run those devices first: the canary covers the whole policy',
  },
  singleton: {
    says: 'the only device of its set in budget {budget=of a document}[ ({scope})]; going offline needs approval',
    next: 'add an `allow` exception with `allow: {singleton: true}` that selects it',
  },
  noRoomEver: {
    says: 'budget {budget=of a document}[ ({scope})] has no capacity for any device of its set',
    next: 'change the budget[: its set has {members|device|devices}, and no exception raises that limit||, or raise it with an `allow` exception]; waiting does not help',
  },
  downAlready: {
    says: `devices already down use up budget {budget=of a document}[ ({scope})]${HEADROOM}`,
    next: 'bring [{peers|peer|peers} up again; no exception raises this limit||enough of them up again, or raise the budget with an `allow` exception][; if {missingIds} was removed, delete it from the group]',
  },
  inOurHands: {
    says: 'budget {budget=of a document}[ ({scope})] is used up by devices in progress[: {limit} at a time][; {inHands|is|are} now][ ({devices})]',
    next: '[when one of them is settled and up again: {idle|has|have} no running task||when one of them is done and up again]',
  },
  versionDiffers: { says: 'firmware differs from the target' },
  belowMinVersion: { says: 'firmware is below `minVersion`' },
  nextHop: { says: 'intermediate version on the upgrade path[ to {target}]' },
  ageReached: { says: 'older than `maxAge`' },
  renewalDue: { says: 'expires within `renewBefore`' },
  ageUnknown: { says: 'age unknown' },
  generationRaised: { says: '`generation` was raised' },
  incident: { says: 'an incident requires a new credential' },
  incidentEnded: { says: 'an incident ended before this device changed' },
  symptomHeld: { says: 'symptom present for longer than `when.for`' },
  listed: { says: 'listed for onboarding' },
  matched: { says: 'discovered and selected by the policy' },
  pinned: { says: 'exception {exception=of a document} pins another version' },
  expedited: { says: 'expedited by exception {exception=of a document}' },
  retry: { says: 'retry after a failed attempt' },
};
