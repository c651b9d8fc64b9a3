import type { Situation } from './all-clear.ts';
import type { CveTotal, MeasureTotal, ReportSource } from './output.gen.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';

export type { CveTotal, MeasureTotal, ReportSource } from './output.gen.ts';

/** The version of every report in json; it changes when readers have to adapt. */
export const REPORT_VERSION = 1;

export const DEVICE_REPORTS = [
  'compliance',
  'vulnerabilities',
  'lifecycle',
  'credentials',
  'security',
] as const;

/** `overview` has the totals of all reports. */
export const REPORTS = ['overview', 'availability', ...DEVICE_REPORTS, 'alerts'] as const;
export type ReportName = (typeof REPORTS)[number];

/** What is measured of each device; each measure has totals. */
export const MEASURES = [
  'firmware',
  'vulnerability',
  'lifecycle',
  'password',
  'sslCertificate',
  'dot1xCertificate',
  'hardening',
] as const;
export type Measure = (typeof MEASURES)[number];

/** Why a value is not known. None of them counts as compliant. */
export const UNKNOWNS = ['unknown', 'absent', 'unreadable', 'notRead'] as const;
export type Unknown = (typeof UNKNOWNS)[number];

export const GOOD_STATES = [
  'compliant',
  'clear',
  'supported',
  'current',
  'valid',
  'hardened',
] as const;
export const BAD_STATES = [
  'behind',
  'blocked',
  'vulnerable',
  'endOfLife',
  'endOfSupport',
  'overdue',
  'expiresSoon',
  'expired',
  'nonCompliant',
  'outdated',
] as const;
/** Nothing is required of these devices, so they count neither way. */
export const OPEN_STATES = ['noPolicy', 'excepted', 'none'] as const;

export type State =
  | (typeof GOOD_STATES)[number]
  | (typeof BAD_STATES)[number]
  | (typeof OPEN_STATES)[number]
  | Unknown;

/** How a state counts. */
export type Rating = 'good' | 'bad' | 'open' | 'unknown';

/** A cell of a row: null where there is nothing to say. Instants are milliseconds. */
export type Cell = string | number | boolean | readonly string[] | null;
export type ReportRow = Readonly<Record<string, Cell>>;

/** What a reader has to know of the sources. */
export type ReportNotice =
  | { readonly code: 'reordered' }
  | { readonly code: 'sameInstant'; readonly file: string }
  | { readonly code: 'gap'; readonly from: Instant; readonly to: Instant }
  | { readonly code: 'nothingInCommon'; readonly file: string }
  | { readonly code: 'torn'; readonly file: string | null }
  | { readonly code: 'noDevices'; readonly file: string | null }
  | { readonly code: 'noDocuments'; readonly problems: number }
  | { readonly code: 'oneSnapshot' }
  | { readonly code: 'cvesNotRead'; readonly groups: number; readonly devices: number };

/** The limits of a report, in the names of the flags. */
export interface ReportLimits {
  /** An end within this time is soon. */
  readonly within: Milliseconds;
  /** A device that was hardened longer ago is outdated. */
  readonly hardenedAge: Milliseconds;
  /** A device that is offline for longer is an alert. */
  readonly offlineFor: Milliseconds;
  /** The least severity of an alert. */
  readonly severity: string;
  /** A state holds until the next snapshot, but no longer than this. */
  readonly maxGap: Milliseconds;
}

export const DEFAULT_LIMITS = {
  within: '30d',
  hardenedAge: '365d',
  offlineFor: '15m',
  severity: 'critical',
  maxGap: '24h',
} as const;

/** How many devices are read for their CVEs by default, one for each model and version. */
export const CVE_READS = 60;

/** Severities, the worst first, in lower case. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;

export const ALERTS = [
  'offline',
  'vulnerability',
  'sslCertificate',
  'dot1xCertificate',
  'password',
  'endOfSupport',
] as const;
export type AlertName = (typeof ALERTS)[number];

/** Everything that one command computes; the reports are parts of it. */
export interface FleetReport {
  readonly evaluatedAt: Instant;
  readonly organization: string | null;
  readonly sources: readonly ReportSource[];
  readonly notices: readonly ReportNotice[];
  /** What the plan of a reading of the service comes to; absent for snapshot files. */
  readonly situation?: Situation;
  readonly limits: ReportLimits;
  readonly totals: readonly MeasureTotal[];
  /** One per device, with every field of the reports of devices. */
  readonly devices: readonly ReportRow[];
  readonly availability: Availability;
  readonly cves: readonly CveTotal[];
  readonly alerts: readonly ReportRow[];
  /** Devices for which an alert cannot be decided, by alert. */
  readonly undecided: Readonly<Record<AlertName, number>>;
}

/** Availability over time: a row for each snapshot, site and type, and totals over all snapshots. */
export interface Availability {
  readonly rows: readonly ReportRow[];
  readonly totals: readonly ReportRow[];
}

export function rateState(state: State): Rating {
  if ((GOOD_STATES as readonly State[]).includes(state)) return 'good';
  if ((BAD_STATES as readonly State[]).includes(state)) return 'bad';
  return (OPEN_STATES as readonly State[]).includes(state) ? 'open' : 'unknown';
}
