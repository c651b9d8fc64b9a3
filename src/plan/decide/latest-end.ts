import type { Reason, ReasonCode } from '../../model/plan/reason.ts';
import { formatInstant, type Instant } from '../../lib/time.ts';
import type { DecisionStep, Evaluation, RuleResult } from './decision-input.ts';
import { passesWindows } from './timing.ts';

/** What holds back a change that is due, until an instant or until a person acts. */
const HOLDS: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'hold',
  'frozenHard',
  'rolloutAborted',
  'rolloutPaused',
  'gatePending',
  'frozen',
]);

/**
 * The result of the step that decided, with the instant at which nothing holds the change any more:
 * the latest end of all that holds it, and from there the next start that its windows allow. Where
 * something beside it has no end, the instant is `never`, and the parameters name that (semantics
 * K26).
 * @param steps the steps after the one that decided, in their order
 */
export function untilAllEnd(
  decided: RuleResult,
  evaluation: Evaluation,
  steps: readonly DecisionStep[],
): RuleResult {
  if (!mayEndLater(decided)) return decided;
  return withinIncident(untilOthersEnd(decided, evaluation, steps), evaluation);
}

/**
 * Whether a later step may move the instant of a result. Later steps read the wave and the pauses of a
 * device, so such a result holds for that device alone, whatever decided it. Of any other result
 * `untilAllEnd` changes nothing.
 */
export function mayEndLater({ action, reason }: RuleResult): boolean {
  return action === 'wait' && typeof reason.next === 'number';
}

/**
 * A change of an incident that could start only after its end never starts: it needs a person (semantics
 * N61).
 */
function withinIncident(decided: RuleResult, { case: { policy } }: Evaluation): RuleResult {
  const { reason } = decided;
  const incident = policy.section === 'rotations' ? policy.incident : undefined;
  const isAfter = typeof reason.next === 'number' && incident && reason.next >= incident.until;
  if (!isAfter) return decided;
  const params = { ...reason.params, incidentEnds: formatInstant(incident.until) };
  return { ...decided, reason: { ...reason, next: 'never', params } };
}

function untilOthersEnd(
  decided: RuleResult,
  evaluation: Evaluation,
  steps: readonly DecisionStep[],
): RuleResult {
  const { reason } = decided;
  if (!HOLDS.has(reason.code) || typeof reason.next !== 'number') return decided;
  const others = steps
    .filter(({ code }) => HOLDS.has(code))
    .flatMap(({ code, check }) => {
      const result = check(evaluation);
      return result?.reason.code === code && !isEmptyWave(result.reason) ? [result.reason] : [];
    });
  const endless = others.find(({ next }) => next === 'never');
  if (endless) {
    const params = { ...reason.params, ...endlessParams(endless) };
    return { ...decided, reason: { ...reason, next: 'never', params } };
  }
  const ends = others.flatMap(({ next }) => (typeof next === 'number' ? [next] : []));
  const next = nextStart(evaluation, Math.max(reason.next, ...ends));
  return next === reason.next ? decided : { ...decided, reason: { ...reason, next } };
}

/**
 * The wave before has no device that can change now. That ends with those devices, as when they fall due,
 * and not when a person ends something.
 */
function isEmptyWave({ why }: Reason): boolean {
  return why === 'emptyWave';
}

function endlessParams({ code, params = {} }: Reason) {
  const { scope = '', freeze = '', ticket } = params;
  if (code === 'frozen' || code === 'frozenHard') return { alsoFrozen: freeze };
  return { alsoPaused: scope, ...(ticket !== undefined && { alsoTicket: ticket }) };
}

/** The first start from an instant on that windows and freezes allow; the instant itself if unknown. */
function nextStart(evaluation: Evaluation, from: Instant): Instant {
  const judged = evaluation.timing?.judged;
  if (!judged || passesWindows(evaluation) || from >= judged.calendar.span.close) return from;
  return judged.calendar.nextStart(judged.query, from) ?? from;
}
