import { HASH_SPAN, stableHash } from '../lib/stable-hash.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import { compareTexts } from '../lib/text-order.ts';
import type { Device } from '../model/fleet/device.ts';
import type { FactNotices } from '../model/fleet/snapshot.ts';
import type { Memory } from '../model/ledger/memory.ts';
import { MOST_SKEW_MS } from '../model/ports.ts';
import { TASKS, type TaskType } from '../model/fleet/task.ts';
import { factKey, identityDigest, type Fact, type FactKind, type FactProblem } from './fact.ts';

const DAY: Milliseconds = 86_400_000;

/** A fact of this age or younger may make something due (semantics N9). */
export const FRESH: Milliseconds = DAY;

/** No fact is believed for longer, whatever is asked for. */
export const OLDEST: Milliseconds = 30 * DAY;

/** How far a clock may be off before an instant lies in the future. */
const SKEW: Milliseconds = 60_000;

/** The state that a fact is checked against; each run checks it again (semantics N10). */
export interface Believing {
  readonly now: Instant;
  /** The greatest age, `--max-age`. */
  readonly maxAge: Milliseconds;
  readonly readers: Readonly<Record<FactKind, string>>;
  readonly memory: Pick<Memory, 'intentsOf'>;
}

/**
 * The fact that takes the place of a read (semantics N7); undefined where anything speaks against it: then
 * the device is read again. A credential that is newer than its read was not understood: the device is known as
 * unreadable until a run reads it again.
 * @param device its row in the list, as read in this run; absent for an answer that devices share
 */
export function believe(
  fact: Fact,
  device: Device | undefined,
  believing: Believing,
): Fact | undefined {
  if (!isUsable(fact, device, believing)) return undefined;
  if (!isAhead(fact)) return fact;
  return { ...fact, value: { is: 'problem', problem: 'unreadable', again: true } };
}

function isAhead(fact: Fact): boolean {
  const from = credentialStart(fact);
  return from !== undefined && from > fact.at + SKEW;
}

function isUsable(fact: Fact, device: Device | undefined, believing: Believing): boolean {
  const { now, maxAge, readers } = believing;
  if (fact.reader !== readers[fact.kind] || fact.at > now + SKEW) return false;
  if (now - fact.at >= ageLimit(fact, maxAge)) return false;
  if ((fact.who === undefined) !== (device === undefined)) return false;
  const from = credentialStart(fact);
  if (from !== undefined && from >= (certificateEnd(fact) ?? Infinity)) return false;
  if (!device) return true;
  if (fact.who !== identityDigest(device) || isContradicted(fact, device)) return false;
  return !isReplaced(fact, device.id, believing);
}

/** Whether a believed fact is young enough to make something due. */
export function isFresh({ at }: Pick<Fact, 'at'>, now: Instant): boolean {
  return now - at <= FRESH;
}

/**
 * The greatest age of one fact: a share of `--max-age` of its own, so that a fleet that was read in one hour
 * does not expire in one (semantics N8). What was not understood is tried again after a day.
 */
export function ageLimit({ kind, id, value }: Fact, maxAge: Milliseconds): Milliseconds {
  if (value.is === 'problem') return Math.min(FRESH, maxAge);
  const share = 0.75 + (0.25 * stableHash(kind, id)) / HASH_SPAN;
  return Math.min(maxAge, OLDEST) * share;
}

/** Problems that may be gone by now; the others say that a person has to do something first. */
const PASSING: ReadonlySet<FactProblem> = new Set(['failed', 'notFound']);

/**
 * Whether a value is read again although its problem is believed (semantics N8): a problem that may
 * pass is tried again by the next run, then each time after as long as it has lasted. So a service
 * that works again is noticed soon, and one that does not costs a few reads a day.
 */
export function isTriedAgain({ at, value }: Fact, now: Instant): boolean {
  if (value.is !== 'problem') return false;
  if (value.again === true) return true;
  return PASSING.has(value.problem) && now - at >= at - (value.since ?? at);
}

/** When the credential came to be, as the fact has it. */
function credentialStart({ value }: Fact): Instant | undefined {
  if (value.is === 'password') return value.changed;
  return value.is === 'certificate' ? value.notBefore : undefined;
}

