import type { Device } from '../../model/fleet/device.ts';
import type { Facts, ReadProblem } from '../../model/fleet/snapshot.ts';
import { isUnreadable } from '../../model/fleet/unreadable.ts';
import type { PolicyResult, PolicySubject } from '../../model/report/policy-result.ts';
import type { ReportLimits, Unknown } from '../../model/report/fleet-report.ts';
import { DAY, type Instant } from '../../lib/time.ts';

/** One CVE of a device as the service returned it. */
export interface DeviceFlaw {
  readonly cve: string;
  readonly severity?: string;
}

export interface DeviceCase {
  readonly device: Device;
  readonly facts: Facts;
  /** What the documents say; undefined where no policy selects the device. */
  readonly result: (subject: PolicySubject) => PolicyResult | undefined;
  /** Its CVEs; undefined where they were not read. */
  readonly flaws?: readonly DeviceFlaw[] | ReadProblem | undefined;
  readonly hasDocuments: boolean;
  readonly now: Instant;
  readonly limits: Pick<ReportLimits, 'within' | 'hardenedAge'>;
}

/** Whole days from one instant to another, rounded down; negative where the end has passed. */
export function wholeDays(from: Instant, to: Instant): number {
  return Math.floor((to - from) / DAY);
}

/** Why a field of a row has no value. */
export function missing(
  { device }: Pick<DeviceCase, 'device'>,
  field: keyof Device & string,
): Unknown {
  return isUnreadable(device, field) ? 'unreadable' : 'absent';
}

/** Why a read of a single device has no value; one that was not needed was not made. */
export function readProblem(problem: ReadProblem | undefined): Unknown {
  if (problem === 'unreadable' || problem === 'failed') return 'unreadable';
  return problem === undefined || problem === 'notRead' ? 'notRead' : 'absent';
}

/** The state of something that ends at an instant. */
export function endState(
  endsAt: Instant,
  { now, limits }: Pick<DeviceCase, 'now' | 'limits'>,
): 'expired' | 'expiresSoon' | 'valid' {
  if (endsAt <= now) return 'expired';
  return endsAt - now <= limits.within ? 'expiresSoon' : 'valid';
}
