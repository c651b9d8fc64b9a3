import type { ReasonWhy } from '../../../model/plan/reason.ts';
import type { Phrase } from '../phrase.ts';

/**
 * The full limit, and what uses it: devices that are down, running tasks, and earlier changes of
 * this plan.
 */
export const HEADROOM: Phrase =
  '[: {limit} of {members} may be down][: at most {atOnce} may run at once]' +
  '[; {down|is|are} down now][ ({devices})]' +
  '[ · {atWork} running][ · {inDoubt} in doubt][ · {unverified} unverified][ · {maintenance} in maintenance]' +
  '[ · {offline} offline][ · {unseen} not seen lately][ · {missing} not returned by the service][ · {unreadable} unreadable][ · {partial} partial][ · {unknown} unknown]' +
  '[ · {perhaps} of them may belong to other sets: unreadable]' +
  '[; {given|is|are} used by earlier changes]';

/** The way on where nobody can mend it. */
export const ACKNOWLEDGE = 'acknowledge it (`fleetform explain exceptions.reasons`)';

const UNPAUSE =
  '[if site {goneSite} has another ID now, pause that, then ]end the pause: `fleetform unpause [{policy} --site "{site}"||{policy} --site {goneSite}||{scope=SCOPE}] --reason R[ --ticket {ticket}]`';

/** The words of subcodes, which replace those of the code, and where given its next step and its label. */
export const REASON_WHYS: Readonly<
  Record<ReasonWhy, { label?: string; says: Phrase; next?: Phrase }>
