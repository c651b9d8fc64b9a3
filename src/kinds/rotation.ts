import { Bug } from '../lib/bug.ts';
import { pick } from '../lib/objects.ts';
import type { Cause, Values } from '../model/plan/change.ts';
import type { Params } from '../model/error.ts';
import { isPassed } from '../model/documents/passes.ts';
import {
  seedOf,
  type DueRule,
  type Incident,
  type Policy,
  type RotationPolicy,
} from '../model/documents/policy.ts';
import type { ReasonWhy } from '../model/plan/reason.ts';
import type { DeviceRead, ReadProblem } from '../model/fleet/snapshot.ts';
import { TASKS, type AvailableTask, type Payload } from '../model/fleet/task.ts';
import { NEEDS_YOU } from '../model/plan/actor.ts';
import { formatDuration, formatInstant, type Instant, readableDuration } from '../lib/time.ts';
import { dueDate, ruleText, spreadPosition, tooShortLife } from './due-rule.ts';
import { isFuture } from '../model/fleet/change-date.ts';
import { READ_DELAY_MS } from '../model/fleet/read-delay.ts';
import {
  converged,
  notRead,
  offers,
  unsupported,
  whyNotOffered,
  isRetry,
  lastDoneAt,
} from './judgements.ts';
import type { IntentState } from '../model/ledger/memory.ts';
import type { Case, Judgement, Kind } from './kind.ts';

/** What is known about the current credential, from the device list or from its own read. */
export interface CredentialDates {
  readonly changedAt?: Instant | undefined;
  /** The oldest change of all users of the device, where it is another. */
  readonly oldestChangeAt?: Instant | undefined;
  readonly expiresAt?: Instant | undefined;
  /** Changes whenever the credential does; absent if only the list was read. */
  readonly marker?: string;
  /** The service was asked for the dates of the credential itself: it shows no others. */
  readonly isRead?: boolean;
}

/** What one type of credential contributes to the rules that all rotations share (semantics R8). */
export interface Rotation {
  readonly task: AvailableTask & RotationPolicy['task'];
  readonly read: DeviceRead;
  /** What the device list shows. */
  listed(theCase: Case): CredentialDates;
  /** What the credential's own read shows. */
  readBack(theCase: Case): CredentialDates | ReadProblem;
}

/** What the rotations of all credentials have in common; `dates` are the fields of the list with the dates of this one. */
export function rotationKind(rotation: Rotation, dates: readonly string[]) {
  return {
    task: rotation.task,
    initialCause: 'clock',
    disturbsSoak: true,
    triesAfterNotDone: 1,
    oncePerWindow: true,
    endsUnknown: false,
    available: rotation.task,
    disruptive: true,
    actsOffline: false,
    decidingFields: () => dates,
    reads: (theCase) => neededReads(rotation, theCase),
    readsLate: (theCase) => readsLate(rotation, theCase),
    proofReads: [rotation.read],
    judge: (theCase) => judgeRotation(rotation, theCase),
    payloadAsWritten: (policy) => rotationPolicy(policy).payload,
    payload: writtenPayload,
  } satisfies Partial<Kind>;
}

/** Whether a rotation is due, or when it will be. */
type Dueness =
  | {
      readonly is: 'due';
      readonly why: ReasonWhy;
      readonly since?: Instant;
      readonly breachesAt?: Instant;
    }
  | {
      readonly is: 'notDue';
      readonly why: 'age' | 'spread';
      readonly since?: Instant | undefined;
      readonly next: Instant | 'never';
      readonly breachesAt?: Instant;
    }
  /** The service does not report the date that the rule uses, and fleetform never rotated the credential. */
  | { readonly is: 'unknown' }
  /** It has expired, and its policy never rotates it (semantics M27). */
  | { readonly is: 'expired' };

/** The read is not needed if the list or the ledger already shows that nothing is due. */
function neededReads(rotation: Rotation, theCase: Case): readonly DeviceRead[] {
  if (!offers(theCase, rotation.task)) return [];
  const { incident } = rotationPolicy(theCase.policy);
  const listed = rotation.listed(theCase);
  if (isFuture(listed.changedAt, theCase.now)) return [rotation.read];
  if (contradicts(theCase, listed)) return [rotation.read];
  if (incident)
    return isChangedSince(theCase, listed, incident) && !isExpired(theCase, listed)
      ? []
      : [rotation.read];
  return listedDueness(theCase, listed).is === 'notDue' ? [] : [rotation.read];
}

