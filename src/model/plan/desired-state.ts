import type { Diagnostic } from '../documents/diagnostic.ts';
import type { DiscoveredDevice } from '../fleet/device.ts';
import type { ExceptionOf } from '../documents/exception.ts';
import type { OnboardingPolicy, Policy } from '../documents/policy.ts';
import type { At, Sourced } from '../documents/source.ts';
import type { TaskType, TaskIn } from '../fleet/task.ts';

/** The exceptions that bear on one device and one task; the strongest of each type (semantics E3). */
export interface Exemption {
  readonly hold?: Sourced<ExceptionOf<'hold' | 'exclude'>>;
  readonly exclude?: Sourced<ExceptionOf<'hold' | 'exclude'>>;
  readonly pin?: Sourced<ExceptionOf<'pin'>>;
  /** Break glass; beside the others, since a hold stops what is expedited too. */
  readonly expedite?: Sourced<ExceptionOf<'expedite'>>;
}

/**
 * The effective want for one managed device and one task: the winning policy, what exempts it,
 * who lost.
 */
export interface Want {
  readonly row: number;
  readonly task: TaskType;
  readonly policy: Sourced<Policy>;
  readonly at: At;
  readonly exemption: Exemption;
  readonly losers: readonly At[];
}

/**
 * The want to onboard: a discovered device, or an entry of a list that nothing discovered answers
 * to.
 */
export type OnboardingWant = {
  readonly task: TaskIn<'onboarding'>;
  readonly policy: Sourced<OnboardingPolicy>;
  readonly at: At;
  readonly exemption: Exemption;
  readonly losers: readonly At[];
} & (
  | {
      readonly found: 'discovered';
      readonly device: DiscoveredDevice;
      readonly why: 'listed' | 'matched';
    }
  | { readonly found: 'managed'; readonly deviceId: string; readonly entry: string }
  | {
      readonly found: 'several';
      readonly entry: string;
      readonly devices: readonly DiscoveredDevice[];
    }
  | {
      readonly found: 'none';
      readonly entry: string;
      /** Of a discovered device, where the entry names it. */
      readonly id?: string;
    }
);

/**
 * What all documents together want of a fleet. `wants` and `onboarding` may be walked as often
 * as wanted.
 */
export interface Desired {
  readonly wants: Iterable<Want>;
  readonly onboarding: readonly OnboardingWant[];
  /** Ties between policies (errors) and selectors that match nothing (warnings). */
  readonly diagnostics: readonly Diagnostic[];
}
