import { compareVersions } from '../../lib/version-order.ts';
import type { PolicyResult } from '../../model/report/policy-result.ts';
import type { Cell, State } from '../../model/report/fleet-report.ts';
import { missing, wholeDays, type DeviceCase } from './device-case.ts';

/** The cells that one measure adds to the row of a device. */
export type Cells = Readonly<Record<string, Cell>>;

const FIRMWARE = {
  met: 'compliant',
  due: 'behind',
  blocked: 'blocked',
  excepted: 'excepted',
  notRead: 'notRead',
  unknown: 'unknown',
} as const satisfies Record<PolicyResult['is'], State>;

/** Whether the device has the version that its firmware policy wants. */
export function firmwareCells(theCase: DeviceCase): Cells {
  const { device } = theCase;
  const result = theCase.result('firmware');
  return {
    firmwareVersion: device.firmwareVersion ?? null,
    firmwareState: firmwareState(theCase, result),
    firmwareTarget: result?.target ?? null,
    firmwarePolicy: result?.policy ?? null,
    firmwareReason: result?.reason ?? null,
    suggestedVersion: device.suggestedFirmwareVersion ?? null,
  };
}

function firmwareState(theCase: DeviceCase, result: PolicyResult | undefined): State {
  const { device, hasDocuments } = theCase;
  if (device.firmwareVersion === undefined) return missing(theCase, 'firmwareVersion');
  if (!hasDocuments) return 'unknown';
  return result ? FIRMWARE[result.is] : 'noPolicy';
}

/** Known vulnerabilities, and the policy that takes the device to a version without them. */
export function vulnerabilityCells(theCase: DeviceCase): Cells {
  const { device, flaws } = theCase;
  const state = vulnerabilityState(theCase);
  const fix = state === 'vulnerable' ? findFix(theCase) : NO_FIX;
  return {
    vulnerabilityState: state,
    severity: device.vulnerabilitySeverity ?? worstSeverity(flaws) ?? null,
    cves: typeof flaws === 'object' ? flaws.map(({ cve }) => cve) : null,
    patchedVersion: device.patchedFirmwareVersion ?? null,
    ...fix,
  };
}

/** A list that was read and is empty is the only sign of no vulnerability. */
function vulnerabilityState(theCase: DeviceCase): State {
  const { device, flaws } = theCase;
  if (device.vulnerabilitySeverity !== undefined)
    return device.vulnerabilitySeverity.toLowerCase() === 'none' ? 'clear' : 'vulnerable';
  if (typeof flaws === 'object') return flaws.length > 0 ? 'vulnerable' : 'clear';
  if (flaws === 'unreadable') return 'unreadable';
  return missing(theCase, 'vulnerabilitySeverity');
}

const RANKS: readonly string[] = ['critical', 'high', 'medium', 'low'];

/** The rank of a severity, 0 for the worst; words that are not known rank last. */
export function severityRank(severity: string): number {
  const rank = RANKS.indexOf(severity.toLowerCase());
  return rank < 0 ? RANKS.length : rank;
}

function worstSeverity(flaws: DeviceCase['flaws']): string | undefined {
  if (typeof flaws !== 'object') return undefined;
  const known = flaws.flatMap(({ severity }) => severity ?? []);
  return known.sort((a, b) => severityRank(a) - severityRank(b))[0];
}

const NO_FIX = { fix: null, fixPolicy: null, fixVersion: null } as const;

/** `policy` is the only answer that something is going to fix it. */
function findFix(theCase: DeviceCase): Cells {
  const { device } = theCase;
  const { patchedFirmwareVersion: patched, vendor } = device;
  const result = theCase.result('firmware');
  if (patched === undefined) {
    const why = missing(theCase, 'patchedFirmwareVersion');
    return { ...NO_FIX, fix: why === 'absent' ? 'noPatch' : why };
  }
  if (!result) return { ...NO_FIX, fix: theCase.hasDocuments ? 'noPolicy' : 'unknown' };
  const goal = result.is === 'met' ? device.firmwareVersion : result.target;
  const named = { fixPolicy: result.policy, fixVersion: goal ?? null };
  const order = goal === undefined ? undefined : compareVersions(vendor, goal, patched);
  if (order === undefined) return { ...named, fix: 'unknown' };
  if (order < 0) return { ...named, fix: 'policyBelow' };
  return { ...named, fix: result.is === 'due' ? 'policy' : result.is };
}

const LIFE_CYCLES: Readonly<Record<string, State>> = {
  current_product: 'supported',
  eol: 'endOfLife',
  eos: 'endOfSupport',
};

/** Whether the vendor still sells and supports the device. */
export function lifecycleCells(theCase: DeviceCase): Cells {
  const { device, now } = theCase;
  const { lifeCycle, supportEndsAt } = device;
  const hasEnded = supportEndsAt !== undefined && supportEndsAt <= now;
  const state: State = hasEnded
    ? 'endOfSupport'
    : lifeCycle === undefined
      ? missing(theCase, 'lifeCycle')
      : Object.hasOwn(LIFE_CYCLES, lifeCycle)
        ? (LIFE_CYCLES[lifeCycle] ?? 'unknown')
        : 'unknown';
  return {
    lifecycleState: state,
    supportEndsAt: supportEndsAt ?? null,
    supportDaysLeft: supportEndsAt === undefined ? null : wholeDays(now, supportEndsAt),
    replacementModel: device.suggestedReplacementModel ?? null,
  };
}