/**
 * A rotation is due by its rule or by a raised generation. A date that the service does not report
 * makes it due only if the policy says so. A read that was not understood proves nothing, so the
 * device is skipped: without a marker, no later read could show whether the rotation ran. The same
 * holds for a change in the future, which would make every age young.
 */
function judgeRotation(rotation: Rotation, theCase: Case): Judgement {
  const { incident } = rotationPolicy(theCase.policy);
  const known = findCredential(rotation, theCase);
  const { read, chosen } = known;
  const isOffered = offers(theCase, rotation.task);
  if (isOffered && isFuture(chosen.changedAt, theCase.now)) {
    if (read === 'notRead') return notRead(rotation.read, {});
    return unsupported('valueUnknown', {}, { field: rotation.read, problem: 'unreadable' });
  }
  if (incident) return judgeIncident(rotation, theCase, { ...known, incident });
  const { changedAt: listedAt } = known.listed;
  const changedAt = isFuture(listedAt, theCase.now) ? undefined : listedAt;
  const listed = { ...known.listed, changedAt, isRead: read === 'forbidden' };
  const decided = judgeListed(theCase, listed, known);
  if (!isOffered && !isRotated(theCase, decided))
    return refused(listed, ...whyNotOffered(theCase, rotation.task));
  if (decided) return decided;
  if (read === 'notRead' && isRaised(theCase)) return unread(due(theCase, listed, RAISED));
  if (read === 'notRead') return notRead(rotation.read, describeBefore(listed));
  if (typeof read === 'string' && !canDoWithout(read, dueness(theCase, listed)))
    return refused(listed, 'valueUnknown', { field: rotation.read, problem: read });
  return judgeCredential(theCase, chosen);
}

/** Whether it is not due since fleetform has rotated it: a service may offer no task for a young credential (semantics K3). */
function isRotated({ past }: Case, decided: Judgement | undefined): boolean {
  return decided?.is === 'notDue' && past.some(({ verdict }) => verdict === 'done');
}

/** What the list decides alone or against the read: nothing is due, or the two do not agree. */
function judgeListed(theCase: Case, listed: CredentialDates, known: Known): Judgement | undefined {
  const fromList = listedDueness(theCase, listed);
  const contradiction = isAskedFor(fromList) ? undefined : contradictionIn(theCase, known);
  if (contradiction) return contradiction;
  if (fromList.is !== 'notDue' || contradicts(theCase, listed)) return undefined;
  return isExpired(theCase, known.chosen) ? undefined : notDue(theCase, listed, fromList);
}

/** Whether documents ask for the rotation by themselves, whatever the dates. */
function isAskedFor(verdict: Dueness): boolean {
  return verdict.is === 'due' && CONFIGURED.has(verdict.why);
}

/** Judges what is known of a credential: what the list shows, and its own read where there is one. */
function judgeCredential(theCase: Case, credential: CredentialDates): Judgement {
  const verdict = dueness(theCase, credential);
  if (verdict.is === 'unknown') return dateUnknown(theCase, credential);
  if (verdict.is === 'expired') return refused(credential, 'expired');
  const isAsked = isAskedFor(verdict);
  if (!isAsked && contradicts(theCase, credential)) return refused(credential, 'datesContradict');
  if (verdict.is === 'notDue') return notDue(theCase, credential, verdict);
  const loop = isAsked ? undefined : describeLoop(theCase, credential);
  return loop ? refused(credential, 'renewalLoop', loop) : due(theCase, credential, verdict);
}

const RAISED = { is: 'due', why: 'generationRaised' } as const;

/**
 * Whether the documents themselves ask for the rotation, whatever its credential shows: then a plan
 * reads nothing, and the last look reads and judges again (semantics N11, N56). Where what is known
 * of the credential shows that it is newer than its incident, or that it cannot be read, the plan
 * judges by that: a trial of unreadable devices would never end (semantics N59). After a failed
 * attempt the credential decides whether it is tried again, so the plan reads it (semantics R14).
 */
function readsLate(rotation: Rotation, theCase: Case): boolean {
  const { incident } = rotationPolicy(theCase.policy);
  const read = rotation.readBack(theCase);
  if (typeof read === 'string' && read !== 'notRead') return false;
  const last = theCase.past.at(-1);
  const sent = last?.phase === 'none' ? last.earlier?.at(-1) : last;
  if (sent?.verdict === 'failed') return false;
  if (!incident) return isRaised(theCase);
  const credential = ofAllUsers(findCredential(rotation, theCase).chosen);
  const isLate = theCase.now < incident.until && !isWord(last);
  return isLate && !isChangedSince(theCase, credential, incident);
}

