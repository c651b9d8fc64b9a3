import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Documents } from '../../model/documents/policy.ts';
import {
  type RunReport,
  countUnread,
  isNotSent,
  isOpen,
  isRemaining,
} from '../../model/ledger/run-report.ts';
import type { Reason, ReasonCode } from '../../model/plan/reason.ts';
import { firstStarts } from '../../report/first-starts.ts';

const HOUR: Milliseconds = 3_600_000;
const DAY: Milliseconds = 24 * HOUR;
/** Reasons that may end without saying when: room in a budget, another task, a gate. */
const MAY_END: ReadonlySet<ReasonCode> = new Set(['budgetExhausted', 'busy', 'gatePending']);
interface RunEnd {
  readonly documents: Documents;
  readonly now: Instant;
  readonly atMost: Milliseconds;
}

/**
 * When apply runs again: when the first change may start, or a gate is looked at again, as far as its reason says; an
 * hour after it started something, where a reason does not say when it ends; and at the latest after `atMost`. Nothing
 * else changes the fleet of a rehearsal, so a run in between would find what the last one found: a gate that needs more
 * devices gets them from a run that another reason calls for. What falls due on a day of its own is found at the next midnight in UTC, or when
 * the windows of its policy open after it.
 */
export function nextRun(
  report: RunReport | undefined,
  { documents, now, atMost }: RunEnd,
): Instant {
  if (!report || countUnread(report) > 0) return now + HOUR;
  const chances = { now, retryAt: mayChange(report) ? now + HOUR : Infinity };
  const startAfter = firstStarts(documents, now);
  let next = now + atMost;
  const left = report.endings.filter((ending) => isRemaining(ending) || isOpen(ending));
  for (const { change, reason = change.reason } of left) {
    const due = dueAt(reason, now);
    // Most changes fall due later than another may start, and need no look at the calendar.
    if (due === undefined) next = Math.min(next, nextChance(reason, chances));
    else if (due < next) next = Math.min(next, startAfter(change.policy, due));
  }
  return next;
}

/** The midnight at which a device that is not due is found to be; undefined where that is not the reason. */
function dueAt({ code, next }: Reason, now: Instant): Instant | undefined {
  if (code !== 'notDue' || typeof next !== 'number' || next <= now) return undefined;
  return Math.ceil(next / DAY) * DAY;
}

/**
 * Whether a device may still change after a run. Where all that it started is verified, its last reading
 * has seen the devices as they stay, and neither a budget nor a gate waits for them.
 */
function mayChange({ attempts, endings, leftOpen = [], closedBeside = [] }: RunReport): boolean {
  if (attempts === 0) return false;
  const ended = [...endings.filter((ending) => !isNotSent(ending)), ...closedBeside];
  return leftOpen.length > 0 || ended.some(({ outcome }) => outcome !== 'verified');
}

interface Chances {
  readonly now: Instant;
  /** When a reason without an end may have ended. */
  readonly retryAt: Instant;
}

function nextChance({ code, next: at }: Reason, { now, retryAt }: Chances): Instant {
  if (typeof at === 'number' && at > now) return at;
  return at !== 'never' && MAY_END.has(code) ? retryAt : Infinity;
}
