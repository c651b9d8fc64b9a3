import type { WrittenDialect } from '../fleet/dialect.ts';
import type { Budget } from './budget.ts';
import type { Probe } from '../fleet/device.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Exception } from './exception.ts';
import type { Guardrail } from './guardrail.ts';
import type { RolloutSpec } from './rollout.ts';
import type {
  MeantCountPer,
  MeantFirmwarePolicy,
  MeantIncident,
  MeantListedDevice,
  MeantOnboardingPolicy,
  MeantRestartPolicy,
  MeantRotation,
  MeantService,
  MeantSite,
} from './meant.gen.ts';
import type { SECTIONS } from './sections.gen.ts';
import type { Selector } from './selector.ts';
import type { Payload, TaskIn } from '../fleet/task.ts';
import type { SourceLocation, Sourced } from './source.ts';
import type { After, VersionSpec } from './values.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Freeze, WindowSpec } from './window.ts';

export { SECTIONS } from './sections.gen.ts';
export type { Budget } from './budget.ts';
export type { Exception } from './exception.ts';
export type { Guardrail, GuardrailLimit } from './guardrail.ts';
export type { Glob, Selector, SelectorKeys, SiteClause } from './selector.ts';
export type { BudgetLimit, VersionSpec } from './values.ts';

export type Section = (typeof SECTIONS)[number];

export const POLICY_SECTIONS = ['firmware', 'rotations', 'onboarding', 'restarts'] as const;
export type PolicySection = (typeof POLICY_SECTIONS)[number];

export type DiscoveredSelector = NonNullable<OnboardingPolicy['select']>;

/** One device of an onboarding list; all given keys must agree. `at` is the location of the entry. */
export type ListedDevice = MeantListedDevice & { readonly at: SourceLocation };

interface PolicyBase {
  /** `firmware.axis-p32`: what plans, reasons and messages call it. */
  readonly address: string;
  /** Its names in the ledger before this one, oldest first. No document has them: `underPresentNames` finds them. */
  readonly earlier?: readonly string[];
}

/** The name of a policy in whatever stays the same when it is renamed, as the order of its waves (semantics M23). */
export function seedOf({ address, earlier }: Pick<Policy, 'address' | 'earlier'>): string {
  return earlier?.[0] ?? address;
}

/** `rollout` is `default`, which is built in, where none is written; absent: no waves and no gate. */
export interface FirmwarePolicy extends PolicyBase, Omit<MeantFirmwarePolicy, 'version'> {
  readonly section: 'firmware';
  readonly task: TaskIn<'firmware'>;
  readonly version: VersionSpec;
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

/** What a rotation says of dates is `due`. */
export interface RotationPolicy
  extends
    PolicyBase,
    Omit<MeantRotation, 'maxAge' | 'headStart' | 'spread' | 'verify' | 'expiryGuard'> {
  readonly section: 'rotations';
  readonly task: TaskIn<'rotations'>;
  readonly due: DueRule;
  readonly payload: Payload;
  /** From the end of a task to `unverified`; absent where the policy does not set it. */
  readonly verify?: MeantRotation['verify'];
  /** A certificate that expires within this time may be renewed outside its window; absent for passwords. */
  readonly expiryGuard?: Milliseconds;
  /** Set if the policy is an entry of `incidents`. */
  readonly incident?: Incident;
}

/** One rotation of every selected credential that is older than `since` (semantics N54). */
export interface Incident extends Pick<
  MeantIncident,
  'since' | 'until' | 'expect' | 'reason' | 'owner' | 'ticket'
> {
  readonly name: string;
}

/** An entry of `incidents`, as the rotation that it asks for. */
export type IncidentPolicy = RotationPolicy & { readonly incident: Incident };

export interface OnboardingPolicy extends PolicyBase, Omit<MeantOnboardingPolicy, 'devices'> {
  readonly section: 'onboarding';
  readonly task: TaskIn<'onboarding'>;
  readonly devices: readonly ListedDevice[];
}

/** The most within any period of this length; 0 means none. */
export type CountPer = MeantCountPer;

export interface RestartPolicy extends PolicyBase, Omit<MeantRestartPolicy, 'when'> {
  readonly section: 'restarts';
  readonly task: TaskIn<'restarts'>;
  readonly when: MeantRestartPolicy['when'] & {
    /** The symptom: any of these words. An empty list leaves the decision to the probes. */
    readonly status: readonly string[];
    /** The symptom continues: each of these probes reads one of its words. */
    readonly probe: Readonly<Partial<Record<Probe, readonly string[]>>>;
  };
}

export type Policy = FirmwarePolicy | RotationPolicy | OnboardingPolicy | RestartPolicy;

/** The firmware policies whose devices come before those of a policy (semantics K28). */
export function afterOf(policy: Policy): readonly After[] {
  return policy.section === 'firmware' || policy.section === 'rotations'
    ? (policy.after ?? [])
    : [];
}

export type SiteSettings = MeantSite;

/** Devices by rule or by ID. With `redundancy`, two of them are never down at the same time. */
export type DeviceGroup = { readonly redundancy?: boolean } & (
  | { readonly is: 'select'; readonly select: Selector }
  | { readonly is: 'devices'; readonly devices: readonly string[] }
);

type MeantLedger = MeantService['ledger'];
export type LedgerSettings = Pick<MeantLedger, 'store' | 'path'> &
  Partial<Pick<MeantLedger, 'remote' | 'branch'>>;

export interface ServiceSettings extends Omit<MeantService, 'ledger' | 'notifications'> {
  readonly ledger?: LedgerSettings;
  readonly approval: ApprovalSettings;
  readonly notifications?: readonly Receiver[];
  readonly dialect: WrittenDialect;
}

/** Who gets notifications. */
export interface Receiver {
  readonly kind: 'json' | 'slack';
  /** The variable with the URL; of version 0.2 the URL itself. */
  readonly url: { readonly fromEnv: string } | string;
  /** The variable with the key of the signature. */
  readonly secret?: { readonly fromEnv: string };
  /** How often the same conditions are told again; of version 0.2 each run is told that changed or failed something. */
  readonly remind: Milliseconds | 'eachRun';
}

/** What an approval is: the merged commit, or the outcomes of a plan, for a time (semantics N70). */
export type ApprovalSettings =
  { readonly is: 'commit' } | { readonly is: 'plan'; readonly expires: Milliseconds };

/** One file as it was read; `path` is from the root of the repository, or outside of one from the parent of the fleet folder. */
export interface DocumentFile {
  readonly path: string;
  readonly text: string;
  /** It is in a folder that the fleet includes. */
  readonly isShared?: true;
}

export type EntriesByName<T> = ReadonlyMap<string, Sourced<T>>;

/** All documents, validated, with every default filled in and the location of every value. */
export interface Documents {
  /**
   * The folder that they were read from, as a full path; absent for documents that come from no
   * folder.
   */
  readonly folder?: string;
  /** The folders that belong to the fleet, from the root of the repository: its own, then those that it includes. */
  readonly folders?: readonly string[];
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
