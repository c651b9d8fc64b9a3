import type { Case, Judgement, Kind } from '../../kinds/kind.ts';
import { KINDS } from '../../kinds/index.ts';
import { lastOnboarded } from '../../kinds/onboard-device.ts';
import { LABEL_FIELDS, type Device, type DiscoveredDevice } from '../../model/fleet/device.ts';
import { isOfIncident } from '../../model/documents/policies.ts';
import type { Documents, RotationPolicy, Selector } from '../../model/documents/policy.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';
import type { Passer } from '../../model/documents/passes.ts';
import type { RolloutSpec } from '../../model/documents/rollout.ts';
import type { IntentState, Memory } from '../../model/ledger/memory.ts';
import { isUnreadable } from '../../model/fleet/unreadable.ts';
import type { Facts, ReadProblem, Snapshot } from '../../model/fleet/snapshot.ts';
import { compileSelector } from '../../desired/select.ts';
import type { BudgetInput, BudgetTracker } from '../../rollout/budgets/budget-tracker.ts';
import { openBudgetBook } from '../../rollout/budgets/budgets.ts';
import { isLastSeenOff } from '../../rollout/budgets/last-seen.ts';
import { TASK_OF } from '../../model/fleet/task.ts';
import { isNoneOffered } from '../../model/plan/coverage.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { once } from '../../lib/compute-once.ts';
import { getOrAdd } from '../../lib/maps.ts';
import { pick } from '../../lib/objects.ts';
import type { Exemption, OnboardingWant, Want, Wanted } from '../../model/plan/desired-state.ts';
import type { Followed, Refused } from '../../rollout/progress/followed.ts';
import type { Predecessors } from '../../rollout/progress/predecessor.ts';
import { type Orphans, openOrphans } from '../../rollout/progress/orphans.ts';
import { type Outages, findOutages } from '../../rollout/budgets/outage.ts';
import type { ApprovalRules } from '../../model/plan/approval-rules.ts';
import type { PlannerInput } from '../input.ts';
import { type Schedule, type Timing, openSchedule } from './schedule.ts';
import type { Action } from '../../model/plan/change.ts';
import type { Reason, ReasonCode } from '../../model/plan/reason.ts';

/** The input of a decision: one device and one task that the documents mention. */
export interface DecisionInput extends Omit<Wanted, 'leftBy'> {
  readonly kind: Kind;
  readonly case: Case;
  readonly memory: Memory;
  /** Sites where many devices went down together; absent where this was not checked. */
  readonly outages?: Outages;
  /** Its rollout; without one `default`, of which only retries and timeouts apply. */
  readonly rollout: RolloutSpec;
  /** The state of its policy's rollout; absent where it has none, or before that is known. */
  readonly followed?: Followed;
  /** Every rollout, by the address of its policy; absent before that is known. */
  readonly rollouts?: ReadonlyMap<string, Followed>;
  /** What the ledger has of addresses that no policy has or names; absent: nothing. */
  readonly orphans?: Orphans;
  /** How the devices of policies that others come after stand; absent: no policy has `after`, or before that is known. */
  readonly predecessors?: Predecessors;
  /** Windows and freezes; absent where they do not matter. */
  readonly schedule?: Schedule;
  /** How long a device may be offline or in maintenance before it needs a person (semantics M30). */
  readonly needsYouAfter: Milliseconds;
  /** Absent where the commit is the approval. */
  readonly approvals?: ApprovalRules;
  /** What an incident wins over: other incidents, then the rotation policies; absent where it is none. */
  readonly behind?: readonly RotationPolicy[];
}

/** The IDs of the sites of a device; none if they are not known. */
export function knownSites(device: Pick<Device, 'sites' | 'unreadable'>): readonly string[] {
  return isUnreadable(device, 'sites') ? [] : device.sites.map(({ id }) => id);
}

/** The input, with results that all of its devices share. */
export type Prepared = PlannerInput &
  Pick<DecisionInput, 'orphans' | 'outages' | 'predecessors' | 'schedule'> & {
    /** Every rollout, by the address of its policy. */
    readonly followed?: ReadonlyMap<string, Followed>;
  };

/** The same with the budgets of its moment: each tracker counts on top of what is down and in flight by itself. */
export type Tracked = Prepared &
  Pick<BudgetInput, 'members'> & { readonly openTracker: () => BudgetTracker };

/** Divides the fleet by its budgets once, when a tracker is asked for. */
export function withBudgets(prepared: Prepared): Tracked {
  const members = (selector: Selector) => compileSelector(selector, prepared);
  const book = once(() => openBudgetBook({ ...prepared, members }));
  return { ...prepared, members, openTracker: () => book().at(prepared) };
}

