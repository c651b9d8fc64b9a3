import type { IntentState, Memory, Stop } from '../model/ledger/memory.ts';
import type { Outlook } from '../model/plan/outlook.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { OpenStatus, PolicyStatus, StatusView } from '../model/plan/status.ts';
import { compareTexts } from '../lib/text-order.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import type { Followed } from '../rollout/progress/followed.ts';
import { debtsOf } from './debts.ts';
import { tallyPolicies, type PolicyTally } from './policy-tally.ts';
import { wavesOf } from './wave-status.ts';

/** What a status is made from: one look at the fleet, its plan, and the ledger. */
export interface StatusInput {
  readonly plan: Plan;
  readonly outlooks: Iterable<Outlook>;
  readonly memory: Memory;
  /** The rollouts with waves, by the address of their policy; absent where none is followed. */
  readonly followed?: ReadonlyMap<string, Followed>;
  /** How long after its attempt an intent is for a person to look at; absent: never. */
  readonly lostAfter?: (intent: IntentState) => Milliseconds;
  readonly now: Instant;
}

/**
 * Where each policy stands: how many devices are as wanted, run, wait and are skipped and why, its
 * waves, what is overdue and when it goes on; and what is stopped, in doubt and in flight. A policy
 * that governs nothing and has nothing open is not in it.
 */
export function statusOf(input: StatusInput): StatusView {
  const { memory, now } = input;
  const debts = debtsOf(input.outlooks, now);
  const tallies = [...tallyPolicies(input.plan).values()].sort(
    (a, b) =>
      compareTexts(a.at.file, b.at.file) || a.at.line - b.at.line || a.at.column - b.at.column,
  );
  const open = memory.open();
  return {
    at: now,
    policies: tallies.map((tally) => policyStatus(tally, input, debts)),
    paused: stopsOf(input).sort((a, b) => a.at - b.at),
    inDoubt: openOnes(open.filter(({ phase }) => phase === 'inDoubt')),
    inFlight: openOnes(
      open.filter(({ phase }) => phase !== 'inDoubt'),
      (intent) => now - intent.attemptedAt > (input.lostAfter?.(intent) ?? Infinity),
    ),
  };
}

/** An abort stops the wish that it was of, and not the one that came after it. */
function stopsOf({ memory, followed }: StatusInput): Stop[] {
  return [...(memory.stops?.values() ?? [])].filter(({ scope, wish }) => {
    const [policy = ''] = scope.split('/', 1);
    return wish === undefined || wish === followed?.get(policy)?.input.targetDigest;
  });
}

function policyStatus(
  tally: PolicyTally,
  { memory, plan, followed, now }: StatusInput,
  debts: ReturnType<typeof debtsOf>,
): PolicyStatus {
  const { policy } = tally.at;
  const startedAt = memory.rollouts?.get(policy)?.startedAt;
  const debt = debts.get(policy);
  const next = nextOf(tally, now);
  return {
    ...tally,
    verified: verifiedBy(policy, memory),
    ...(startedAt !== undefined && { startedAt }),
    waves: wavesOf(policy, { plan, followed }),
    ...(debt && { debt }),
    ...(next !== undefined && { next }),
  };
}

/** Devices that this rollout has verified; without a rollout, those that the policy ever has. */
function verifiedBy(policy: string, memory: Memory): number {
  const rollout = memory.rollouts?.get(policy)?.seq;
  const devices = new Set<string>();
  for (const intent of memory.intents.values())
    if (intent.policy === policy && intent.verdict === 'done' && intent.rollout === rollout)
      devices.add(intent.device);
  return devices.size;
}

function nextOf({ run, waits }: PolicyTally, now: Instant): PolicyStatus['next'] {
  if (run > 0) return now;
  const all = waits.map(({ reason }) => reason.next).filter((next) => next !== undefined);
  const instants = all.filter((next) => next !== 'never');
  if (instants.length > 0) return Math.min(...instants);
  return all.length > 0 && all.length === waits.length ? 'never' : undefined;
}

function openOnes(
  intents: readonly IntentState[],
  isLost: (intent: IntentState) => boolean = () => false,
): readonly OpenStatus[] {
  return intents
    .map((intent) => {
      const { id, attemptId, taskId, task, device, policy, attemptedAt, doubtSince } = intent;
      return {
        intentId: id,
        attemptId,
        ...(taskId !== undefined && { taskId }),
        task,
        device,
        policy,
        since: doubtSince ?? attemptedAt,
        ...(isLost(intent) && { lost: true }),
      };
    })
    .sort((a, b) => a.since - b.since || compareTexts(a.intentId, b.intentId));
}