/**
 * An incident wants each credential that was changed last before `since` changed once, by the date
 * of the service or by our own rotation, whichever is later (semantics N56). A plan makes no read
 * for it and shows no value of before: the last look reads, and judges again.
 */
function judgeIncident(
  rotation: Rotation,
  theCase: Case,
  { incident, read, chosen: credential }: Known & { readonly incident: Incident },
): Judgement {
  if (!offers(theCase, rotation.task)) {
    const [why, params] = whyNotOffered(theCase, rotation.task);
    // An incident is done when each of its devices is: this one needs a person (semantics N61).
    return unsupported(why, {}, { ...params, [NEEDS_YOU]: true });
  }
  const isUnread = read === 'notRead';
  const isChanged = isChangedSince(theCase, ofAllUsers(credential), incident);
  if (typeof read === 'string' && !isUnread && !isChanged)
    return unsupported('valueUnknown', {}, { field: rotation.read, problem: read });
  if (isFuture(credential.changedAt, theCase.now, 0))
    return unsupported('valueUnknown', {}, { field: rotation.read, problem: 'unreadable' });
  if (isChanged) {
    if (isExpired(theCase, credential)) return refused(credential, 'expired');
    const lastDone = lastDoneAt(theCase.past) ?? -Infinity;
    return converged({}, lastDone < incident.since);
  }
  if (isUnread && theCase.now >= incident.until) return notRead(rotation.read, {});
  const judgement = due(theCase, credential, { is: 'due', why: 'incident', since: incident.since });
  const bare = { ...judgement, before: {} };
  return isUnread ? unread(bare) : bare;
}

type Known = ReturnType<typeof findCredential>;

/** What the list shows of the current credential, and what its own read shows; `chosen`: the read, where there is one. */
function findCredential(rotation: Rotation, theCase: Case) {
  const listed = rotation.listed(theCase);
  const read = rotation.readBack(theCase);
  if (typeof read === 'string')
    return { listed, read, chosen: { ...listed, isRead: read === 'forbidden' } };
  const shown = pick(read, 'changedAt', 'oldestChangeAt', 'expiresAt', 'marker');
  return { listed, read, chosen: { ...listed, ...shown, isRead: true } };
}

/** A leak may be of any user: each of them has to be newer. */
function ofAllUsers({ changedAt, oldestChangeAt, ...rest }: CredentialDates): CredentialDates {
  return { ...rest, changedAt: oldestChangeAt ?? changedAt };
}

/** What the documents ask for of a credential that only the last look reads. */
function unread(judgement: Judgement & { readonly is: 'due' }): Judgement {
  return { ...judgement, target: '', marker: '', unread: true };
}

/** Whether a credential was changed at or after the time from which an incident asks for it. */
function isChangedSince(
  theCase: Case,
  credential: CredentialDates,
  { since }: Pick<Incident, 'since'>,
): boolean {
  return (lastChange(theCase, credential) ?? -Infinity) >= since;
}

/**
 * Whether the service shows that a credential has expired (semantics M27). Just after a change it may still show the
 * one before (protocol A3).
 */
function isExpired(theCase: Case, credential: CredentialDates): boolean {
  const { expiresAt = Infinity } = credential;
  return expiresAt <= theCase.now && !isJustChanged(theCase, credential);
}

function isJustChanged({ past, now }: Case, { changedAt = -Infinity }: CredentialDates): boolean {
  const done = past.filter(({ verdict }) => verdict === 'done');
  const times = done.map(({ settledAt, attemptedAt }) => settledAt ?? attemptedAt);
  return Math.max(changedAt, ...times) > now - READ_DELAY_MS;
}

/** Whether a credential would have expired before its last change, by the service or by our own rotation. */
function contradicts(theCase: Case, credential: CredentialDates): boolean {
  const { expiresAt = Infinity } = credential;
  const changedAt = lastChange(theCase, credential) ?? -Infinity;
  return expiresAt <= changedAt && !isJustChanged(theCase, credential);
}

/** The list and the single read of a credential do not agree on whether it has expired: only a person can tell. */
function contradictionIn(theCase: Case, { listed, chosen }: Known): Judgement | undefined {
  if (listed.expiresAt === undefined || chosen.expiresAt === undefined) return undefined;
  if (isExpired(theCase, listed) === isExpired(theCase, chosen)) return undefined;
  if (isJustChanged(theCase, chosen)) return undefined;
  const dates = [listed, chosen].map(({ expiresAt }) => instantOrNull(expiresAt) ?? '');
  return refused(chosen, 'datesContradict', { listed: dates[0] ?? '', read: dates[1] ?? '' });
}

