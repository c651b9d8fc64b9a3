import type { Credential } from '../fleet/task.ts';

/** What a policy is about: the firmware of a device, or a credential. */
export type PolicySubject = 'firmware' | Credential;

/**
 * What the documents say of one device and task: the winning policy, its target, and whether the
 * device is there. The planner decides it; a report only counts.
 */
export interface PolicyResult {
  readonly policy: string;
  /** The version that the policy leads to; absent where it is not known, or none. */
  readonly target?: string;
  readonly is: PolicyResultKind;
  /** The code of the decision order, with its subcode. */
  readonly reason: string;
}

/**
 * `met`: nothing to do. `due`: a change will do it. `blocked`: nothing will change it without a
 * person. `excepted`: an exception, freeze or blocked vendor keeps it back.
 */
export const POLICY_RESULTS = ['met', 'due', 'blocked', 'excepted', 'notRead', 'unknown'] as const;
export type PolicyResultKind = (typeof POLICY_RESULTS)[number];
