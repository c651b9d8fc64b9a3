import { findRefusing } from '../model/documents/diagnostic.ts';
import { policyOfScope } from '../model/ledger/scopes.ts';
import type { Memory, ActiveStop } from '../model/ledger/memory.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { DebtStatus, PolicyStatus, StatusView } from '../model/report/status.ts';
import { findHint } from '../model/report/hint.ts';
import { reportStop } from '../model/ledger/stopped.ts';
import { haltedBy } from '../rollout/progress/wave-refusals.ts';
import { getOrAdd } from '../lib/maps.ts';
import { compareTexts } from '../lib/text-order.ts';
import type { Instant } from '../lib/time.ts';
import type { Followed } from '../rollout/progress/followed.ts';
import { openTasks, type OpenTasksInput } from './open-tasks.ts';
import { type PolicyTally, tallyPolicies } from './policy-tally.ts';
import { waveStatuses } from './wave-status.ts';

interface StatusInput extends OpenTasksInput {
  readonly plan: Plan;
  /** Overdue work by the address of its policy. */
  readonly debts: ReadonlyMap<string, DebtStatus>;
  /** The rollouts with waves, by the address of their policy; absent if none is followed. */
  readonly followed?: ReadonlyMap<string, Followed>;
}

/**
 * The status of each policy: how many devices are up to date, run, wait or are skipped and why, its
 * waves, overdue work and when it continues; and everything stopped, in doubt or in flight. A
 * policy that governs nothing and has nothing open is left out.
 */
export function fleetStatus(input: StatusInput): StatusView {
  const { memory, now } = input;
  const verified = countVerified(memory);
  const tallies = [...tallyPolicies(input.plan).values()].sort(
    (a, b) =>
      compareTexts(a.at.file, b.at.file) || a.at.line - b.at.line || a.at.column - b.at.column,
  );
  const { part, verdicts, coverage, timeZone, warnings } = input.plan;
  const refused = verdicts.filter(({ passed }) => !passed);
  return {
    at: now,
    ...(timeZone !== undefined && { timeZone }),
    ...(part && { part }),
    ...(coverage && { coverage }),
    policies: tallies.map((tally) => policyStatus(tally, { ...input, verified })),
    ...(refused.length > 0 && { refused }),
    refusing: findRefusing(warnings),
    pauses: input.plan.pauses ?? [],
    paused: activeStops(input)
      .sort((a, b) => a.at - b.at)
      .map((stop) => reportStop(stop, { memory, changes: input.plan.changes })),
    ...openTasks(input),
  };
}

type Counted = StatusInput & { readonly verified: ReturnType<typeof countVerified> };

/** An abort applies to the target that it was recorded for, not to a later one. */
function activeStops({ memory, followed }: StatusInput): ActiveStop[] {
  return [...memory.stops.values()].filter(({ scope, wish }) => {
    return wish === undefined || wish === followed?.get(policyOfScope(scope))?.input.targetDigest;
  });
}

function policyStatus(tally: PolicyTally, input: Counted): PolicyStatus {
  const { policy } = tally.at;
  const { plan, followed, debts, now } = input;
  const debt = debts.get(policy);
  const halt = followed?.get(policy)?.halts.whole;
  const halted = halt && haltedBy(halt).reason;
  const next = nextStart({ ...tally, ...(halted && { halted }) }, now);
  return {
    ...tally,
    ...rolloutStatus(policy, input),
    waves: waveStatuses(policy, { plan, followed }),
    ...(debt && { debt }),
    ...(halted && { halted }),
    ...(next !== undefined && { next }),
  };
}

/** A rollout towards another target is over: its devices and its start are not those of this one. */
function rolloutStatus(
  policy: string,
  { memory, followed, verified }: Counted,
): Pick<PolicyStatus, 'verified' | 'verifiedBefore' | 'startedAt'> {
  const last = memory.rollouts.get(policy);
  const rollout = followed?.has(policy) === true ? followed.get(policy)?.started : last;
  const before = rollout || !last ? 0 : verified(policy, last.seq);
  return {
    verified: verified(policy, rollout?.seq),
    ...(before > 0 && { verifiedBefore: before }),
    ...(rollout && { startedAt: rollout.startedAt }),
  };
}

/**
 * How many devices a rollout of a policy has verified; without one, the policy outside rollouts. A step towards a later
 * version is not the end of an upgrade.
 */
export function countVerified({ intents }: Pick<Memory, 'intents'>) {
  const devices = new Map<string, Map<number | undefined, Set<string>>>();
  for (const { policy, rollout, verdict, towards, device } of intents.values()) {
    if (verdict !== 'done' || towards !== undefined) continue;
    const ofPolicy = getOrAdd(devices, policy, () => new Map<number | undefined, Set<string>>());
    getOrAdd(ofPolicy, rollout, () => new Set()).add(device);
  }
  return (policy: string, rollout: number | undefined): number =>
    devices.get(policy)?.get(rollout)?.size ?? 0;
}

function nextStart(
  { run, waits, skips, halted }: Pick<PolicyStatus, 'run' | 'waits' | 'skips' | 'halted'>,
  now: Instant,
): PolicyStatus['next'] {
  const remaining = (waits.length > 0 ? waits : skips).map((each) =>
    halted && waits.length > 0 ? { ...each, reason: halted } : each,
  );
  const hint = findHint({ now, startable: run, remaining });
  if (hint.is === 'again') return now;
  if (hint.is === 'from' || hint.is === 'open') return hint.at;
  const isNever = remaining.length > 0 && remaining.every(({ reason }) => reason.next === 'never');
  return isNever ? 'never' : undefined;
}
