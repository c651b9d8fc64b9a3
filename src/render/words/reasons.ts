import type { Instant } from '../../lib/time.ts';
import type { Params } from '../../model/error.ts';
import type { Reason, ReasonCode, ReasonWhy } from '../../model/plan/reason.ts';
import { findDialectKeys } from '../../model/fleet/dialect-keys.ts';
import { terminal, type Sink } from '../sinks/sinks.ts';
import { type Words, finer, codeWords, type CodePhrases, findWord } from './entry.ts';
import { moment, span } from './moment.ts';
import type { Phrase } from './phrase.ts';
import { VALUE_PROBLEM_WORDS } from './commands.ts';

/**
 * A reason in English: why, since when, and when or how the change may continue.
 * @param options `now` adds how long ago `since` was; `lastNext` is when the last of several may
 * continue
 */
export function reasonWords(reason: Reason, options?: When): Words;

export function reasonWords<Text extends string>(
  reason: Reason,
  options: When & { readonly sink: (text: string) => Text },
): Words<Text>;

export function reasonWords(
  reason: Reason,
  { now, lastNext, sink = terminal }: When & { readonly sink?: Sink } = {},
): Words<string> {
  const known = finer(withKeys(reason), 'problem', VALUE_PROBLEM_WORDS);
  const [entry, params] = reasonEntry(reason, known);
  const words = codeWords(entry, params, sink);
  return {
    ...words,
    ...(reason.since !== undefined && { detail: sinceText(reason.since, now) }),
    ...(typeof reason.next === 'number' && { next: possibleText(reason.next, lastNext) }),
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
  next: 'this version of fleetform does not know it; the one that made the plan does',
};

interface When {
  readonly now?: Instant;
  readonly lastNext?: Instant | undefined;
}

function possibleText(next: Instant, last: Instant | undefined): string {
  const first = `possible from ${moment(next)}`;
  return last === undefined ? first : `${first}, the last from ${moment(last)}`;
}

function sinceText(since: Instant, now: Instant | undefined): string {
  const long = now === undefined || now <= since ? '' : ` (${span(now - since)})`;
  return `since ${moment(since)}${long}`;
}

/**
 * The full limit, and what uses it: devices that are down, running tasks, and earlier changes of
 * this plan.
 */
const HEADROOM: Phrase =
  '[: {limit} of {members} may be down][: at most {atOnce} may be at work at once]' +
  '[; {down|is|are} down now][ ({devices})]' +
  '[ · {atWork} at work][ · {inDoubt} in doubt][ · {unverified} unverified][ · {maintenance} in maintenance]' +
  '[ · {offline} offline][ · {unseen} not seen lately][ · {unreadable} not understood][ · {partial} partial][ · {unknown} of unknown state]' +
  '[ · {perhaps} of them may be elsewhere: what tells was not understood]' +
  '[; {given|is|are} taken by changes before it]';

/** The words of every reason; `next` applies if the reason has no instant. */
export const REASON_WORDS: Readonly<Record<ReasonCode, CodePhrases>> = {
  notSelected: {
    says: 'no policy selects it',
    next: 'select it in a policy to bring it under management',
  },
  unmanaged: {
    says: 'named in a document, but not a managed device[: {entry}][ (the list was read in a {confidence})]',
    next: 'onboard it, or remove it from the list',
  },
  notDiscovered: {
    says: 'listed for onboarding[ {age} ago], not discovered yet[: {entry}][ (the list was read in a {confidence})]',
    next: 'as soon as a device source reports it; check the network and the entry',
  },
  unsupported: {
    says: 'the service cannot do this for the device',
    next: 'only when the service supports it',
  },
  notComparable: {
    says: 'the versions cannot be put in order[: {versions}]',
    next: 'write one exact version that the service lists for the device: `fleetform get target-firmware ID` shows them',
  },
  notRead: {
    says: 'not read yet[: {field}]',
    next: 'a later run reads it; until then nothing is decided about it',
  },
  alreadyConverged: { says: 'as wanted', next: 'nothing to do' },
  blockedVendor: {
    says: 'the vendor[ {vendor}] is blocked',
    next: 'only when `blockVendors` no longer names it',
  },
  hold: {
    says: 'held by exception {exception=of a document}[ until {until}]',
    next: 'when the exception ends or is removed',
  },
  exclude: {
    says: 'excluded by exception {exception=of a document}[ until {until}]',
    next: 'when the exception ends or is removed',
  },
  pinned: {
    says: 'at the version that exception {exception=of a document} pins[ until {until}]',
    next: 'when the exception ends or is removed',
  },
  incidentEnded: {
    says: 'incident {incident=of a document} ended and did not reach it[: still the credential of before {before}]',
    next: 'write a new incident for it, or a rotation policy that selects it',
  },
  frozenHard: {
    says: 'in hard freeze {freeze=of a document}[ until {to}]',
    next: 'when the freeze ends',
  },
  siteWithoutZone: {
    says: 'its site[ {site}] has no time zone',
    next: 'write `timeZone` for the site under `sites`',
  },
  notDue: { says: 'not due yet', next: 'when it falls due' },
  inDoubt: {
    says: 'the outcome of an earlier attempt is unknown[: {attempt}]',
    next: 'look at the device; `fleetform resume` asks it for evidence again',
  },
  quarantined: {
    says: 'set aside after earlier attempts',
    next: 'look at the device; another target or a raised generation starts anew',
  },
  awaitsApproval: {
    says: 'no approval covers it yet',
    next: 'have the newest plan approved: `fleetform ci look`, then the gate of its workflow',
  },
  busy: { says: 'something is going on at the device', next: 'when that has ended' },
  offline: {
    says: '[overdue since {dueSince}, {windowsMissed|window|windows} missed, too late from {breachesAt}; ]offline',
    next: 'as soon as it is online',
  },
  unknown: {
    says: 'its status is not known to be online[: {status}]',
    next: 'as soon as it reads online',
  },
  rolloutPaused: {
    says: 'the rollout is paused[ by rule {rule}]',
    next: 'find out why; then fleetform resume {scope=SCOPE} --ticket T --reason R, or a commit that changes the rollout',
  },
  rolloutAborted: {
    says: 'the rollout was aborted[ by rule {rule}]',
    next: 'change the policy to start a new one',
  },
  correlatedOutage: {
    says: 'many devices of the site went down together[: {down} of {of}][ at {site}]; that is the network',
    next: 'mend the network first',
  },
  waveNotOpen: {
    says: 'its wave[ {wave}] has not begun',
    next: 'when the waves before it are through',
  },
  gatePending: {
    says: 'the wave before has not passed its gate[ ({wave})]',
    next: 'when the gate is passed',
  },
  approvalPending: {
    says: 'its wave[ {wave}] waits for an approval',
    next: 'add an exception of type allow that opens the wave[, with gate {entry}]',
  },
  frozen: {
    says: '[overdue since {dueSince}, {windowsMissed|window|windows} missed, too late from {breachesAt}; ]in freeze {freeze=of a document}[ until {to}]',
    next: 'when the freeze ends',
  },
  windowClosed: {
    says: '[overdue since {dueSince}, {windowsMissed|window|windows} missed, too late from {breachesAt}; ]outside its window[ {window}][, which has to hold {hops|hop|hops} in a row]',
    next: 'change the window: it does not open within 400 days',
  },
  pastCutoff: {
    says: '[overdue since {dueSince}, {windowsMissed|window|windows} missed, too late from {breachesAt}; ]too late to start in window {window=now}[, {cutoff} before it closes at the latest][, for {hops|hop|hops} in a row]',
    next: 'change the window: within 400 days it leaves no room to start',
  },
  budgetExhausted: {
    says: `no room left in budget {budget=of a document}[ ({scope})]${HEADROOM}`,
    next: 'as soon as others are done; run again',
  },
  apiBudget: {
    says: 'too many requests come before its turn[: {requests} at {perSecond} a second][, and window {window} closes for starts before]',
    next: 'raise `service.pace`[, or widen window {window}]; the service has to allow it',
  },
  act: { says: 'wanted now', next: 'apply runs it' },
  stale: {
    says: 'changed since it was approved[: {field}]',
    next: 'make a new plan and have it approved',
  },
  left: { says: 'no longer selected by its policy', next: 'nothing to do' },
  gone: {
    says: 'the service no longer shows the device',
    next: 'check whether it was removed, or whether this user still sees its site',
  },
  interrupted: {
    says: 'the run was interrupted before its turn',
    next: 'run the same command again',
  },
  notReached: { says: 'the run ended before its turn', next: 'run the same command again' },
};

/** The words of subcodes, which replace those of the code, and where given its next step. */
export const REASON_WHYS: Readonly<Record<ReasonWhy, { says: Phrase; next?: Phrase }>> = {
  taskUnavailable: {
    says: 'the service does not offer this task for the device',
    next: 'find out in the console why the task is not available',
  },
  noPath: {
    says: 'the service knows no way to the version[ {version}][ but through {hop}]',
    next: 'choose a version that the service offers for the device',
  },
  noTargetFirmware: {
    says: 'the service approves no such firmware for the device[: {version}]',
    next: 'when the service approves one, or never for an old model',
  },
  endOfSupport: {
    says: 'past its end of support, and the service approves no such firmware for it[: {version}]',
    next: 'replace the device, or exclude it',
  },
  downgrade: {
    says: 'the wanted version is older than the present one[: {version}]',
    next: 'write `downgrade: allow` with a ticket to go back',
  },
  valueUnknown: {
    says: 'the present value cannot be read[: {field}][, {problem}][; {requests} of {devices} devices of its kind were asked, and none could be understood]',
    next: '[where the service writes it in another place or form, set {key} under `service.dialect`; `--trace FILE` records what it answers||check the permissions of this user and the dialect]',
  },
  ageNotShown: {
    says: 'the service does not know the date that the policy goes by[: {field}]',
    next: 'look at the device; `unknownAge: rotate` rotates such devices once',
  },
  enrichmentRequired: {
    says: 'the discovered device lacks information',
    next: 'complete it in the console; it needs a person',
  },
  archived: {
    says: 'the discovered device is archived',
    next: 'restore it in the console if it is wanted',
  },
  duplicate: {
    says: 'the entry matches more than one discovered device[: {ids}]',
    next: 'name the device by its id',
  },
  approvalExpired: {
    says: 'its approval has expired',
    next: 'have the newest plan approved once more: `fleetform ci look`, then the gate of its workflow',
  },
  age: { says: 'not old enough yet' },
  spread: {
    says: 'due, but given its own day within the spread[ (not seen by an apply yet: {unseen})]',
  },
  deferral: {
    says: 'the version is deferred[ for {deferral}][; no apply has seen its {unseen}]',
    next: 'an apply has to see it approved first; from then on the time counts',
  },
  cooldown: { says: 'acted on not long ago' },
  backoff: { says: 'waiting after a failed attempt' },
  offlineGrace: {
    says: 'online again, and given some time to settle[ (not seen by an apply yet: {unseen})]',
  },
  symptomNotHeld: {
    says: 'the symptom shows, but not for long enough yet[; no apply has seen its {unseen}]',
    next: 'an apply has to see it first, and then see it again once it has lasted',
  },
  noSymptom: { says: 'without the symptom', next: 'nothing to do' },
  maxPerDay: {
    says: 'as many as the policy allows in 24 hours are taken[: {maxPerDay}]',
    next: 'within 24 hours; run again',
  },
  maxPerSite: {
    says: 'as many restarts as the policy allows at one site[: {maxPerSite}][ per {per}]',
    next: 'run again later',
  },
  firstDay: {
    says: 'new, and {task=another task} comes first',
    next: 'when that is done; run again',
  },
  retriesUsed: { says: 'all attempts are used up[: {attempts}]' },
  maxPerDevice: {
    says: 'done as often as the policy allows for one device[: {count} times]',
    next: 'look at the device: it needs a person',
  },
  escalated: {
    says: 'the symptom is back[ after {restarts|restart|restarts}]: it needs a person',
    next: 'look at the device; it is restarted again only after it has been well for a while',
  },
  ours: { says: 'a task of ours is still running on it[: {task}]' },
  foreign: { says: 'a task of somebody else is running on it' },
  soak: { says: '[wave {wave} soaks||left alone while its new firmware soaks]' },
  gap: { says: 'left alone between two actions[, the last {task}]' },
  maintenanceMode: {
    says: 'in maintenance mode',
    next: 'when maintenance mode is switched off in the console',
  },
  emptyWave: {
    says: 'no device of wave {wave} can be acted on',
    next: 'when a device of it can; or let the rollout begin with other devices',
  },
  minReached: {
    says: 'too few devices of wave {wave} were attempted yet',
    next: 'when more of them are online; run again',
  },
  minSuccess: {
    says: 'too few attempts of wave {wave} were verified',
    next: 'look at the devices that failed; it is paused if this lasts',
  },
  checks: {
    says: 'the checks of wave {wave} did not come out well often enough in a row',
    next: 'at the next runs of apply, each of which looks once',
  },
  person: {
    says: '{scope=the rollout} is paused by {who=a person}[: {because}][ ({ticket})]',
    next: 'when the pause is lifted: fleetform resume {scope=SCOPE} --reason R[ --ticket {ticket}]',
  },
  canaryPace: {
    says: 'its age is not known; such devices go {most} at a time',
    next: 'when those before it are done; run again',
  },
  outsidePart: {
    says: 'wave {before} of its rollout is outside this part ({devices|device|devices}, first {first})',
    next: 'run those devices first: its canary is that of the whole policy',
  },
  singleton: {
    says: 'the only device of its set in budget {budget=of a document}[ ({scope})]; its going down wants an approval',
    next: 'add an exception of type allow with `allow: {singleton: true}` that selects it',
  },
  noRoomEver: {
    says: 'budget {budget=of a document}[ ({scope})] leaves no room for any device of its set',
    next: 'change the budget; waiting does not help',
  },
  downAlready: {
    says: `devices that are down take up all of budget {budget=of a document}[ ({scope})]${HEADROOM}`,
    next: 'when enough of them are up again or settled, or once the budget allows more, by an exception of type allow that names it; no running task frees it',
  },
  inOurHands: {
    says: 'as many devices as budget {budget=of a document}[ ({scope})] allows are in our hands: {limit=?} at most[; {inHands|is|are} now][ ({devices})]',
    next: 'as soon as one of them is done and up; other devices that are down do not count',
  },
  versionDiffers: { says: 'the version is not the wanted one' },
  belowMinVersion: { says: 'the version is below the lowest one allowed' },
  nextHop: { says: 'one step on the way to the wanted version[, {target}]' },
  ageReached: { says: 'older than the policy allows' },
  renewalDue: { says: 'expires soon' },
  ageUnknown: { says: 'its age is not known' },
  generationRaised: { says: 'the generation was raised in git' },
  incident: { says: 'an incident wants its credential changed once' },
  incidentEnded: { says: 'an incident ended and did not reach it' },
  symptomHeld: { says: 'the symptom has lasted longer than the policy allows' },
  listed: { says: 'listed for onboarding' },
  matched: { says: 'discovered, and matched by the policy' },
  pinned: { says: 'exception {exception=of a document} pins another version' },
  expedited: { says: 'expedited by exception {exception=of a document}' },
  retry: { says: 'once more after a failed attempt' },
};
