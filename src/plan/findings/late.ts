import { type Diagnostic, warning } from '../../model/documents/diagnostic.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { locateValue } from '../../model/documents/source.ts';
import { formatInstant, type Instant } from '../../lib/time.ts';
import type { Ended } from '../forecast/forecast.ts';

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
  return warning(code, at, {
    policy: limits.policy.value.address,
    count,
    device,
    wave,
    [code === 'lateForecast' ? 'deadline' : 'expires']: formatInstant(limit),
    ...(end !== Infinity && { end: formatInstant(end) }),
  });
}
