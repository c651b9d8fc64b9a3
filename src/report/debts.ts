import type { Outlook } from '../model/plan/outlook.ts';
import type { DebtStatus } from '../model/plan/status.ts';
import type { Instant } from '../lib/time.ts';

/** What is overdue, by the address of its policy: whatever has been due since before `now`. */
export function debtsOf(
  outlooks: Iterable<Outlook>,
  now: Instant,
): ReadonlyMap<string, DebtStatus> {
  const debts = new Map<string, DebtStatus>();
  for (const outlook of outlooks) {
    const { since, dueAt, at } = outlook;
    if (since === undefined || dueAt === undefined || since >= now) continue;
    debts.set(at.policy, withOne(debts.get(at.policy), { ...outlook, since }, now));
  }
  return debts;
}

function withOne(
  debt: DebtStatus | undefined,
  { device, since, breachesAt }: Outlook & { readonly since: Instant },
  now: Instant,
): DebtStatus {
  const isOlder = debt === undefined || since < debt.oldest;
  const breaches = [debt?.breachesAt, breachesAt].filter((at) => at !== undefined);
  const isBreached = breachesAt !== undefined && breachesAt <= now;
  return {
    devices: (debt?.devices ?? 0) + 1,
    oldest: isOlder ? since : debt.oldest,
    oldestDevice: isOlder ? device.id : debt.oldestDevice,
    ...(breaches.length > 0 && { breachesAt: Math.min(...breaches) }),
    breached: (debt?.breached ?? 0) + (isBreached ? 1 : 0),
  };
}
