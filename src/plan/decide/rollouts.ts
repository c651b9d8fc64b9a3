import { compileSelector } from '../../desired/select.ts';
import { digest } from '../../lib/canonical.ts';
import { computeOnce, once } from '../../lib/compute-once.ts';
import { KINDS } from '../../kinds/index.ts';
import type { IntentState, Memory } from '../../model/ledger/memory.ts';
import { rolloutNamed } from '../../model/documents/rollout-defaults.ts';
import type { RolloutSpec, Wave } from '../../model/documents/rollout.ts';
import type { Device } from '../../model/fleet/device.ts';
import { seedOf, type Policy } from '../../model/documents/policy.ts';
import type { Sourced } from '../../model/documents/source.ts';
import type { Desired, Exemption } from '../../model/plan/desired-state.ts';
import { lostPlaces } from '../../model/ledger/scopes.ts';
import { targetDigestIn } from '../../model/plan/policy-digest.ts';
import type { WaveMember } from '../../rollout/waves/assignment.ts';
import { assigner, followRollouts } from '../../rollout/progress/follow.ts';
import type { RolloutInput } from '../../rollout/progress/followed.ts';
import { sampleDevice } from '../../rollout/progress/gate-sample.ts';
import { openProgressBook } from '../../rollout/progress/rollout-progress.ts';
import { expeditedBy, toOnboardingInput, type Prepared, type Tracked } from './decision-input.ts';
import type { Predecessors } from '../../rollout/progress/predecessor.ts';
import { evaluate } from './decide.ts';
import { isRenewed, type Judging, type Resting } from './judging.ts';
import { createPasses } from './gate-passes.ts';
import { changeId, isWanted } from '../../model/plan/change.ts';
import type { Planned } from '../input.ts';
import { partMembership } from '../part/membership.ts';
import type { Reason, ReasonCode } from '../../model/plan/reason.ts';
import { toReason } from '../../rollout/budgets/budget-reason.ts';
import type { BudgetRefusal, BudgetTracker } from '../../rollout/budgets/budget-tracker.ts';
import { isTakenByDevices } from '../../rollout/budgets/headroom.ts';
import type { Evaluation, RuleResult } from './decision-input.ts';
import { isAllowedInAnyWave } from './approval.ts';
import { STEPS } from './steps.ts';

/**
 * Computes once which devices are in which rollout and which are set aside; the result can be used
 * again after each change of the ledger. Policies without a rollout have no waves.
 */
export function assignRollouts(
  input: Tracked,
  desired: Desired,
  { judging, predecessors }: { judging: Judging; predecessors?: Predecessors | undefined },
): NonNullable<Planned['follow']> {
  const groups = judgeMembers(input, desired, judging);
  const tracker = once(input.openTracker);
  for (const group of groups.values()) setAsideShutOut(group, tracker);
  const coverFor = coverIn(input);
  // A canary comes from sites where nothing holds it (semantics K30).
  const isHeld = ({ policy, standings }: Group, id: string): boolean => {
    const { sites = [], unreadable = [] } = standings.get(id)?.member ?? {};
    return !!predecessors?.holding(policy, unreadable.includes('sites') ? [] : sites);
  };
  const fixed = [...groups.values()].map((group) => {
    const isShutOut = findShutOut(group.policy, tracker);
    const one = {
      ...fixedInput(group, input, (id) => isHeld(group, id) || isShutOut(id) !== undefined),
      ...(coverFor?.(group.policy) ?? approvedIn(group)),
    };
    return { ...one, assign: assigner(one), count: openProgressBook() };
  });
  return (past) => {
    const passes = createPasses(input, past.now);
    return followRollouts(
      fixed.map(({ standings, ...one }) => ({
        ...one,
        ...passes(one, (id) => expeditedBy(standings.get(id)?.exemption ?? {}, past.now)),
      })),
      past,
    );
  };
}

