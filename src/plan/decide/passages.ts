import { type Passable, isPassed } from '../../model/documents/passes.ts';
import { ANYTIME } from '../../model/documents/window.ts';
import { policyOfScope } from '../../model/ledger/scopes.ts';
import type { Passed, PassedWhat } from '../../model/plan/change.ts';
import type { Instant } from '../../lib/time.ts';
import type { Evaluation } from './decision-input.ts';
import { awaitsItsTurn, otherCredential, settlesIn } from './rotations.ts';
import { findHalt, pausedElsewhere, soaking } from './steps.ts';
import { exceptionRule } from './gate-passes.ts';
import { insideExpiryGuard, startInsideGuard, withoutPasser } from './timing.ts';

/**
 * What a due change passes when it starts, each with the rule by which it does (semantics M26): the windows that do not
 * bind it, the soft freezes of that instant, and what else would hold it back now. Budgets are known only after all
 * changes are decided (`raisedFor`).
 */
export function findPassed(evaluation: Evaluation): readonly Passed[] {
  const { judgement, followed, case: theCase } = evaluation;
  if (judgement.is !== 'due') return [];
  const start = passesFrom(evaluation);
  return [
    ...(start ? bySchedule(evaluation, start) : []),
    ...(start && theCase.passer ? byPasser(evaluation, start.rule) : []),
    ...(followed?.passed(theCase.device.id) ?? []),
    ...pausedLosers(evaluation),
  ];
}

/**
 * A policy that a person paused before its rollout began with a device does not hold it where another policy wins: that
 * one passes its pause.
 */
function pausedLosers(evaluation: Evaluation): readonly Passed[] {
  const { losers, policy, memory } = evaluation;
  if (memory.pauses.size === 0) return [];
  const holding = policyOfScope(pausedElsewhere(evaluation)?.scope ?? '');
  const paused = losers.filter((loser) => {
    const { pause } = findHalt(loser.policy, evaluation) ?? {};
    return pause && policyOfScope(pause.scope) === loser.policy && loser.policy !== holding;
  });
  const rule = policy.value.address;
  return paused.map((loser) => ({ what: 'pause', name: loser.policy, rule }));
}

/** From when windows and soft freezes do not hold a change, and by which rule. */
interface Start {
  readonly from: Instant;
  readonly rule: string;
}

/** A change that waits for its guard, since its windows allow no start before, passes what is on when it begins. */
function passesFrom(evaluation: Evaluation): Start | undefined {
  const { exemption, timing, policy, case: theCase } = evaluation;
  const { passer, now } = theCase;
  if (passer === 'incident') return { from: now, rule: policy.value.address };
  if (passer) return { from: now, rule: exceptionRule(exemption.expedite?.name ?? '') };
  const from = startInsideGuard(evaluation, now);
  if (from === Infinity || !timing?.judged) return undefined;
  const { calendar, query, at } = timing.judged;
  const isBefore = (calendar.nextStart(query, at) ?? Infinity) < from;
  return isBefore && !insideExpiryGuard(evaluation) ? undefined : { from, rule: 'expiryGuard' };
}

/** An incident has no windows: it passes those of the policy that would rotate the credential without it. */
function bySchedule(
  { timing, policy, behind }: Evaluation,
  { from, rule }: Start,
): readonly Passed[] {
  const { incident } = policy.value.section === 'rotations' ? policy.value : {};
  const instead = behind?.find((one) => !one.incident)?.windows ?? [ANYTIME];
  const windows = incident ? instead : policy.value.windows;
  const name = windows.includes(ANYTIME) ? undefined : windows.toSorted().join(', ');
  const { calendar, query } = timing?.judged ?? {};
  const freezes =
    calendar && query && from < calendar.span.close ? calendar.softFreezes(query, from) : [];
  return [
    ...freezes.map((freeze) => ({ what: 'softFreeze' as const, name: freeze, rule })),
    ...(name === undefined ? [] : [{ what: 'window' as const, name, rule }]),
  ];
}

/** What else would hold the change back now if its exception or incident did not pass it (semantics N58). */
function byPasser(evaluation: Evaluation, rule: string): readonly Passed[] {
  const { passer } = evaluation.case;
  const without = withoutPasser(evaluation);
  const { judgement } = without;
  const why = judgement.is === 'notDue' ? judgement.reason.why : undefined;
  const holds: readonly (readonly [Passable & PassedWhat, boolean])[] = [
    ['spread', why === 'spread' || awaitsItsTurn(without) !== undefined],
    ['deferral', why === 'deferral'],
    ['offlineGrace', settlesIn(without) !== undefined],
    ['firmwareSoak', soaking(without) !== undefined],
    ['credentialGap', otherCredential(without) !== undefined],
  ];
  return holds.flatMap(([what, isHeld]) =>
    isHeld && isPassed(what, passer) ? [{ what, rule }] : [],
  );
}
