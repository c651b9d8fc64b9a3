import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { Documents, Policy } from '../../model/documents/policy.ts';
import { locateValue, type Sourced } from '../../model/documents/source.ts';
import { formatInstant, type Instant } from '../../lib/time.ts';
import { approvedUntil } from '../decide/approval.ts';
import type { Evaluation } from '../decide/decision-input.ts';
import type { PlannerInput } from '../input.ts';
import { findTerm } from './due-terms.ts';

/** The limits that the end of a change is compared with. */
export interface Limits {
  readonly policy: Sourced<Policy>;
  /** Its deadline. */
  readonly before?: Instant;
  /** When its approval expires (semantics N77). */
  readonly approved?: Instant;
}

/** Undefined for a change that can be late for nothing. */
export function findLimits(
  evaluation: Evaluation,
  { documents }: PlannerInput,
): Limits | undefined {
  const { followed, judgement, policy, exemption } = evaluation;
  const isFree = exemption.exclude === undefined && exemption.hold === undefined;
  if (!followed || judgement.is !== 'due' || !isFree) return undefined;
  const approved = approvedUntil(evaluation, documents);
  const before = isGuarded(policy.value) ? undefined : findTerm(evaluation)?.before;
  if (approved === undefined && before === undefined) return undefined;
  return {
    policy,
    ...(approved !== undefined && { approved }),
    ...(before !== undefined && { before }),
  };
}

/** A policy that may ignore its window before the expiry cannot be late because of windows. */
function isGuarded(policy: Policy): boolean {
  return policy.section === 'rotations' && policy.expiryGuard !== undefined;
}

/** The end of a change, as the forecast has it; Infinity where no window lets it start. */
export interface Ended {
  readonly device: string;
  readonly wave: string;
  readonly end: Instant;
  readonly limits: Limits;
}

/**
 * Rollouts that cannot finish before the deadlines of their devices (semantics L-lateForecast), or before their approval
 * expires (semantics N77). The device with the first limit is the example.
 */
export function lateRollouts(ended: readonly Ended[], documents: Documents): readonly Diagnostic[] {
  return [
    ...findLate(ended, 'before').map((late) => {
      const { policy } = late.limits;
      const isFirmware = policy.value.section === 'firmware';
      return finding(
        'lateForecast',
        locateValue(policy, isFirmware ? '/deadline' : '/rollout'),
        late,
      );
    }),
    ...findLate(ended, 'approved').map((late) => {
      const { service } = documents;
      return finding('approvalTooShort', service.places.get('/approval') ?? service.at, late);
    }),
  ];
}

interface Late extends Ended {
  readonly count: number;
  readonly limit: Instant;
}

function findLate(ended: readonly Ended[], key: 'before' | 'approved'): readonly Late[] {
  const late = new Map<string, Late>();
  for (const each of ended) {
    const { [key]: limit = Infinity, policy } = each.limits;
    if (each.end <= limit) continue;
    const { address } = policy.value;
    const known = late.get(address);
    const first = known && known.limit <= limit ? known : { ...each, limit };
    late.set(address, { ...first, count: (known?.count ?? 0) + 1 });
  }
  return [...late.values()];
}

function finding(
  code: 'lateForecast' | 'approvalTooShort',
  at: NonNullable<Diagnostic['at']>,
  { end, limit, limits, count, device, wave }: Late,
): Diagnostic {
  return {
    code,
    severity: 'warning',
    at,
    params: {
      policy: limits.policy.value.address,
      count,
      device,
      wave,
      [code === 'lateForecast' ? 'deadline' : 'expires']: formatInstant(limit),
      ...(end !== Infinity && { end: formatInstant(end) }),
    },
  };
}
