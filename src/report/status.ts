import { findRefusing } from '../model/documents/diagnostic.ts';
import { policyOfScope } from '../model/ledger/scopes.ts';
import type { Memory, ActiveStop, IntentState } from '../model/ledger/memory.ts';
import type { Plan } from '../model/plan/plan.ts';
import type {
  DebtStatus,
  PolicyStatus,
  StatusView,
  WaveStatus,
  OpenStatus,
} from '../model/report/status.ts';
import { findHint } from '../model/report/hint.ts';
import { reportStop, FAILED_VERDICTS } from '../model/ledger/stopped.ts';
import { haltedBy } from '../rollout/progress/wave-refusals.ts';
import { getOrAdd } from '../lib/maps.ts';
import { compareTexts } from '../lib/text-order.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import type { Followed } from '../rollout/progress/followed.ts';
import { type PolicyTally, tallyPolicies } from './policy-tally.ts';
import type { WaveState } from '../rollout/progress/gates.ts';
import { pick } from '../lib/objects.ts';

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

/**
 * The waves of a policy, in order: from its rollout if it is followed, else from the plan, with the
 * numbers still missing. Empty for a policy without waves.
 */
export function waveStatuses(
  policy: string,
  {
    plan,
    followed,
  }: {
    readonly plan: Pick<Plan, 'waves'>;
    readonly followed?: ReadonlyMap<string, Followed> | undefined;
  },
): readonly WaveStatus[] {
  const rollout = followed?.get(policy);
  if (rollout) return followedWaves(rollout);
  return plan.waves
    .filter((wave) => wave.policy === policy)
    .map(({ name, changes }) => ({ name, is: 'plain', devices: changes }));
}

/** A rollout that has not begun and has no eligible device lists no waves. */
function followedWaves({ input, started, states, progress }: Followed): readonly WaveStatus[] {
  if (!started && progress.waves.every(({ eligible }) => eligible === 0)) return [];
  return input.spec.waves.flatMap(({ name }, index) => {
    const [state, wave] = [states[index], progress.waves[index]];
    if (!state || !wave) return [];
    const { devices, attempted, verified } = wave;
    // A wave without devices is left out, except an empty first wave, which blocks all others.
    if (index > 0 && devices === 0 && attempted === 0) return [];
    const bad = Object.values(wave.bad).reduce((sum, count) => sum + count, 0);
    const failed = FAILED_VERDICTS.reduce((sum, verdict) => sum + wave.bad[verdict], 0);
    return [{ name, devices, attempted, verified, bad, failed, ...waveStatus(state) }];
  });
}

function waveStatus(state: WaveState): Pick<WaveStatus, 'is' | 'since' | 'until' | 'why'> {
  switch (state.is) {
    case 'waiting':
    case 'open':
      return { is: state.is };
    case 'soaking':
      return { is: state.is, since: state.since, until: state.until };
    case 'gated':
      return { is: state.is, since: state.since, why: state.why };
    case 'passed':
      return { is: state.is, since: state.at };
    case 'paused':
    case 'aborted':
      return { is: state.is, why: state.rule };
  }
}

interface OpenTasksInput {
  readonly memory: Memory;
  /** Whether an intent belongs to the part that the plan is of; all do if absent. */
  readonly isInPart?: (policy: string, deviceId: string) => boolean;
  /** Whether the service lists a device, managed or discovered; if absent, it lists all. */
  readonly isListed?: (deviceId: string) => boolean;
  /** How long after its attempt an intent needs a person; never if absent. */
  readonly lostAfter?: (intent: IntentState) => Milliseconds;
  readonly now: Instant;
}

function openTasks(input: OpenTasksInput): Pick<StatusView, 'inDoubt' | 'inFlight' | 'unseen'> {
  const { memory, now, isInPart = () => true, lostAfter } = input;
  const isOurs = ({ policy, device }: IntentState): boolean => isInPart(policy, device);
  const open = memory.open().filter(isOurs);
  const isDoubt = ({ phase }: IntentState): boolean => phase === 'inDoubt';
  const unseen = findUnseen(input).filter(isOurs);
  return {
    inDoubt: toStatuses(open.filter(isDoubt)),
    ...(unseen.length > 0 && { unseen: toStatuses(unseen) }),
    inFlight: toStatuses(
      open.filter((intent) => !isDoubt(intent)),
      (intent) => now - intent.attemptedAt > (lostAfter?.(intent) ?? Infinity),
    ),
  };
}

/**
 * The last intent of each device that ended unverified and that no plan can show: the service lists the
 * device neither as managed nor as discovered, as after an onboarding that it reported as successful.
 */
function findUnseen({ memory, isListed = () => true }: OpenTasksInput): readonly IntentState[] {
  const last = new Map<string, IntentState>();
  for (const intent of memory.intents.values())
    if (!isListed(intent.device)) last.set(`${intent.task}/${intent.device}`, intent);
  return [...last.values()].filter(
    ({ phase, verdict }) => phase === 'closed' && verdict === 'unverified',
  );
}

/** Oldest first. */
function toStatuses(
  intents: readonly IntentState[],
  isLost: (intent: IntentState) => boolean = () => false,
): readonly OpenStatus[] {
  return intents
    .map((intent) => {
      const { id, attemptedAt, doubtSince } = intent;
      return {
        intentId: id,
        ...pick(intent, 'attemptId', 'taskId', 'task', 'device', 'policy'),
        since: doubtSince ?? attemptedAt,
        ...(isLost(intent) && { lost: true }),
      };
    })
    .sort((a, b) => a.since - b.since || compareTexts(a.intentId, b.intentId));
}