> = {
  refused: {
    says: 'a guardrail refused the plan',
    next: 'see under Guardrails',
  },
  endedEarly: {
    says: 'the run ended before this change started',
    next: 'see the end of this report',
  },
  replanned: {
    says: 'changed since it was planned[: {field}]',
    next: 'the next plan decides it anew',
  },
  taskUnavailable: {
    label: 'task not available',
    says: 'the service does not offer this task for the device',
    next: 'check in the console why the task is not available',
  },
  noPath: {
    label: 'no upgrade path',
    says: 'no upgrade path[ to {version}][ except through {hop}]',
    next: `set a version that the service offers for the device, or ${ACKNOWLEDGE}`,
  },
  noTargetFirmware: {
    label: 'no approved firmware',
    says: 'the service approves no firmware that matches[ {version}]',
    next: `set a version that the service approves, or ${ACKNOWLEDGE}`,
  },
  belowFloor: {
    label: 'below the floor',
    says: 'firmware is below `minVersion`[ {minVersion}], and the policy has no `version`',
    next: 'write `version` in the policy to upgrade it, or lower `minVersion`',
  },
  endOfSupport: {
    label: 'end of support',
    says: 'past end of support; the service approves no firmware that matches[ {version}]',
    next: `replace the device, or ${ACKNOWLEDGE}`,
  },
  downgrade: {
    label: 'downgrade',
    says: 'the target is older than the current version[: {version}]',
    next: 'set `downgrade: allow` with a ticket',
  },
  downgradeUnclear: {
    says: '[{version} and {other}||their version and the target] have no known order, and a downgrade is forbidden',
    next: '`order: [[OLDEST, ..., NEWEST]]` in {policy=the policy}, or `downgrade: allow` with a ticket',
  },
  exceptionUnclear: {
    label: 'held, as an exception may select it',
    says: 'exception {exception=of a document} may select it, so it is held[ until {until}]',
  },
  selectorUnclear: {
    label: 'unclear whether the policy selects it',
    says: 'whether {policy=a policy} selects it is unclear[: version {version} cannot be compared with {other}][: {field} cannot be read]',
    next: 'select it by its device ID or by a glob',
  },
  valueUnknown: {
    label: 'value unreadable',
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
  datesContradict: {
    label: 'dates contradict',
    says: 'the dates of its credential contradict each other[: the list shows {listed} as its end, its own read {read}]',
    next: 'check the credential in the console; raise `generation` to replace it whatever its dates',
  },
  expired: {
    label: 'expired',
    says: 'its credential has expired, and its policy never rotates it',
    next: 'replace it by hand, or set `maxAge` or `renewBefore`; raise `generation` to replace it once',
  },
  lifted: {
    says: 'not due, and no longer held by [freeze {freeze}||exception {exception=of a document}]',
    next: 'nothing to do',
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
  noLongerReturned: {
    says: 'onboarded[ on {onboarded}] and no longer returned[: {entry}]',
    next: 'check it in the console; if it was removed, remove the entry',
  },
  approvalExpired: {
    says: 'the approval of this change has expired',
    next: 'have the newest plan approved again: `fleetform ci look`, then the gate of its workflow',
  },
  age: { says: 'younger than the policy requires' },
  spread: {
    label: 'scheduled day within spread',
    says: 'due; scheduled for its own day within `spread`[ (provisional until an apply records the {unseen})]',
  },
  deferral: {
    label: 'version deferred',
    says: 'the version is deferred[ for {deferral}][ (provisional until an apply records its {unseen})]',
    next: 'after an apply records the approval; the time counts from then',
  },
  cooldown: { says: 'cooling down after the last restart' },
  backoff: { label: 'after a failed task', says: 'cooling down after a failed task' },
  offlineGrace: {
    label: 'back online, grace period',
    says: 'back online, in its grace period[ (provisional until an apply records the {unseen})]',
  },
  symptomNotHeld: {
    says: 'symptom present, but shorter than `when.for`[ (provisional until an apply records its {unseen})]',
    next: 'after an apply records the symptom and it lasts for `when.for`',
  },
  noSymptom: { says: 'no symptom', next: 'nothing to do' },
  maxPerDay: {
    label: 'daily limit reached',
    says: '`maxPerDay` of the policy is reached[: {maxPerDay}]',
    next: 'within 24 hours; run again',
  },
  maxPerSite: {
    label: 'limit of the site reached',
    says: '`maxPerSite` of the policy is reached[: {maxPerSite}][ per {per}]',
    next: 'run again later',
  },
  firstDay: {
    says: 'new; {task=another task} runs first',
    next: 'when it is done; run again',
  },
  retriesUsed: { says: 'no retry is left[ after {attempts|attempt|attempts}]' },
  maxPerDevice: {
    says: '`maxPerDevice` of the policy is reached[: {count} times]',
    next: 'check the device',
  },
  escalated: {
    says: 'the symptom is back[ after {restarts|restart|restarts}]',
    next: 'check the device; fleetform restarts it again only after a period without the symptom',
  },
  ours: { label: 'task running', says: 'a fleetform task is running[: {task}]' },
  foreign: { label: "another client's task running", says: "another client's task is running" },
  soak: { label: 'soak', says: '[wave {wave} soaks||new firmware soaks]' },
  gap: { label: 'cooling down', says: 'cooling down[ after {task}]' },
  maintenanceMode: {
    label: 'in maintenance mode',
    says: 'in maintenance mode',
    next: 'end maintenance mode; a later run continues',
  },
  emptyWave: {
    says: 'no device of [wave {wave}||a wave] can change',
    next: 'solve what stops one of them (`fleetform why DEVICE`), or let the wave start with other devices',
  },
  minReached: {
    says: 'too few devices of [wave {wave}||a wave] have started',
    next: 'when more of them can be changed; run again',
  },
  minSuccess: {
    says: 'too few devices of [wave {wave}||a wave] are verified',
    next: 'check the failed devices; the rollout pauses if this lasts',
  },
  onTheWay: {
    says: '[wave {wave}||a wave] has devices at an intermediate version',
    next: 'when the next step of their upgrade is verified',
  },
  checks: {
    says: '[wave {wave}||a wave] has not passed its gate often enough',
    next: 'each apply tries the gate once',
  },
  person: {
    label: 'paused',
    says: '[{policy} at {site}||{policy} at site {goneSite}, which the service does not return,||{scope=the rollout}] is paused by {who=a person}[: {because}][ ({ticket})]',
    next: UNPAUSE,
  },
  orphanedPause: {
    label: 'paused under an address of no policy',
    says: 'no policy has or names {address=an address}, which is paused[ by {who}][ by rule {rule}][: {because}][ ({ticket})]; all changes of its section wait',
    next: 'write `renamedFrom: {address=OLD}` in the policy that it is now, or `fleetform unpause {address=OLD} --reason R[ --ticket {ticket}]`[ with a ticket: rule {rule} stopped it]',
  },
  orphanedRollout: {
    label: 'in the rollout of an address of no policy',
    says: 'no policy has or names {address=an address}, whose rollout to this device has not finished',
    next: 'write `renamedFrom: {address=OLD}` in this policy if it is that one, else `renamedFrom: none`',
  },
  orphanedAttempt: {
    label: 'started by an address of no policy',
    says: 'no policy has or names {address=an address}, whose task on this device has no outcome yet',
    next: 'write `renamedFrom: {address=OLD}` in the policy that it is now, or `fleetform unpause {address=OLD} --reason R`',
  },
  canaryPace: {
    says: 'age unknown; [at most {most}||only a few] such devices at a time',
    next: 'when earlier ones are done; run again',
  },
  listTorn: {
    says: 'after {after=another policy}, and the list of devices changed while it was read',
    next: 'run again',
  },
  afterBlocked: {
    says: 'after {after=another policy}[, whole {per}], of which devices need you',
    next: 'do what these need (`fleetform why DEVICE` names them), or leave them out by an `exclude` exception',
  },
  afterDecided: {
    says: 'after {after=another policy}[, whole {per}], which somebody decides about',
    next: 'end the pause of {after=that policy}, or have its changes approved',
  },
  afterStopped: {
    says: 'after {after=another policy}[, whole {per}], which a rule has stopped',
    next: 'find the cause, then `fleetform unpause {after=SCOPE} --ticket T --reason R`; after an abort, change its version',
  },
  afterOutside: {
    says: 'after {after=another policy}[, whole {per}], of which devices are outside this part',
    next: 'run {after=that policy} there first',
  },
  outsidePart: {
    says: '[wave {before}||an earlier wave] of its rollout is outside this part[ ({devices|device|devices}, first {first})]',
    next: 'run those devices first: the canary covers the whole policy',
  },
  behindPause: {
    label: 'waits for a paused wave',
    says: 'waits for wave {before=before it}: {count|device|devices}[ at {site}] paused by {who=a person}[: {because}][ ({ticket})]',
    next: UNPAUSE,
  },
  onlyDoubts: {
    says: 'rule {rule=of the rollout} stops it while {inDoubt|outcome is|outcomes are} in doubt',
    next: 'settle what is in doubt: `fleetform recover` looks for evidence, `fleetform resolve TASK --as done|not-done --reason WHY` records the outcome',
  },
  behindBlocked: {
    says: 'wave[ {wave}] waits for changes of [wave {before}||an earlier wave] that need you',
    next: 'do what these need, or leave their devices out by an `exclude` exception',
  },
  singleton: {
    says: 'the only device of its set in budget {budget=of a document}[ ({scope})]; going offline needs approval',
    next: 'add an exception with `allow: {singleton: true}` that selects it (`fleetform explain exceptions.allow`)',
  },
  noRoomEver: {
    says: 'budget {budget=of a document}[ ({scope})] has no capacity for any device of its set',
    next: 'change the budget[: its set has {members|device|devices}, and no exception raises that limit||, or raise it (`fleetform explain exceptions.allow`)]; waiting does not help',
  },
  downAlready: {
    label: 'budget used by devices that are down',
    says: `budget {budget=of a document}[ ({scope})] is used up by devices that are down${HEADROOM}`,
    next: 'bring [{peers|peer|peers} up again; no exception raises this limit||enough of them up again, or raise the budget (`fleetform explain exceptions.allow`)][; if {missingIds} was removed, delete it from the group]',
  },
  inOurHands: {
    says: 'budget {budget=of a document}[ ({scope})] is used up by devices in progress[: {limit} at a time][; {inHands|is|are} now][ ({devices})]',
    next: '[when one of them has its outcome and is up again: {idle|has|have} no running task||when one of them is done and up again]',
  },
  versionDiffers: { says: 'firmware differs from the target' },
  belowMinVersion: { says: 'firmware is below `minVersion`' },
  nextHop: { says: 'intermediate version on the upgrade path[ to {target}]' },
  ageReached: { says: 'older than `maxAge`' },
  renewalDue: { says: 'expires within `renewBefore`' },
  expiryReached: { says: 'its credential has expired' },
  ageUnknown: { says: 'age unknown' },
  generationRaised: { says: '`generation` was raised' },
  incident: { says: 'an incident requires a new credential' },
  incidentEnded: { says: 'an incident ended before this device changed' },
  takenOver: {
    says: 'incident {incident=of a document} ended[ {until}] before this device changed; {by=a policy} takes over',
    next: 'when {by=that policy} can start it',
  },
  symptomHeld: { says: 'symptom present for longer than `when.for`' },
  listed: { says: 'listed for onboarding' },
  matched: { says: 'discovered and selected by the policy' },
  pinned: { says: 'exception {exception=of a document} pins another version' },
  expedited: { says: 'expedited by exception {exception=of a document}' },
  retry: { says: 'retry after a failed task' },
};