/** Adds the facts that involve several devices. */
export function prepare(input: PlannerInput): Prepared {
  const { documents, snapshot } = input;
  const outages = findOutages(snapshot.devices);
  const orphans = openOrphans({ documents, snapshot })(input);
  return { ...input, outages, schedule: openSchedule(input), ...(orphans && { orphans }) };
}

/** The reads of one device. With neither device nor discovered, the service does not return it. */
export interface Seen {
  readonly device?: Device;
  /** Only for onboarding, and only where the device is not managed yet. */
  readonly discovered?: DiscoveredDevice;
  /** Beside `discovered`: the service shows the managed device that an earlier onboarding made. */
  readonly stillManaged?: true;
  readonly facts: Facts;
  /** Its row could not be parsed, so nothing is known of it. */
  readonly problem?: ReadProblem;
}

/** The inputs of a decision beside its device: the plan's input, or the current state for a last look. */
export interface Basis extends Pick<
  Prepared,
  | 'approvals'
  | 'dialect'
  | 'followed'
  | 'memory'
  | 'now'
  | 'orphans'
  | 'outages'
  | 'predecessors'
  | 'schedule'
> {
  /** The reading of the fleet; absent before there was one. */
  readonly snapshot?: Prepared['snapshot'];
  readonly documents: Pick<Documents, 'incidents' | 'rollouts' | 'rotations' | 'service'>;
  /** Whether an intent counts against its device; absent: each does. */
  readonly counts?: (intent: IntentState) => boolean;
}

/** The input of a decision about a managed device, before any per-device read was made. */
export function toDecisionInput(want: Want, input: Prepared): DecisionInput {
  return { ...askedOf(want.wanted, input), case: toCase(want, input) };
}

/** The case of a managed device, which neither windows nor rollouts are part of. */
export function toCase({ row, wanted, unclear }: Want, input: Prepared): Case {
  const device = input.snapshot.devices.at(row);
  const theCase = caseOf(wanted, { device, facts: input.snapshot.facts(device.id) }, input);
  if (unclear) theCase.unclear = unclear;
  if (wanted.task === TASK_OF.restarts && isLastSeenOff(input.snapshot)) theCase.lastSeenOff = true;
  if (KINDS[wanted.task].readsLate?.(theCase) === true) theCase.facts = {};
  return theCase;
}

export function toOnboardingInput(
  want: OnboardingWant,
  discovered: DiscoveredDevice,
  input: Prepared,
): DecisionInput {
  const { snapshot, memory } = input;
  const device = asDevice(discovered);
  const managedId = findManagedId(discovered.id, memory);
  const isManaged = managedId !== undefined && snapshot.devices.rowOf(managedId) !== undefined;
  const seen = { device, discovered, facts: snapshot.facts(device.id) };
  return decisionInput(want, isManaged ? { ...seen, stillManaged: true } : seen, input);
}

/**
 * The ID that a discovered device had once it was onboarded; undefined where fleetform did not
 * onboard it, or could not read it back.
 */
export function findManagedId(discoveredId: string, memory: Memory): string | undefined {
  const done = lastOnboarded(memory.intentsOf(discoveredId, TASK_OF.onboarding), discoveredId);
  return done && (done.managedId ?? discoveredId);
}

/**
 * The input of a decision after the single read of the device; undefined where the service does not
 * return it. Only onboarding handles a device that is discovered and not managed.
 */
export function toSeenInput(want: Wanted, seen: Seen, basis: Basis): DecisionInput | undefined {
  const { device, discovered, facts } = seen;
  if (device) return decisionInput(want, { device, facts }, basis);
  if (!discovered || want.task !== TASK_OF.onboarding) return undefined;
  return decisionInput(want, { ...seen, device: asDevice(discovered) }, basis);
}

/** The input before any per-device read, for the planner's first pass. */
export function withoutFacts(input: PlannerInput): PlannerInput {
  const snapshot: Snapshot = { ...input.snapshot, facts: () => ({}) };
  return { ...input, snapshot };
}

function decisionInput(
  wanted: Wanted,
  seen: Seen & { readonly device: Device },
  basis: Basis,
): DecisionInput {
  return { ...askedOf(wanted, basis), case: caseOf(wanted, seen, basis) };
}

