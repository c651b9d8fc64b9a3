import type { Case, Judgement, Kind } from '../../kinds/kind.ts';
import { KINDS } from '../../kinds/index.ts';
import type { Device, DiscoveredDevice } from '../../model/fleet/device.ts';
import type { Documents, Policy } from '../../model/documents/policy.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';
import type { RolloutSpec } from '../../model/documents/rollout.ts';
import type { IntentState, Memory } from '../../model/ledger/memory.ts';
import type { Facts, ReadProblem, Snapshot } from '../../model/fleet/snapshot.ts';
import type { At, Sourced } from '../../model/documents/source.ts';
import { TASK_OF, type TaskType } from '../../model/fleet/task.ts';
import type { Instant } from '../../lib/time.ts';
import type { Exemption, OnboardingWant, Want } from '../../model/plan/desired-state.ts';
import type { Followed } from '../../rollout/progress/followed.ts';
import { type Outages, findOutages } from '../../rollout/budgets/outage.ts';
import type { PlannerInput } from '../input.ts';
import { type Schedule, type Timing, openSchedule } from './schedule.ts';
import type { Action } from '../../model/plan/change.ts';
import type { Reason, ReasonCode } from '../../model/plan/reason.ts';

/** One device and one task about which the documents say something: what a decision is made on. */
export interface DecisionInput {
  readonly task: TaskType;
  readonly kind: Kind;
  readonly policy: Sourced<Policy>;
  readonly at: At;
  readonly exemption: Exemption;
  readonly losers: readonly At[];
  readonly case: Case;
  /** Sites where many devices went down together; absent where nobody looked. */
  readonly outages?: Outages;
  /** What its rollout says; without one what `default` says, of which retries and timeouts hold. */
  readonly rollout: RolloutSpec;
  /** Where the rollout of its policy stands; absent where it has none, or before that is known. */
  readonly followed?: Followed;
  /** Every rollout, by the address of its policy; absent before that is known. */
  readonly rollouts?: ReadonlyMap<string, Followed>;
  /** Windows and freezes; absent where they do not matter. */
  readonly schedule?: Schedule;
}

/** The input, and what is worked out once for all of its devices. */
export type Prepared = PlannerInput &
  Pick<DecisionInput, 'outages' | 'schedule'> & {
    /** Every rollout, by the address of its policy. */
    readonly followed?: ReadonlyMap<string, Followed>;
  };

/** Works out, when it is first asked for, what devices have to do with each other. */
export function prepare(input: PlannerInput): Prepared {
  const outages = findOutages(input.snapshot.devices);
  return { ...input, outages, schedule: openSchedule(input) };
}

/** What was read of one device. Neither device nor discovered: it is not there. */
export interface Seen {
  readonly device?: Device;
  /** For onboarding alone: a device that is managed already is not asked about as discovered. */
  readonly discovered?: DiscoveredDevice;
  readonly facts: Facts;
  /** Its row was answered, and not understood: nothing is known of it. */
  readonly problem?: ReadProblem;
}

/** What a decision rests on beside its device: of a plan its input, of a last look this moment. */
export interface Basis extends Pick<
  Prepared,
  'dialect' | 'followed' | 'memory' | 'now' | 'outages' | 'schedule'
> {
  readonly documents: Pick<Documents, 'rollouts'>;
  /** Whether an intent is held against its device; absent: each is. */
  readonly counts?: (intent: IntentState) => boolean;
}

/** As much of a wish as its decision needs. */
export type Wish = Pick<Want, 'task' | 'policy' | 'at' | 'exemption' | 'losers'>;

/** A wish as a matter. Without facts: as it stands before any per-device read was made. */
export function decisionInputOf(want: Wish & Pick<Want, 'row'>, input: Prepared): DecisionInput {
  const device = input.snapshot.devices.at(want.row);
  return decisionInput(want, { device, facts: input.snapshot.facts(device.id) }, input);
}

/** The wish to onboard a device that was discovered, as a matter. */
export function onboardingInputOf(
  want: OnboardingWant,
  discovered: DiscoveredDevice,
  input: Prepared,
): DecisionInput {
  const device = asDevice(discovered);
  return decisionInput(want, { device, discovered, facts: input.snapshot.facts(device.id) }, input);
}

/**
 * A wish as a matter once its device was read by itself; undefined where it is not there. Only onboarding
 * knows what to do with a device that is discovered and not managed.
 */
export function seenInputOf(want: Wish, seen: Seen, basis: Basis): DecisionInput | undefined {
  const { device, discovered, facts } = seen;
  if (device) return decisionInput(want, { device, facts }, basis);
  if (!discovered || want.task !== TASK_OF.onboarding) return undefined;
  return decisionInput(want, { device: asDevice(discovered), discovered, facts }, basis);
}

/** The input as it is before any per-device read: the planner's first question. */
export function withoutFacts(input: PlannerInput): PlannerInput {
  const snapshot: Snapshot = { ...input.snapshot, facts: () => ({}) };
  return { ...input, snapshot };
}

/** The one place where the case of a device is built, for a plan and for a last look alike. */
function decisionInput(
  { task, policy, at, exemption, losers }: Wish,
  subject: Seen & { readonly device: Device },
  basis: Basis,
): DecisionInput {
  const { documents, memory, now, dialect, outages, schedule, counts } = basis;
  const { device, discovered, facts } = subject;
  const followed = basis.followed?.get(policy.value.address);
  const { sightings } = memory;
  const pin = exemption.pin?.value.version;
  const past = memory.intentsOf(device.id, task);
  return {
    task,
    kind: KINDS[task],
    policy,
    at,
    exemption,
    losers,
    rollout: rolloutOrDefault(documents.rollouts, policy.value.rollout),
    ...(outages && { outages }),
    ...(followed && { followed }),
    ...(basis.followed && { rollouts: basis.followed }),
    ...(schedule && { schedule }),
    case: {
      policy: policy.value,
      ...(pin !== undefined && { pin }),
      ...(expeditedBy(exemption, now) && { expedited: true }),
      device,
      ...(discovered && { discovered }),
      facts,
      past: counts ? past.filter(counts) : past,
      generation: memory.generationOf(device.id, task),
      ...(sightings && { sightings }),
      now,
      dialect,
    },
  };
}

/** The exception that expedites a task now; one that ended since the wish was made does not. */
export function expeditedBy({ expedite }: Exemption, now: Instant): Exemption['expedite'] {
  return expedite && expedite.value.until > now ? expedite : undefined;
}

/**
 * A discovered device in the shape of one, as far as it is known; nothing is available on it yet.
 */
export function asDevice(discovered: DiscoveredDevice): Device {
  const { id, name, vendor, model, deviceType, site, sources = [] } = discovered;
  return {
    id,
    ...(name !== undefined && { name }),
    ...(vendor !== undefined && { vendor }),
    ...(model !== undefined && { model }),
    ...(deviceType !== undefined && { deviceType }),
    probe: {},
    sites: site ? [site] : [],
    sources,
    available: {},
  };
}

/** What is asked at each step. */
export interface Evaluation extends DecisionInput {
  readonly judgement: Judgement;
  readonly memory: Memory;
  /** What windows and freezes say; absent where nobody asked them. */
  readonly timing?: Timing;
}

/** A step that bites ends the decision: what happens, and why. */
export interface RuleResult {
  readonly action: Action;
  readonly reason: Reason;
}

export interface DecisionStep {
  readonly code: ReasonCode;
  readonly check: (evaluation: Evaluation) => RuleResult | undefined;
}
