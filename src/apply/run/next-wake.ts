import { isRemaining } from '../../model/ledger/run-report.ts';
import type { Change } from '../../model/plan/change.ts';
import type { Reason, ReasonCode } from '../../model/plan/reason.ts';
import { parseInstant, type Instant, type Milliseconds } from '../../lib/time.ts';
import type { Awaited } from './command.ts';
import type { RunEvent } from './run-event.ts';
import { intentOfChange } from '../send/request.ts';
import type { Run } from './run.ts';
import { checkAgain } from '../../rollout/progress/gates.ts';
import { computeOnce } from '../../lib/compute-once.ts';

/** When a change of the run may next start, and why it is waiting. */
export type NextWake = RunEvent & { readonly is: 'wakeFound' };

/** How soon the fleet is read again where the time of the next headroom is unknown. */
const READ_AGAIN_AFTER: Milliseconds = 10 * 60_000;

const AT_ONCE: Milliseconds = 0;

/** Reasons that end at an unknown time: the tasks of other clients, and their use of budgets. */
const MAY_END: ReadonlySet<ReasonCode> = new Set(['budgetExhausted', 'busy']);

/**
 * Why the run waits, by the reason of the change that may start first; every other change falls
 * due.
 */
const WHY: Readonly<Partial<Record<ReasonCode, Awaited>>> = {
  hold: 'hold',
  frozenHard: 'freeze',
  frozen: 'freeze',
  busy: 'rest',
  gatePending: 'soak',
  windowClosed: 'window',
  pastCutoff: 'window',
  apiBudget: 'window',
  budgetExhausted: 'room',
};

/**
 * The earliest instant at which a change of this run that was not attempted may start: its window
 * opens, its soak ends, or there may be headroom again. Infinite where no instant is known, or
 * people or documents must act first.
 */
export function findNextWake(run: Run): NextWake {
  let first: NextWake = { is: 'wakeFound', at: Infinity, why: 'due' };
  const readAt = parseInstant(run.reading.survey?.plan.evaluatedAt ?? '') ?? run.clock.now();
  const lookAgain = computeOnce((policy: string) => lookAgainAfter(run, policy));
  for (const change of run.reading.work) {
    const reason = reasonToWait(run, change);
    if (!reason) continue;
    const isShut = isGateShut(reason);
    const later = isShut ? lookAgain(change.policy) : READ_AGAIN_AFTER;
    const at = later === AT_ONCE ? readAt : nextChance(reason, readAt, later);
    if (at < first.at)
      first = { is: 'wakeFound', at, why: isShut ? 'gate' : (WHY[reason.code] ?? 'due') };
  }
  return first;
}

/** The looks at its gate were not good enough so far (semantics C12). */
function isGateShut({ code, why }: Reason): boolean {
  return code === 'gatePending' && why === 'checks';
}

/** At once where the look that is on record now was the last that the gate needed. */
function lookAgainAfter({ reading }: Run, policy: string): Milliseconds {
  const { states = [], input } = reading.followNow().get(policy) ?? {};
  const gated = states.findIndex(({ is: state }) => state === 'gated');
  return gated === -1 ? AT_ONCE : checkAgain(input?.spec.waves[gated]?.soak ?? 0);
}

/** Why it was not started; undefined where it has ended, or was attempted in this run. */
function reasonToWait({ outcomes, journal }: Run, change: Change): Reason | undefined {
  if (outcomes.hasTried(intentOfChange(change, journal.memory.ledgerId))) return undefined;
  const said = outcomes.said.get(change.id);
  return !said || isRemaining(said) ? (said?.reason ?? change.reason) : undefined;
}

/** An instant that had passed when the fleet was read, without a start, is no prediction. */
function nextChance(reason: Reason, readAt: Instant, later: Milliseconds): Instant {
  const { code, next } = reason;
  if (next === 'never') return Infinity;
  if (next !== undefined && next > readAt) return next;
  const mayEnd = next !== undefined || MAY_END.has(code) || isGateShut(reason);
  return mayEnd ? readAt + later : Infinity;
}