/** The only function that builds the case of a device, for a plan and for a last look. */
function caseOf(
  { task, policy, exemption, leftBy }: Wanted,
  { device, discovered, stillManaged, facts }: Seen & { readonly device: Device },
  { memory, now, dialect, counts, snapshot }: Basis,
): Building<Case> {
  const { sightings } = memory;
  const pin = exemption.pin?.value;
  const passer = findPasser({ policy, exemption }, now);
  const all = memory.intentsOf(device.id, task);
  const past = counts ? all.filter(counts) : all;
  // Fields are set one by one: a plan builds a million of these, and a spread in the middle costs more than the rest.
  const theCase: Building<Case> = {
    policy: policy.value,
    device,
    facts,
    past,
    // A failed attempt has not used up a generation either.
    generation: past.reduce((most, { generation }) => Math.max(most, generation), 1),
    now,
    dialect,
  };
  if (pin) theCase.pin = pin.version;
  if (pin?.acceptsRisk) theCase.acceptsRisk = true;
  if (passer) theCase.passer = passer;
  if (leftBy) theCase.leftBy = leftBy;
  if (discovered) theCase.discovered = discovered;
  if (stillManaged) theCase.stillManaged = stillManaged;
  if (sightings) theCase.sightings = sightings;
  const offered = memory.coverage.at(-1)?.offered;
  if (offered) theCase.offered = offered;
  if (snapshot && isNoneOffered(snapshot.devices)) theCase.noneOffered = true;
  return theCase;
}

/** What all devices of a desired state share, so that it is put together once. */
export type Asked = Omit<DecisionInput, 'case'>;

export function askedOf(wanted: Wanted, basis: Basis): Asked {
  const ofBasis = getOrAdd(ASKED, basis, () => new WeakMap<Wanted, Asked>());
  return getOrAdd(ofBasis, wanted, () => askOnce(wanted, basis));
}

const ASKED = new WeakMap<Basis, WeakMap<Wanted, Asked>>();

function askOnce(wanted: Wanted, basis: Basis): Asked {
  const { task, policy, at, exemption, losers } = wanted;
  const { documents, memory, now, followed: rollouts } = basis;
  const followed = rollouts?.get(policy.value.address);
  const approvals =
    basis.approvals ?? (basis.documents.service.value.approval.is === 'plan' ? {} : undefined);
  const isIncident = findPasser(wanted, now) === 'incident';
  return {
    policy,
    at,
    exemption,
    losers,
    rollout: rolloutOrDefault(documents.rollouts, policy.value.rollout),
    needsYouAfter: documents.service.value.needsYouAfter,
    memory,
    task,
    kind: KINDS[task],
    ...pick(basis, 'orphans', 'outages', 'predecessors', 'schedule'),
    ...(followed && { followed }),
    ...(rollouts && { rollouts }),
    ...(approvals && { approvals }),
    ...(isIncident && { behind: listBehind(losers, documents) }),
    ...pick(wanted, 'tied'),
  };
}

function listBehind(
  losers: Wanted['losers'],
  { incidents, rotations }: Basis['documents'],
): readonly RotationPolicy[] {
  return losers.flatMap(({ policy }) => {
    const name = policy.slice(policy.indexOf('.') + 1);
    return (isOfIncident(policy) ? incidents : rotations).get(name)?.value ?? [];
  });
}

/** A value while its fields are set. */
export type Building<T> = { -readonly [K in keyof T]: T[K] };

/** The exception that expedites a task now; not one that has ended since the desired state was computed. */
export function expeditedBy({ expedite }: Exemption, now: Instant): Exemption['expedite'] {
  return expedite && expedite.value.until > now ? expedite : undefined;
}

/** The exception or incident that lets a change pass some steps, if there is one. */
export function findPasser(
  { policy: { value }, exemption }: Pick<Wanted, 'policy' | 'exemption'>,
  now: Instant,
): Passer | undefined {
  if (value.section === 'rotations' && value.incident) return 'incident';
  return expeditedBy(exemption, now) && 'expedite';
}

/** A discovered device as a `Device`, with what people recognize it by; no task is available on it yet. */
export function asDevice({ id, site, sources = [], ...known }: DiscoveredDevice): Device {
  const device: Building<Device> = {
    id,
    probe: {},
    sites: site ? [site] : [],
    sources,
    available: {},
  };
  const { name, ...labels }: Partial<Device> = known;
  if (name !== undefined) device.name = name;
  for (const field of LABEL_FIELDS) {
    const value = labels[field];
    if (value !== undefined) device[field] = value;
  }
  return device;
}

/** What is found of one device before any step and whatever its rollout is, so that it is found once. */
export interface Judged extends Pick<DecisionInput, 'case'> {
  readonly judgement: Judgement;
  /** The windows and freezes; absent where they were not checked. */
  readonly timing?: Timing;
}

/** The input of each step. */
export interface Evaluation extends DecisionInput, Judged {
  /** What rollouts say of the device: stops, pauses, waves and gates (K12, K13); absent where they let it start. */
  readonly refused?: Refused;
  /** The outcome that a person approves; absent if the commit is the approval, or nothing is known. */
  readonly outcome?: string;
}

/** A step with a result ends the decision: the action, and why. */
export interface RuleResult {
  readonly action: Action;
  readonly reason: Reason;
}

export interface DecisionStep {
  readonly code: ReasonCode;
  readonly check: (evaluation: Evaluation) => RuleResult | undefined;
}
