import type { WrittenDialect } from '../fleet/dialect.ts';
import type { Budget } from './budget.ts';
import type { Probe } from '../fleet/device.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Exception } from './exception.ts';
import type { Guardrail } from './guardrail.ts';
import type { RolloutSpec } from './rollout.ts';
import type { Glob, Selector } from './selector.ts';
import type { Payload, TaskType, TaskIn } from '../fleet/task.ts';
import type { SourceLocation, Sourced } from './source.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Freeze, WindowSpec } from './window.ts';

export type { Budget, BudgetLimit } from './budget.ts';
export type { Exception } from './exception.ts';
export { GUARDRAIL_LIMITS, type Guardrail, type GuardrailLimit } from './guardrail.ts';
export type { Glob, Selector, SelectorKeys, SiteClause } from './selector.ts';

/** The fourteen sections of the documents, in the order they are described in. */
export const SECTIONS = [
  'service',
  'sites',
  'groups',
  'windows',
  'freezes',
  'rollouts',
  'budgets',
  'firmware',
  'rotations',
  'onboarding',
  'restarts',
  'incidents',
  'exceptions',
  'guardrails',
] as const;
export type Section = (typeof SECTIONS)[number];

/** The sections whose entries are policies. */
export const POLICY_SECTIONS = ['firmware', 'rotations', 'onboarding', 'restarts'] as const;
export type PolicySection = (typeof POLICY_SECTIONS)[number];

/** Selects discovered devices. */
export interface DiscoveredSelector {
  readonly source?: readonly Glob[];
  readonly vendor?: readonly Glob[];
  readonly deviceType?: readonly Glob[];
  readonly status?: readonly Glob[];
  readonly name?: readonly Glob[];
  readonly discoveredAfter?: Instant;
  readonly discoveredBefore?: Instant;
}

/**
 * One device of an onboarding list; all given keys must agree. `at` is the location of the entry.
 */
export interface ListedDevice {
  readonly id?: string;
  readonly serial?: string;
  readonly name?: string;
  readonly site?: string;
  readonly at: SourceLocation;
}

/** A target version: an exact string, a range or x-range, or the newest that is approved. */
export type VersionSpec =
  | { readonly is: 'exact'; readonly version: string }
  | { readonly is: 'range'; readonly text: string }
  | { readonly is: 'approved' };

interface PolicyBase {
  /** `firmware.axis-p32`: what plans, reasons and messages call it. */
  readonly address: string;
  readonly priority: number;
  readonly windows: readonly string[];
  /** The name of a rollout; `default` is built in; absent: no waves and no gate. */
  readonly rollout?: string;
  /** Where a plan is the approval: it needs none for each of its outcomes (semantics N73). */
  readonly approval?: 'standing';
  /** The addresses that it had before, oldest first; empty: it continues no other policy. Absent: not written. */
  readonly renamedFrom?: readonly string[];
  /** Its names in the ledger before this one, oldest first. No document has them: `underPresentNames` finds them. */
  readonly earlier?: readonly string[];
}

/** The name of a policy in whatever stays the same when it is renamed, as the order of its waves (semantics M23). */
export function seedOf({ address, earlier }: Pick<Policy, 'address' | 'earlier'>): string {
  return earlier?.[0] ?? address;
}

export interface FirmwarePolicy extends PolicyBase {
  readonly section: 'firmware';
  readonly task: TaskIn<'firmware'>;
  readonly select: Selector;
  readonly version: VersionSpec;
  readonly minVersion?: string;
  /** Versions that have no order of their own, or another one, the oldest first (semantics M21). */
  readonly order?: readonly string[];
  /** Starts when a version is first read as approved for the model; does not apply to the floor. */
  readonly deferral: Milliseconds;
  /** Starts after the deferral; a device past it is late, but no safety rule is skipped for it. */
  readonly deadline?: Milliseconds;
  readonly downgrade: 'forbid' | 'allow';
  readonly ticket?: string;
  /** `direct`: in one upgrade step or not at all. */
  readonly path: 'auto' | 'direct';
  /** Whether a device may stay at an intermediate version until the next window. */
  readonly restAtIntermediate: 'allow' | 'forbid';
}

/**
 * When a rotation falls due: by age, at a time or a share of its life before it expires, or by
 * generation alone. Without a `spread`, renewals are spread over a third of that time.
 */
export type DueRule =
  | {
      readonly is: 'maxAge';
      readonly maxAge: Milliseconds;
      readonly headStart: Milliseconds;
      readonly spread: Milliseconds;
    }
  | {
      readonly is: 'renewBefore';
      readonly before: Milliseconds;
      readonly spread?: Milliseconds;
    }
  | { readonly is: 'renewShare'; readonly percent: number; readonly spread?: Milliseconds }
  | { readonly is: 'never' };

export interface RotationPolicy extends PolicyBase {
  readonly section: 'rotations';
  readonly task: TaskIn<'rotations'>;
  readonly select: Selector;
  readonly due: DueRule;
  readonly generation: number;
  readonly payload: Payload;
  /** From the end of a task to `unverified`; absent where the policy does not set it. */
  readonly verifyWithin?: Milliseconds;
  /**
   * A certificate that expires within this time may be renewed outside its window; absent for
   * passwords.
   */
  readonly expiryGuard?: Milliseconds;
  /** An overdue device that was offline is not changed for this time after it is back online. */
  readonly offlineGrace: Milliseconds;
  /** The action where the service does not know the date that the rule compares. */
  readonly unknownAge: 'skip' | 'rotate';
  /** Whether its task leaves the device in service; absent: the device type decides. */
  readonly leavesInService?: boolean;
  readonly rationale?: string;
  /** Set if the policy is an entry of `incidents`. */
  readonly incident?: Incident;
}