function certificateEnd({ value }: Fact): Instant | undefined {
  return value.is === 'certificate' ? value.notAfter : undefined;
}

/**
 * The list shows a date that the fact does not have, or that is later than the read. Of several users or
 * certificates it may show another end than the one in use: that is no news as long as it stays.
 */
function isContradicted({ kind, at, value }: Fact, device: Device): boolean {
  const { passwordChangedAt, passwordExpiresAt, sslCertificateExpiresAt } = device;
  if (kind === 'password') {
    if (passwordChangedAt !== undefined && passwordChangedAt > at + SKEW) return true;
    if (value.is !== 'password') return false;
    return (
      isOther(value.changed, passwordChangedAt) ||
      isNews(value.expires, value.listed, passwordExpiresAt)
    );
  }
  if (value.is !== 'certificate') return false;
  return isNews(value.notAfter, value.listed, sslCertificateExpiresAt);
}

/** Whether the list shows neither the end that was read nor the one that it showed then. */
function isNews(
  read: Instant | undefined,
  before: Instant | undefined,
  listed: Instant | undefined,
): boolean {
  return isOther(read, listed) && (before === undefined || isOther(before, listed));
}

function isOther(known: Instant | undefined, listed: Instant | undefined): boolean {
  return known !== undefined && listed !== undefined && Math.abs(known - listed) > SKEW;
}

/** A task of ours for this credential is no older than the fact: it shows the one before. */
function isReplaced({ kind, at }: Fact, deviceId: string, { memory }: Believing): boolean {
  const tasks = (Object.keys(TASKS) as TaskType[]).filter(
    (task) => TASKS[task].credential === kind,
  );
  return tasks.some((task) =>
    memory
      .intentsOf(deviceId, task)
      .some(({ attemptedAt, settledAt }) => attemptedAt >= at || (settledAt ?? -Infinity) >= at),
  );
}

/** A store keeps a fact for this many greatest ages. */
const STAYS = 4;

/**
 * The facts that a store keeps (semantics N10, N18): without those that have long been too old, and no more than
 * a week of reading can renew.
 */
export function compactFacts(
  facts: Iterable<Fact>,
  {
    now,
    maxAge,
    perSecond,
  }: { readonly now: Instant; readonly maxAge: Milliseconds; readonly perSecond: number },
): readonly Fact[] {
  const held = [...facts].filter(
    ({ at }) => now - at < STAYS * Math.min(maxAge, OLDEST) && at <= now + DAY,
  );
  const most = Math.ceil((perSecond * 7 * DAY) / 1_000);
  return held.length <= most ? held : held.toSorted((a, b) => b.at - a.at).slice(0, most);
}

/**
 * The kinds of facts that reads of this run contradict: a password that was last changed before its fact was read,
 * and at another time than the fact says, was never read like that (semantics N15). A read that failed or showed no
 * date says nothing that could be contradicted.
 */
export function contradictedKinds(
  earlier: Iterable<Fact>,
  read: ReadonlyMap<string, Fact>,
): ReadonlySet<FactKind> {
  const kinds = new Set<FactKind>();
  if (read.size === 0) return kinds;
  for (const fact of earlier) {
    const now = read.get(factKey(fact));
    if (!now || now.who !== fact.who || now.reader !== fact.reader) continue;
    const [before, after] = [credentialStart(fact), credentialStart(now)];
    if (before === undefined || after === undefined || now.at <= fact.at) continue;
    if (after < fact.at - SKEW && Math.abs(after - before) > SKEW) kinds.add(fact.kind);
  }
  return kinds;
}

/** What a reading shows of earlier values and of the clocks, for its plan; undefined if nothing is wrong. */
export function toNotices({
  tooSlow,
  contradicted,
  skew,
}: {
  readonly tooSlow: FactNotices['tooSlow'];
  readonly contradicted: ReadonlySet<FactKind>;
  readonly skew: Milliseconds;
}): FactNotices | undefined {
  const notices = {
    ...(tooSlow && { tooSlow }),
    ...(contradicted.size > 0 && { contradicted: [...contradicted].toSorted(compareTexts) }),
    ...(Math.abs(skew) > MOST_SKEW_MS && { skew }),
  };
  return Object.keys(notices).length === 0 ? undefined : notices;
}
