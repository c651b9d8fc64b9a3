import type { DebtStatus } from '../model/report/status.ts';
import type { Instant } from '../lib/time.ts';
import type { Evaluation } from './decide/decision-input.ts';
import type { PartLimit } from './part/limit.ts';

/**
 * Overdue work of a part by the address of its policy: what has been due since before `now`, unless an exception excludes
 * it.
 */
export function createDebts(now: Instant, { takes }: PartLimit) {
  const byPolicy = new Map<string, DebtStatus>();
  return {
    byPolicy: byPolicy as ReadonlyMap<string, DebtStatus>,
    /** Counts a desired state of a managed device. */
    observe({ judgement, exemption, at: { policy }, case: { device } }: Evaluation): void {
      if (judgement.is !== 'due' || exemption.exclude || !takes(policy, device.id)) return;
      const { since = now, breachesAt = Infinity } = judgement;
      if (since >= now) return;
      const none = { devices: 0, oldest: Infinity, oldestDevice: '', breached: 0 };
      const debt: DebtStatus = byPolicy.get(policy) ?? none;
      const breach = Math.min(debt.breachesAt ?? Infinity, breachesAt);
      byPolicy.set(policy, {
        devices: debt.devices + 1,
        oldest: Math.min(since, debt.oldest),
        oldestDevice: since < debt.oldest ? device.id : debt.oldestDevice,
        ...(breach < Infinity && { breachesAt: breach }),
        breached: debt.breached + Number(breachesAt <= now),
      });
    },
  };
}
