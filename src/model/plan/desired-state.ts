import type { Diagnostic } from '../documents/diagnostic.ts';
import type { DiscoveredDevice } from '../fleet/device.ts';
import type { ExceptionOf } from '../documents/exception.ts';
import type { Incident, OnboardingPolicy, Policy } from '../documents/policy.ts';
import type { UnclearBy } from '../documents/selector.ts';
import type { At, Sourced } from '../documents/source.ts';
import type { TaskType, TaskIn } from '../fleet/task.ts';

/** The exceptions for one device and one task; the strongest of each type (semantics E3). */
export interface Exemption {
  readonly hold?: Sourced<ExceptionOf<'hold' | 'exclude'>>;
  readonly exclude?: Sourced<ExceptionOf<'hold' | 'exclude'>>;
  readonly pin?: Sourced<ExceptionOf<'pin'>>;
  /** A hold, exclude or pin of which it is unclear whether it selects the device: it holds it (semantics M20). */
  readonly perhaps?: Sourced<ExceptionOf<'hold' | 'exclude' | 'pin'>>;
  /** Break glass; separate from the others, because a hold also blocks an expedited change. */
  readonly expedite?: Sourced<ExceptionOf<'expedite'>>;
  /** Those that somebody has acknowledged, each for its own reasons (semantics M33). */
  readonly acknowledged?: readonly Sourced<ExceptionOf<'acknowledge'>>[];
}

/** The desired state of one managed device for one task. */
export interface Want {
  readonly row: number;
  readonly wanted: Wanted;
  /** Why it is unclear whether the policy selects the device (semantics M20); absent where it does. */
  readonly unclear?: UnclearBy;
}

/**
 * What the documents resolve to for one task: the winning policy, its exceptions, and the losing
 * policies. All devices that the same entries select share it.
 */
export interface Wanted {
  readonly task: TaskType;
  readonly policy: Sourced<Policy>;
  /** The location of the policy; a change itself may have that of the line that makes it due now. */
  readonly at: At;
  readonly exemption: Exemption;
  readonly losers: readonly At[];
  /** Policies of equal priority, or pins, that contradict each other (semantics K27). */
  readonly tied?: Diagnostic;
  /** The addresses of other policies that it may be of: those in a tie, and all where it is unclear whether the winner selects it. */
  readonly perhapsOf?: readonly string[];
  /** An incident that ended; its policy takes over what it did not reach. */
  readonly leftBy?: Incident;
}

/** What a policy lists or matches: a discovered device, or one that is managed already. */
export type OnboardingCandidate =
  | {
      readonly found: 'discovered';
      readonly device: DiscoveredDevice;
      readonly why: 'listed' | 'matched';
    }
  | { readonly found: 'managed'; readonly deviceId: string; readonly entry: string };

/**
 * The desired onboarding of a discovered device, or of an entry of a list that no discovered device
 * matches.
 */
export type OnboardingWant = Pick<Wanted, 'at' | 'exemption' | 'losers'> & {
  readonly task: TaskIn<'onboarding'>;
  readonly policy: Sourced<OnboardingPolicy>;
} & (
    | OnboardingCandidate
    | {
        readonly found: 'several';
        readonly entry: string;
        readonly devices: readonly DiscoveredDevice[];
      }
    | {
        readonly found: 'none';
        readonly entry: string;
        /** The ID of a discovered device, where the entry has it. */
        readonly id?: string;
        /** What it misses only by upper and lower case. */
        readonly meant?: string;
      }
  );

/** The desired states of managed devices, by row. */
export interface Wants extends Iterable<Want> {
  /** Those of which something holds; it is asked once for all devices that share a desired state. */
  where(holds: (wanted: Wanted) => boolean): Iterable<Want>;
}

/**
 * The desired state of a fleet from all documents. `wants` and `onboarding` can be iterated
 * repeatedly.
 */
export interface Desired {
  readonly wants: Wants;
  readonly onboarding: readonly OnboardingWant[];
  /** Ties between policies (errors) and selectors that match nothing (warnings). */
  readonly diagnostics: readonly Diagnostic[];
}
