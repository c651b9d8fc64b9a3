import type { JsonObject } from '../../lib/canonical.ts';
import { isObject } from '../../lib/objects.ts';
import type { RunRow } from '../../model/ledger/run-table.ts';

/**
 * What a run made of a policy, as programs read it in an outcome file and in a notification: what was sent by how
 * it ended, the rest by who has to act.
 */
export function runRowJson(row: RunRow): JsonObject {
  const { policy, now, running, later, person, done, out, verified, failed, unread, isRefused } =
    row;
  return {
    policy,
    done: verified,
    failed,
    open: running,
    later: now + later,
    person: person - failed,
    unchanged: done - verified,
    out,
    unread,
    startable: now,
    ...(isRefused && { refused: true }),
  };
}

/** Reads such a row; those of older versions lack the last fields. Undefined for anything else. */
export function parseRunRow(value: unknown): RunRow | undefined {
  if (!isObject(value) || typeof value['policy'] !== 'string') return undefined;
  const { policy, out = 0, unread = 0, startable: now = 0 } = value;
  const { done: verified, failed, open: running, later, person, unchanged } = value;
  const counts = { verified, failed, running, later, person, unchanged, out, unread, now };
  if (!areCounts(counts)) return undefined;
  return {
    policy,
    ...(value['refused'] === true && { isRefused: true }),
    now: counts.now,
    running: counts.running,
    later: counts.later - counts.now,
    person: counts.person + counts.failed,
    done: counts.unchanged + counts.verified,
    out: counts.out,
    verified: counts.verified,
    failed: counts.failed,
    unread: counts.unread,
  };
}

function areCounts<Name extends string>(
  counts: Readonly<Record<Name, unknown>>,
): counts is Readonly<Record<Name, number>> {
  return Object.values(counts).every((count) => Number.isSafeInteger(count) && Number(count) >= 0);
}