/** The devices of each rollout, judged by the steps before its own. */
function judgeMembers(
  input: Prepared,
  desired: Desired,
  judging: Judging,
): ReadonlyMap<string, Group> {
  const { groups, groupOf, enter } = startGroups(input);
  for (const policy of judging.policies) groupOf(policy);
  for (const each of judging.resting) groupOf(each.policy)?.resting.push(each);
  for (const want of judging.open) enter(judging.evaluate(want, input));
  for (const want of desired.onboarding)
    if (want.found === 'discovered') enter(evaluate(toOnboardingInput(want, want.device, input)));
  return groups;
}

/** The rollouts, while their devices are entered. */
function startGroups(input: Prepared) {
  const groups = new Map<string, Group>();
  const groupOf = ({ value: policy }: Sourced<Policy>): Group | undefined => {
    const known = groups.get(policy.address);
    if (known) return known;
    const spec = rolloutNamed(input.documents.rollouts, policy.rollout);
    if (!spec) return undefined;
    const started = input.memory.rollouts.get(policy.address);
    const isBegun = started?.targetDigest === targetDigestIn(input.memory, policy);
    // With the base of the rollout, if that of this target has begun: any further device joins it.
    const group: Group = {
      policy,
      spec,
      standings: new Map(),
      resting: [],
      approved: new Set(),
      ...(isBegun && { base: new Set(started.base) }),
    };
    groups.set(policy.address, group);
    return group;
  };
  return {
    groups,
    groupOf,
    enter(evaluation: Evaluation): void {
      const { judgement, exemption, case: theCase } = evaluation;
      const { id } = theCase.device;
      const group = groupOf(evaluation.policy);
      if (!group) return;
      const isAllowed = isAllowedInAnyWave(evaluation);
      const joinsLater = !isAllowed && group.base?.has(id) === false;
      const due = judgement.is === 'due' ? judgement : undefined;
      const target = due?.finalTarget ?? due?.target;
      const { aside, cannot } = asideReason(evaluation, joinsLater);
      const member = toMember(theCase.device);
      group.standings.set(id, { member, aside, cannot, target, exemption });
      if (evaluation.approvals && isAllowed) group.approved.add(id);
    },
  };
}

/**
 * The approval is for a task of a device, whatever its policy: the same change may have another
 * policy now. Devices outside the approved part belong to the base of a rollout as ever, so that its
 * canary is that of the policy, whatever part begins it (semantics N37).
 */
function coverIn({
  approved,
  snapshot,
}: Prepared): ((policy: Policy) => Pick<RolloutInput, 'covers'>) | undefined {
  if (!approved) return undefined;
  const ids = new Set<string>();
  for (const change of approved.changes) if (isWanted(change)) ids.add(change.id);
  const members = approved.part && partMembership(approved.part, snapshot);
  return ({ address }) => ({
    covers: (task, deviceId) =>
      ids.has(changeId(task, deviceId)) || members?.has(address, deviceId) === false,
  });
}

interface Group {
  readonly policy: Policy;
  readonly spec: RolloutSpec;
  readonly standings: Map<string, Judged>;
  /** Devices that have nothing to do, and no standing of their own. */
  readonly resting: Resting[];
  /** The devices that its rollout began with; absent before it has begun. */
  readonly base?: ReadonlySet<string>;
  /** Devices with an approved outcome; none where the commit is the approval. */
  readonly approved: Set<string>;
}

/**
 * A rollout begins with the devices whose outcomes are approved, so that its waves are those that a
 * person saw; the others join later. As long as nothing of it is approved, a plan shows its waves as
 * they would be.
 */
function approvedIn({ approved }: Group): Pick<RolloutInput, 'covers'> {
  if (approved.size === 0) return {};
  return { covers: (_task, deviceId) => approved.has(deviceId) };
}

