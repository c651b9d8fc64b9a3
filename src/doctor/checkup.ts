import { DIALECT_ROWS, type DialectValue } from '../dialect.gen.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import type { Dialect, WrittenDialect } from '../model/fleet/dialect.ts';
import { MOST_SKEW_MS } from '../model/ports.ts';
import type { Check, CheckSubject, Checkup, UnreadField } from '../model/report/checkup.ts';
import { MOST_REQUESTS } from './examine.ts';
import type { Settled } from './settle.ts';
import { listFindings } from './findings.ts';
import { check } from './failure-check.ts';
import type { Exchange } from './probing.ts';

interface CheckupParts {
  readonly settled: Settled;
  readonly exchanges: readonly Exchange[];
  /** What the documents say, and the assumptions that follow from it. */
  readonly written: WrittenDialect;
  readonly dialect: Dialect;
  readonly at: Instant;
  readonly tookMs: Milliseconds;
}

/** The result of an examination: what was found, what to write, and whether the service can be used. */
export function assembleCheckup(parts: CheckupParts): Checkup {
  const { settled, exchanges, written, dialect, at, tookMs } = parts;
  const findings = listFindings(dialect, settled.judged);
  const refused = listRefusals(settled.unread);
  const checks = [
    ...settled.checks.map((each) => refusedInstead(each, refused)),
    ...judgeExchanges(exchanges),
    ...judgeSeen(settled.seenAt, at),
  ];
  const unread = settled.unread.filter((each) => !isListRefused(each));
  const isUnusable = checks.some(({ state }) => state === 'bad');
  const isDifferent = findings.some(({ verdict }) => verdict === 'differs');
  // What is written and holds, with what differs in its place; nothing that is the default
  // anyway.
  const suggested = new Map(findings.map(({ key, suggested: value }) => [key, value] as const));
  const entries = DIALECT_ROWS.flatMap(({ key, default: own }) => {
    const value: DialectValue | undefined = suggested.get(key) ?? written[key];
    const isNeeded = value !== undefined && JSON.stringify(value) !== JSON.stringify(own);
    return isNeeded ? [[key, value] as const] : [];
  });
  const put = Object.fromEntries(entries) as WrittenDialect;
  return {
    result: isUnusable ? 'unusable' : isDifferent || unread.length > 0 ? 'differs' : 'fits',
    requests: { sent: exchanges.length, most: MOST_REQUESTS, tookMs },
    at,
    checks,
    findings,
    unread,
    changes: settled.changes,
    dialect: put,
    isWritten: !isDifferent,
  };
}

/** The lists that every plan or import reads, and what they are called here. */
const LISTS: Readonly<Record<string, CheckSubject>> = {
  '/v1/devices': 'devices',
  '/v1/sites': 'sites',
  '/v1/deviceSources': 'sources',
  '/v1/discoveredDevices': 'discovered',
};

/** A list that is refused failed its check; where the check says why already, its words stay. */
function refusedInstead(own: Check, refused: ReadonlyMap<CheckSubject, Check>): Check {
  const instead = refused.get(own.name);
  if (!instead) return own;
  return own.code === 'listRead' ? instead : { ...own, state: 'bad' };
}

function isListRefused({ isRefused, endpoint }: UnreadField): boolean {
  return isRefused && Object.hasOwn(LISTS, endpoint);
}

/** The lists that no command can read, whatever else is right with them; the first reason of each. */
function listRefusals(unread: readonly UnreadField[]): ReadonlyMap<CheckSubject, Check> {
  const checks = new Map<CheckSubject, Check>();
  for (const { endpoint, field, keys } of unread.filter(isListRefused)) {
    const name = LISTS[endpoint] ?? 'devices';
    const params = { field, ...(keys.length > 0 && { keys: keys.join(' or ') }) };
    if (!checks.has(name)) checks.set(name, check(name, 'bad', 'listRefused', params));
  }
  return checks;
}

/** A difference that a person should know of; a `Date` has whole seconds, and a request takes time. */
const NOTED_SKEW_MS = 10_000;

/** What no single answer shows: the clock, the manner of a refusal, and compression. */
function judgeExchanges(exchanges: readonly Exchange[]): readonly Check[] {
  const answered = exchanges.filter(({ status }) => status > 0);
  if (answered.length === 0) return [];
  return [judgeClock(answered), judgeRetryAfter(answered), judgeCompression(answered)];
}

function judgeClock(answered: readonly Exchange[]): Check {
  const skews = answered
    .flatMap(({ date, sentAt, answeredAt }) =>
      date === undefined ? [] : [date - (sentAt + answeredAt) / 2],
    )
    .sort((a, b) => a - b);
  const middle = skews[Math.floor(skews.length / 2)];
  if (middle === undefined) return check('clock', 'note', 'clockAbsent');
  const seconds = Math.round(Math.abs(middle) / 1_000);
  const params = { seconds, side: middle > 0 ? 'ahead of' : 'behind' };
  if (Math.abs(middle) > MOST_SKEW_MS) return check('clock', 'bad', 'clockSkew', params);
  if (Math.abs(middle) > NOTED_SKEW_MS) return check('clock', 'note', 'clockOff', params);
  return check('clock', 'good', 'clockRight', { seconds });
}

/** Online devices that no one saw lately, by their dates: another zone, or a service that does not follow them. */
const MOST_SEEN_AGE_MS = 15 * 60_000;
const ENOUGH_SEEN = 3;

function judgeSeen(seenAt: readonly Instant[], at: Instant): readonly Check[] {
  const ages = seenAt.map((seen) => at - seen).sort((a, b) => Math.abs(a) - Math.abs(b));
  const [least = 0] = ages;
  if (ages.length < ENOUGH_SEEN || Math.abs(least) <= MOST_SEEN_AGE_MS) return [];
  const params = {
    minutes: Math.round(Math.abs(least) / 60_000),
    side: least < 0 ? 'ahead' : 'ago',
  };
  return [check('clock', 'note', 'lastSeenOff', params)];
}

function judgeRetryAfter(answered: readonly Exchange[]): Check {
  const refused = answered.filter(({ status }) => status === 429);
  if (refused.length === 0) return check('retryAfter', 'unknown', 'neverTooMany');
  const count = refused.length;
  const delay = refused.map(({ retryAfter }) => retryAfter).find((each) => each !== undefined);
  return delay === undefined
    ? check('retryAfter', 'note', 'retryAfterAbsent', { count })
    : check('retryAfter', 'note', 'retryAfterShown', { count, delay });
}

function judgeCompression(answered: readonly Exchange[]): Check {
  const encoding = answered.map((each) => each.encoding).find((each) => each !== undefined);
  return encoding === undefined
    ? check('compression', 'unknown', 'compressionUnseen')
    : check('compression', 'good', 'compressionSeen', { encoding });
}