/** The rotation policy of a case. Any other policy here is a bug. */
function rotationPolicy(policy: Policy): RotationPolicy {
  if (policy.section !== 'rotations') throw new Bug(`not a rotation policy: ${policy.address}`);
  return policy;
}

/** The payload that the policy defines; undefined if it defines none. */
function writtenPayload(policy: Policy): Payload | undefined {
  const { payload } = rotationPolicy(policy);
  return Object.keys(payload).length > 0 ? payload : undefined;
}

/** Judges by the list alone. A percentage of the life needs the start of that life, which only the read shows. */
function listedDueness(theCase: Case, listed: CredentialDates): Dueness {
  const dueBy = rotationPolicy(theCase.policy).due.is;
  const begins = lastChange(theCase, listed);
  if (dueBy === 'renewShare' && listed.expiresAt !== undefined && begins === undefined)
    return { is: 'due', why: 'renewalDue' };
  return dueness(theCase, listed);
}

function dueness(theCase: Case, credential: CredentialDates): Dueness {
  const policy = rotationPolicy(theCase.policy);
  const { due: rule } = policy;
  if (isRaised(theCase)) return RAISED;
  const changedAt = lastChange(theCase, credential);
  const { leftBy } = theCase;
  if (leftBy && !isChangedSince(theCase, credential, leftBy))
    return { is: 'due', why: 'incidentEnded', since: leftBy.until };
  const { expiresAt } = credential;
  if (isExpired(theCase, credential)) return expired(rule, expiresAt);
  if (rule.is === 'never') return { is: 'notDue', why: 'age', since: changedAt, next: 'never' };
  const place = spreadPosition(seedOf(policy), theCase.device.id);
  const date = dueDate(rule, { changedAt, expiresAt }, place);
  if (date === undefined) return unknownAge(theCase, ownChange(theCase, credential));
  const { from, at, breachesAt } = date;
  const why = theCase.now < from ? 'age' : 'spread';
  const since = isPassed('spread', theCase.passer) ? from : at;
  const begun = why === 'age' ? changedAt : from;
  if (theCase.now < since) return { is: 'notDue', why, since: begun, next: since, breachesAt };
  const reached = rule.is === 'maxAge' ? 'ageReached' : 'renewalDue';
  return { is: 'due', why: reached, since, breachesAt };
}

/** What has expired is due at once, whatever its age and its spread (semantics M27). */
function expired(rule: DueRule, expiresAt: Instant | undefined): Dueness {
  if (rule.is === 'never' || expiresAt === undefined) return { is: 'expired' };
  return { is: 'due', why: 'expiryReached', since: expiresAt, breachesAt: expiresAt };
}

/** The last change of a credential: its own date, or our rotation that the ledger has as done. */
function lastChange(theCase: Case, credential: CredentialDates): Instant | undefined {
  return latest(credential.changedAt, ownChange(theCase, credential));
}

/**
 * When our own rotation changed a credential. What a person recorded as done is no evidence of that: it
 * counts where the service shows no date that says otherwise (semantics R8).
 */
function ownChange({ past, now }: Case, credential: CredentialDates): Instant | undefined {
  const { isRead = false, changedAt, expiresAt = Infinity } = credential;
  const isEnough = isRead && changedAt === undefined && expiresAt > now;
  return lastDoneAt(isEnough ? past : past.filter((intent) => !isWord(intent)));
}

function isWord(intent: IntentState | undefined): boolean {
  return intent?.verdict === 'done' && intent.settledBy === 'person';
}

/** The age is unknown: due once, if the policy says so. After our own rotation, only a person can supply more. */
function unknownAge({ policy }: Case, lastDone: Instant | undefined): Dueness {
  if (lastDone !== undefined) return { is: 'notDue', why: 'age', since: lastDone, next: 'never' };
  const isRotated = rotationPolicy(policy).unknownAge === 'rotate';
  return isRotated ? { is: 'due', why: 'ageUnknown' } : { is: 'unknown' };
}

/**
 * Why a certificate would be due again as soon as it is renewed. It is left to a person: the device may be the only
 * one of its kind, so it refuses no other change. A password has no life of its own.
 */
function describeLoop({ policy }: Case, credential: CredentialDates): Params | undefined {
  const { due: rule, task } = rotationPolicy(policy);
  if (TASKS[task].credential !== 'certificate') return undefined;
  const life = tooShortLife(rule, credential);
  if (life === undefined || rule.is !== 'renewBefore') return undefined;
  return { renewBefore: formatDuration(rule.before), life: readableDuration(life) };
}