/**
 * An incident does not wait for a device that a budget keeps from starting whatever runs: as one
 * that is away, it joins when it can (semantics N59). Where no budget will ever allow it, the device
 * has that reason, and not the wave that it would join.
 */
function setAsideShutOut({ policy, standings }: Group, tracker: () => BudgetTracker): void {
  if (policy.section !== 'rotations' || !policy.incident) return;
  const isShutOut = findShutOut(policy, tracker);
  for (const [id, judged] of standings) {
    const refusal = judged.aside === undefined ? isShutOut(id) : undefined;
    if (!refusal) continue;
    const never = refusal.blocked === undefined ? {} : { never: toReason(refusal) };
    standings.set(id, { ...judged, aside: 'skipped', ...never });
  }
}

/** The decision about one device of a rollout, apart from the rollout itself. */
interface Judged {
  readonly member: WaveMember;
  readonly aside: ReturnType<RolloutInput['aside']>;
  /** The final target, where it has one. */
  readonly target: string | undefined;
  readonly exemption: Exemption;
  /** Why no budget will ever let it start; absent where one may. */
  readonly never?: Reason;
  /** It cannot start until somebody does something with it, since then. */
  readonly cannot?: ReturnType<NonNullable<RolloutInput['cannotStart']>>;
}

function toMember(device: Device): WaveMember {
  const { id, sites, vendor, model, firmwareVersion, deviceType, unreadable } = device;
  const siteIds = sites.map((site) => site.id);
  return { id, sites: siteIds, vendor, model, firmwareVersion, deviceType, unreadable };
}

/**
 * The result of the steps before the rollout's own. A device that is not due, or overdue with a day of its own ahead
 * (semantics R12), is set aside until then: a canary of devices that start next month would block all others, and
 * would be stopped by its gate's timeout.
 */
function asideReason(
  evaluation: Evaluation,
  joinsLater: boolean,
): Pick<Judged, 'aside' | 'cannot'> {
  const { judgement, policy } = evaluation;
  if (judgement.is === 'notDue') return { aside: isRenewed(evaluation) ? 'converged' : 'skipped' };
  // A device that no run has read yet may be due: a base without it would not be the policy's.
  if (judgement.is === 'notRead') return { aside: undefined };
  for (const { code, check } of STEPS) {
    if (code === 'rolloutAborted') break;
    const ruleResult = check(evaluation);
    if (ruleResult?.reason.code === 'alreadyConverged') return { aside: 'converged' };
    // Here the wave is not known yet, so the step says no more than that an approval is asked for. A
    // rollout that has begun waits for that of its own devices, not for that of further ones.
    if (ruleResult?.reason.code === 'awaitsApproval') {
      if (joinsLater) return { aside: 'skipped' };
    } else if (ruleResult) {
      if (ruleResult.reason.why === 'spread') return { aside: 'skipped' };
      if (!isBase(ruleResult, policy.value)) return { aside: 'skipped' };
      return { aside: undefined, ...cannotBy(ruleResult.reason) };
    }
  }
  return { aside: undefined };
}

/** A device that nobody can reach, or that somebody holds, is in no canary as long as others can start. */
function cannotBy({ code, why, since }: Reason): Pick<Judged, 'cannot'> {
  const isAway = code !== 'frozenHard' && AWAY.has(code);
  if (!isAway && why !== 'maintenanceMode') return {};
  return { cannot: since === undefined ? {} : { since } };
}

/**
 * Whether a waiting change belongs to the base of its rollout. An incident does not wait for a device
 * that is offline: it joins when it is back, so that the trial has devices that answer (semantics N59).
 */
function isBase({ action, reason }: RuleResult, policy: Policy): boolean {
  if (action !== 'wait') return false;
  if (policy.section !== 'rotations' || !policy.incident) return true;
  if (reason.code === 'busy')
    return reason.why === 'ours' && reason.params?.['task'] === policy.task;
  return !AWAY.has(reason.code);
}

