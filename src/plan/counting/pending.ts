import { COUNTED_WITHIN, type PendingDevice } from '../../model/plan/counting.ts';
import type { Change } from '../../model/plan/change.ts';
import type { Instant } from '../../lib/time.ts';
import { COUNTED_AHEAD, type Counting } from './counting.ts';

/** Collects the devices that guardrails count, now or within a month, without a change. */
export function createPending(now: Instant): {
  readonly devices: readonly PendingDevice[];
  add(note: Pick<Change, 'task' | 'policy' | 'device'>, counting: Counting): void;
} {
  const devices: PendingDevice[] = [];
  return {
    devices,
    add({ task, policy, device }, counting) {
      if (counting.from >= now + COUNTED_AHEAD) return;
      devices.push({ task, policy, deviceId: device.id, ...counting });
    },
  };
}

/** A change with how guardrails count it; with the instant only where that is not today. */
export function withCounting(change: Change, { as, from }: Counting, now: Instant): Change {
  const isLater = from >= now + COUNTED_WITHIN;
  return { ...change, countedAs: as, ...(isLater && { countedFrom: from }) };
}