function dateUnknown({ policy }: Case, credential: CredentialDates): Judgement {
  const { due: rule } = rotationPolicy(policy);
  const field = rule.is === 'maxAge' ? 'changed' : 'expires';
  return refused(credential, 'ageNotShown', { field });
}

/**
 * Whether the generation was raised in git above every generation that the ledger has for this
 * device and task, or was raised earlier and is not done yet. A generation that was lowered or
 * deleted does nothing. Without a record the generation is 1 (semantics R7, R14).
 */
function isRaised({ policy, generation, past }: Case): boolean {
  const wanted = rotationPolicy(policy).generation;
  if (wanted > generation) return true;
  if (wanted === 1 || !past.some((intent) => intent.generation === wanted)) return false;
  return !past.some((intent) => intent.generation >= wanted && intent.verdict === 'done');
}

/**
 * If our user may not read the metadata, a rotation that the list alone makes due is still
 * possible. Where a share of the life decides and the list has no start of it, only a certificate within the least lead
 * time is: of any other nothing is known (semantics N6).
 */
function canDoWithout(problem: ReadProblem, fromList: Dueness): boolean {
  return problem === 'forbidden' && fromList.is === 'due' && fromList.why !== 'ageUnknown';
}

function due(
  theCase: Case,
  credential: CredentialDates,
  verdict: Dueness & { readonly is: 'due' },
): Judgement & { readonly is: 'due' } {
  const last = lastDoneAt(theCase.past);
  const inLedger = last === undefined ? 'none' : formatInstant(last);
  const shown = credential.marker ?? instantOrNull(credential.changedAt) ?? inLedger;
  const word = theCase.past.findLast(isWord);
  // The intent of a credential that is done for a person has no other attempt (protocol J13).
  const isSame = word !== undefined && word.marker === (credential.marker ?? '');
  const target = isSame ? `${shown} ${formatInstant(word.attemptedAt)}` : shown;
  const generation = Math.max(rotationPolicy(theCase.policy).generation, theCase.generation);
  const cause = determineCause(theCase, { target, generation, why: verdict.why });
  return {
    ...verdict,
    ...knownExpiry(credential),
    cause,
    before: verdict.why === 'generationRaised' ? {} : describeBefore(credential),
    after: { rotated: true, by: wantedBy(theCase, verdict.why) },
    target,
    generation,
    marker: credential.marker ?? '',
  };
}

function notDue(
  theCase: Case,
  credential: CredentialDates,
  { why, since, next, breachesAt }: Dueness & { readonly is: 'notDue' },
): Judgement {
  return {
    is: 'notDue',
    reason: { code: 'notDue', why, next, ...(since !== undefined && { since }) },
    within: true,
    ...(breachesAt !== undefined && { breachesAt }),
    ...knownExpiry(credential),
    before: describeBefore({ ...credential, changedAt: lastChange(theCase, credential) }),
    after: { rotated: true, by: wantedBy(theCase, why) },
  };
}

function refused(credential: CredentialDates, why: ReasonWhy, params?: Params): Judgement {
  return { ...unsupported(why, describeBefore(credential), params), ...knownExpiry(credential) };
}

function knownExpiry({ expiresAt }: CredentialDates): Pick<Judgement, 'expiresAt'> {
  return expiresAt === undefined ? {} : { expiresAt };
}

function determineCause(
  { past }: Case,
  intent: { target: string; generation: number; why: ReasonWhy },
): Cause {
  const { target, generation, why } = intent;
  // A plan does not know the target of a raised generation.
  if (isRetry(past, { generation, ...(why !== 'generationRaised' && { target }) })) return 'retry';
  return CONFIGURED.has(why) ? 'config' : 'clock';
}

/** What documents ask for by themselves, whatever the time. */
const CONFIGURED: ReadonlySet<ReasonWhy> = new Set([
  'generationRaised',
  'incident',
  'incidentEnded',
]);

function wantedBy({ policy, leftBy }: Case, why: ReasonWhy): string {
  const { due: rule, generation, incident } = rotationPolicy(policy);
  if (incident) return `incident ${incident.name}`;
  if (why === 'incidentEnded' && leftBy) return `incident ${leftBy.name}`;
  if (why === 'generationRaised' || rule.is === 'never') return `generation ${generation}`;
  return ruleText(rule);
}

function describeBefore({ changedAt, expiresAt }: CredentialDates): Values {
  return { changed: instantOrNull(changedAt), expires: instantOrNull(expiresAt) };
}

function instantOrNull(instant: Instant | undefined): string | null {
  return instant === undefined ? null : formatInstant(instant);
}

function latest(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