/** One rotation of every selected credential that is older than `since` (semantics N54). */
export interface Incident {
  readonly name: string;
  readonly since: Instant;
  readonly until: Instant;
  /** How many devices may be left to do; one more refuses the plan. */
  readonly expect: number;
  readonly reason: string;
  readonly owner: string;
  readonly ticket: string;
}

/** An entry of `incidents`, as the rotation that it asks for. */
export type IncidentPolicy = RotationPolicy & { readonly incident: Incident };

export interface OnboardingPolicy extends PolicyBase {
  readonly section: 'onboarding';
  readonly task: TaskIn<'onboarding'>;
  readonly select?: DiscoveredSelector;
  readonly devices: readonly ListedDevice[];
  readonly blockVendors: readonly Glob[];
  /** Devices that this policy may onboard in any 24 hours. */
  readonly maxPerDay: number;
  /** A listed device that is not discovered within this time is a warning. */
  readonly expectWithin: Milliseconds;
  readonly onDuplicate: 'error' | 'skip';
  /** The order of first-day duties. */
  readonly after: readonly TaskType[];
}

/** The most within any period of this length; 0 means none. */
export type CountPer = { readonly count: number; readonly per: Milliseconds };

export interface RestartPolicy extends PolicyBase {
  readonly section: 'restarts';
  readonly task: TaskIn<'restarts'>;
  readonly select: Selector;
  /** The symptom: any of these words. An empty list leaves the decision to the probes. */
  readonly status: readonly string[];
  /** The symptom continues: each of these probes reads one of its words. */
  readonly probe: Readonly<Partial<Record<Probe, readonly string[]>>>;
  readonly heldFor: Milliseconds;
  readonly excludeMaintenanceMode: boolean;
  readonly cooldown: Milliseconds;
  readonly maxPerDevice: CountPer;
  readonly maxPerSite: CountPer;
  /**
   * A network outage is probable when more than this share of a site goes offline within this time.
   */
  readonly correlatedOutage: { readonly percent: number; readonly within: Milliseconds };
  /** The number of restarts after which a symptom that returns needs a person. */
  readonly escalateAfter: number;
}

export type Policy = FirmwarePolicy | RotationPolicy | OnboardingPolicy | RestartPolicy;

export interface SiteSettings {
  readonly timeZone?: string;
  readonly tags: readonly string[];
}

/** Devices by rule or by ID. With `redundancy`, two of them are never down at the same time. */
export type DeviceGroup = { readonly redundancy?: boolean } & (
  | { readonly is: 'select'; readonly select: Selector }
  | { readonly is: 'devices'; readonly devices: readonly string[] }
);

export interface LedgerSettings {
  readonly store: 'directory' | 'git';
  readonly path?: string;
  readonly remote?: string;
  readonly branch?: string;
}

export interface ServiceSettings {
  readonly baseUrl: string;
  readonly organization: string;
  readonly pace: {
    readonly requestsPerSecond: number;
    readonly tokenRequestsPerMinute: number;
    readonly pollEvery: Milliseconds;
  };
  readonly ledger?: LedgerSettings;
  readonly approval: ApprovalSettings;
  readonly notifications?: NotificationSettings;
  /** How long a device may be offline or in maintenance before it needs a person (semantics M30). */
  readonly needsYouAfter: Milliseconds;
  readonly dialect: WrittenDialect;
}

/** The webhook that receives the outcome of a run; `secret` is the name of a variable. */
export interface NotificationSettings {
  readonly url: string;
  readonly secret: string;
}

/** What an approval is: the merged commit, or the outcomes of a plan, for a time (semantics N70). */
export type ApprovalSettings =
  { readonly is: 'commit' } | { readonly is: 'plan'; readonly expires: Milliseconds };

/** One file as it was read; `path` is relative to the parent of the fleet folder. */
export interface DocumentFile {
  readonly path: string;
  readonly text: string;
  readonly sha256: string;
}

export type EntriesByName<T> = ReadonlyMap<string, Sourced<T>>;

/** All documents, validated, with every default filled in and the location of every value. */
export interface Documents {
  /**
   * The folder that they were read from, as a full path; absent for documents that come from no
   * folder.
   */
  readonly folder?: string;
  readonly files: readonly DocumentFile[];
  /** Digest over the paths and digests of all files. */
  readonly digest: string;
  /**
   * When entries of onboarding lists were committed, by `file:line`. Absent outside a repository;
   * without entries that are not committed.
   */
  readonly committed?: ReadonlyMap<string, Instant>;
  /** Warnings of the documents alone, without a clock or a fleet. */
  readonly warnings: readonly Diagnostic[];
  readonly service: Sourced<ServiceSettings>;
  readonly sites: EntriesByName<SiteSettings>;
  readonly groups: EntriesByName<DeviceGroup>;
  readonly windows: EntriesByName<WindowSpec>;
  readonly freezes: EntriesByName<Freeze>;
  readonly rollouts: EntriesByName<RolloutSpec>;
  readonly budgets: EntriesByName<Budget>;
  readonly firmware: EntriesByName<FirmwarePolicy>;
  readonly rotations: EntriesByName<RotationPolicy>;
  readonly onboarding: EntriesByName<OnboardingPolicy>;
  readonly restarts: EntriesByName<RestartPolicy>;
  readonly incidents: EntriesByName<IncidentPolicy>;
  readonly exceptions: EntriesByName<Exception>;
  readonly guardrails: EntriesByName<Guardrail>;
}
