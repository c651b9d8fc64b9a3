import type { JsonObject } from '../../lib/canonical.ts';
import type { CalendarView } from '../../model/plan/calendar.ts';
import type {
  OpenStatus,
  PolicyStatus,
  ReasonCount,
  StatusView,
} from '../../model/report/status.ts';
import { formatDuration, formatInstant, type Instant } from '../../lib/time.ts';
import { findAllClear } from '../../model/report/all-clear.ts';
import { statusSituation } from '../view/situations.ts';
import { reasonJson, stopJson } from './output-json.ts';

/** A calendar with instants as RFC 3339. */
export function calendarJson(view: CalendarView): JsonObject {
  const { from, to, entries } = view;
  return {
    from: formatInstant(from),
    to: formatInstant(to),
    horizon: formatDuration(to - from),
    entries: entries.map((entry) => timed(entry, ['at', 'last', 'until', 'since'])),
  };
}

/** A status with instants as RFC 3339 and reasons in words too. */
export function statusJson(view: StatusView): JsonObject {
  const { at, part, ledgerLost, clocksDiffer, refused, policies, pauses, paused, unseen } = view;
  return {
    at: formatInstant(at),
    ...(view.timeZone !== undefined && { timeZone: view.timeZone }),
    ...(view.readAt !== undefined && { readAt: formatInstant(view.readAt) }),
    ...(view.torn && { torn: true }),
    ...(part && { part: { ...(part as unknown as JsonObject) } }),
    outcome: findAllClear(statusSituation(view)).exit,
    ...(view.coverage && { coverage: view.coverage as unknown as JsonObject }),
    ...(ledgerLost && { ledgerLost: { ...ledgerLost } }),
    ...(clocksDiffer && { clocksDiffer: { ...clocksDiffer } }),
    ...(refused && { refused: refused as unknown as JsonObject[] }),
    policies: policies.map((policy) => policyJson(policy, at)),
    pauses: pauses.map((pause) => ({ ...pause })),
    ...(view.run && { run: timed(view.run, ['since', 'lastSignAt']) }),
    paused: paused.map(stopJson),
    inDoubt: view.inDoubt.map((open) => openJson(open, at)),
    ...(unseen && { unseen: unseen.map((open) => openJson(open, at)) }),
    inFlight: view.inFlight.map((open) => openJson(open, at)),
  };
}

function policyJson(policy: PolicyStatus, now: Instant): JsonObject {
  const { waves, waits, skips, left, debt, next, halted } = policy;
  return {
    ...timed(policy, ['startedAt', 'nextDue']),
    waves: waves.map((wave) => timed(wave, ['since', 'until'])),
    ...(halted && { halted: reasonJson(halted, now) }),
    waits: waits.map((wait) => countJson(wait, now)),
    skips: skips.map((skip) => countJson(skip, now)),
    left: left.map((one) => countJson(one, now)),
    ...(debt && { debt: timed(debt, ['oldest', 'breachesAt']) }),
    ...(next !== undefined && { next: typeof next === 'number' ? formatInstant(next) : next }),
  };
}

function countJson(count: ReasonCount, now: Instant): JsonObject {
  return { ...timed(count, ['lastNext']), reason: reasonJson(count.reason, now) };
}

function openJson(open: OpenStatus, now: Instant): JsonObject {
  return { ...timed(open, ['since']), age: formatDuration(Math.max(0, now - open.since)) };
}

/** Plain data with these fields, where present, as RFC 3339. */
function timed<T extends object>(value: T, instants: readonly (keyof T & string)[]): JsonObject {
  const plain = value as JsonObject;
  const written = instants.flatMap((field) => {
    const at = plain[field];
    return typeof at === 'number' ? [[field, formatInstant(at)] as const] : [];
  });
  return { ...plain, ...Object.fromEntries(written) };
}