const AWAY: ReadonlySet<ReasonCode> = new Set(['hold', 'frozenHard', 'offline', 'unknown']);

type Fixed = RolloutInput & { readonly standings: ReadonlyMap<string, Judged> };

/**
 * Why the task of a policy cannot start on a device because of what is down anyway, or because
 * a budget never allows it: no running task changes that, and waiting for one does not help.
 * Undefined where it may start, now or later.
 */
function findShutOut(
  policy: Policy,
  tracker: () => BudgetTracker,
): (deviceId: string) => BudgetRefusal | undefined {
  const rollout = { maxInFlight: Infinity };
  const request = { task: policy.task, policy, rollout, disruptive: true };
  return (deviceId) => {
    const refusal = tracker().refuses({ ...request, deviceId });
    const { blocked, headroom } = refusal ?? {};
    return blocked !== undefined || (headroom && isTakenByDevices(headroom)) ? refusal : undefined;
  };
}

function fixedInput(
  { policy, spec, standings, resting }: Group,
  input: Prepared,
  isShutOut: (deviceId: string) => boolean,
): Fixed {
  const { devices } = input.snapshot;
  const restingRows = once(
    () => new Set(resting.flatMap((each) => each.rows).sort((a, b) => a - b)),
  );
  const aside = (id: string) => {
    const standing = standings.get(id);
    if (standing) return standing.aside;
    return restingRows().has(devices.rowOf(id) ?? -1) ? 'converged' : undefined;
  };
  const targetDigest = targetDigestIn(input.memory, policy);
  return {
    policy: policy.address,
    seed: seedOf(policy),
    task: policy.task,
    name: policy.rollout ?? '',
    spec,
    targetDigest,
    documents: digest({ targetDigest, rollout: JSON.stringify(spec) }),
    lostPlace: lostPlaces(input.snapshot),
    members: [...standings.values()].map(({ member }) => member),
    resting: () => ({
      ids: Array.from(restingRows(), devices.idAt),
      memberOf(id) {
        const row = devices.rowOf(id);
        return row === undefined ? undefined : toMember(devices.at(row));
      },
    }),
    selects: selectsIn(input),
    aside,
    never: (id) => standings.get(id)?.never,
    cannotStart: (id) => standings.get(id)?.cannot ?? (isShutOut(id) ? {} : undefined),
    sample(id, memory) {
      const row = devices.rowOf(id);
      const device = row === undefined ? undefined : devices.at(row);
      const isMember = row !== undefined && (standings.has(id) || restingRows().has(row));
      const left = device && !isMember && isAsVerified(device, policy, memory);
      return sampleDevice(device, left ? 'converged' : aside(id));
    },
    // Without a target of now, an upgrade ends where it was going when its last step was attempted.
    isLast: ({ device, target, towards = target }: IntentState) =>
      (standings.get(device)?.target ?? towards) === target,
    standings,
  };
}

/**
 * Whether a device that the policy no longer selects shows what its rollout verified: an upgrade may take a device out of
 * a selector with a version (semantics C6). Where no row shows the effect, the verification stands.
 */
function isAsVerified(device: Device, { address, task }: Policy, memory: Memory): boolean {
  const { shows, showsLater } = KINDS[task];
  if (!shows || !showsLater) return true;
  const isOurs = ({ policy, verdict }: IntentState) => policy === address && verdict === 'done';
  const last = memory.intentsOf(device.id, task).findLast(isOurs);
  return last !== undefined && showsLater(last, device, {});
}

/** Whether a device is in a wave with a selector; compiled once for each wave. */
function selectsIn(input: Prepared): RolloutInput['selects'] {
  const compiled = computeOnce(({ slice }: Wave) =>
    slice.is === 'select' ? compileSelector(slice.select, input) : undefined,
  );
  return (wave, deviceId) => {
    const row = input.snapshot.devices.rowOf(deviceId);
    return row !== undefined && compiled(wave)?.(row) === true;
  };
}
