import { HASH_SPAN, stableHash } from '../lib/stable-hash.ts';
import { DAY, type Instant, type Milliseconds } from '../lib/time.ts';
import type { Device } from '../model/fleet/device.ts';
import { READ_DELAY_MS } from '../model/fleet/read-delay.ts';
import type { FactNotices } from '../model/fleet/snapshot.ts';
import type { Memory } from '../model/ledger/memory.ts';
import { MOST_SKEW_MS } from '../model/ports.ts';
import { tasksReplacing } from '../model/fleet/task.ts';
import {
  FACT_KINDS,
  identityDigest,
  type Contradicted,
  type Fact,
  type FactKind,
  type FactProblem,
} from './fact.ts';

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
  readonly memory: Pick<Memory, 'intentsOf' | 'distrusted'>;
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
  if (now - fact.at >= ageLimit(fact, maxAge) || isDistrusted(fact, believing.memory)) return false;
  if ((fact.who === undefined) !== (device === undefined)) return false;
  const from = credentialStart(fact);
  const { notAfter = Infinity } = fact.value.is === 'certificate' ? fact.value : {};
  if (from !== undefined && from >= notAfter) return false;
  if (!device) return true;
  if (fact.who !== identityDigest(device) || isContradicted(fact, device)) return false;
  return !isReplaced(fact, device.id, believing);
}

/** Whether a record says that no fact of its kind that was read so early is believed (semantics M25). */
export function isDistrusted(
  { kind, at }: Pick<Fact, 'kind' | 'at'>,
  { distrusted }: Pick<Memory, 'distrusted'>,
): boolean {
  return at < (distrusted.get(kind) ?? -Infinity);
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
 * that works again is noticed soon, and one that does not costs a few reads a day. A read that
 * contradicts an earlier one is made once more after V (semantics M25).
 */
export function isTriedAgain({ at, value, contradicts }: Fact, now: Instant): boolean {
  if (contradicts) return now - contradicts.since > READ_DELAY_MS;
  if (value.is !== 'problem') return false;
  if (value.again === true) return true;
  return PASSING.has(value.problem) && now - at >= at - (value.since ?? at);
}

/** When the credential came to be, as the fact has it. */
function credentialStart({ value }: Fact): Instant | undefined {
  if (value.is === 'password') return value.changed;
  return value.is === 'certificate' ? value.notBefore : undefined;
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
  return tasksReplacing(kind).some((task) =>
    memory
      .intentsOf(deviceId, task)
      .some(({ attemptedAt, settledAt }) => attemptedAt >= at || (settledAt ?? -Infinity) >= at),
  );
}

interface Keeping extends Pick<Memory, 'distrusted'> {
  readonly now: Instant;
  readonly maxAge: Milliseconds;
  readonly perSecond: number;
}

/** A store keeps a fact for this many greatest ages. */
const STAYS = 4;

/**
 * The facts that a store keeps (semantics N10, N18): without those that have long been too old or that no run
 * believes any more, and no more than a week of reading can renew.
 */
export function compactFacts(facts: Iterable<Fact>, keeping: Keeping): readonly Fact[] {
  const { now, maxAge, perSecond } = keeping;
  const held = [...facts].filter(
    (fact) =>
      now - fact.at < STAYS * Math.min(maxAge, OLDEST) &&
      fact.at <= now + DAY &&
      !isDistrusted(fact, keeping),
  );
  const most = Math.ceil((perSecond * 7 * DAY) / 1_000);
  return held.length <= most ? held : held.toSorted((a, b) => b.at - a.at).slice(0, most);
}

/**
 * A read with the earlier fact that it contradicts: a credential that was last changed before that fact was read, and
 * at another time than it says, was never read like that (semantics N15). A read shows an effect within V, so a change
 * of less than V before the fact says nothing. The earlier fact may be one that a read contradicted already. A read that
 * failed or showed no date says nothing that could be contradicted.
 */
export function againstEarlier(read: Fact, earlier: Fact | undefined): Fact {
  if (!earlier || read.who !== earlier.who || read.reader !== earlier.reader) return read;
  if (read.at <= earlier.at) return read;
  const { contradicts: known } = earlier;
  const from = credentialStart(earlier);
  const against =
    known ?? (from === undefined ? undefined : { at: earlier.at, from, since: read.at });
  return against && isAgainst(read, against) ? { ...read, contradicts: against } : read;
}

function isAgainst(read: Fact, { at, from }: Contradicted): boolean {
  const shown = credentialStart(read);
  return shown !== undefined && shown < at - READ_DELAY_MS && Math.abs(shown - from) > SKEW;
}

/** Whether a second read, more than V after the first, contradicts the same fact (semantics M25). */
export function isProvedWrong({ at, contradicts }: Fact): boolean {
  return contradicts !== undefined && at - contradicts.since > READ_DELAY_MS;
}

/**
 * What reads of this run contradict, one for each kind.
 * @param earlier the facts of earlier runs, the newest of each key
 * @param read the reads of this run, by the key of their fact
 */
export function contradictions(
  earlier: () => ReadonlyMap<string, Fact>,
  read: ReadonlyMap<string, Fact>,
): readonly Contradiction[] {
  return FACT_KINDS.flatMap((kind) => {
    const made = [...read.values()].filter((fact) => fact.kind === kind);
    const against = made.filter(({ contradicts }) => contradicts);
    const [shown] = [...against.filter(isProvedWrong), ...against];
    if (!shown) return [];
    const others = [...earlier()].filter(([key, fact]) => fact.kind === kind && !read.has(key));
    const before = Math.min(...made.map(({ at }) => at));
    const isProved = isProvedWrong(shown);
    return [{ kind, device: shown.id, count: others.length, before, isProved }];
  });
}

/** A read whose contradiction is on record: what it contradicts is believed no more. */
export function withoutContradiction({ contradicts: _known, ...fact }: Fact): Fact {
  return fact;
}

/** Reads that contradict facts of one kind. */
export interface Contradiction {
  readonly kind: FactKind;
  readonly device: string;
  /** The facts of this kind that this run has not read again. */
  readonly count: number;
  /** When this run first read such a value: what was read earlier may be of the same making. */
  readonly before: Instant;
  /** A second read says so, too: no earlier fact of this kind is believed any more. */
  readonly isProved: boolean;
}

/** What a reading shows of earlier values and of the clocks, for its plan; undefined if nothing is wrong. */
export function toNotices({
  tooSlow,
  contradicted,
  skew,
}: {
  readonly tooSlow: FactNotices['tooSlow'];
  readonly contradicted: readonly Contradiction[];
  readonly skew: Milliseconds;
}): FactNotices | undefined {
  const notices = {
    ...(tooSlow && { tooSlow }),
    ...(contradicted.length > 0 && {
      contradicted: contradicted.map(({ kind, device, count }) => ({ kind, device, count })),
    }),
    ...(Math.abs(skew) > MOST_SKEW_MS && { skew }),
  };
  return Object.keys(notices).length === 0 ? undefined : notices;
}
