import {
  ALERTS,
  CVE_READS,
  DEFAULT_LIMITS,
  SEVERITIES,
  type AlertName,
  type FleetReport,
} from '../model/report/fleet-report.ts';
import type { RehearsalReport } from '../model/report/output.gen.ts';
import { rehearseDocuments } from '../operations/rehearse/rehearse-documents.ts';
import { reportFleet } from '../operations/report/read-report.ts';
import { createFleetShell, fleetOf, type FleetOptions } from './fleet-shell.ts';
import { durationOption, instantOption, wordOption } from './option-values.ts';
import { pick } from '../lib/objects.ts';

/** What is rehearsed, when, and how often. */
export interface RehearsalOptions extends FleetOptions {
  /** Copies a saved snapshot, without the service. */
  readonly snapshot?: string;
  /** Saves what was read of the service. */
  readonly saveSnapshot?: string;
  /** Start, with its offset: `2027-01-31T00:00:00Z`. Default: now. */
  readonly from?: string;
  /** End, with its offset. Default: 14 days after the start. */
  readonly until?: string;
  /** Length in place of `until`: `14d`. */
  readonly horizon?: string;
  /** Courses, each with a seed of its own. Default: 1 to 5, by the size of the fleet. */
  readonly runs?: number;
  /** Seed of the first course. Default: 1. */
  readonly seed?: number;
  /** File with a script of faults, relative to `directory`; the report compares both. */
  readonly faults?: string;
  /** Receives the progress, from 0 to `all`, the number of simulations. */
  readonly onProgress?: (done: number, all: number) => void;
}

/**
 * Runs apply on a simulated copy of the fleet in virtual time; the service is only read. The same
 * input gives the same report. Throws `InvalidDocuments`, `WorldError` with `usage` for an option that
 * cannot be read, and what reading throws.
 */
export async function rehearse(options: RehearsalOptions = {}): Promise<RehearsalReport> {
  const { from, until, horizon, seed = 1, onProgress, ...rest } = options;
  const flags = {
    ...rest,
    fleet: fleetOf(options),
    seed,
    ...(from !== undefined && { from: instantOption('from', from) }),
    ...(until !== undefined && { until: instantOption('until', until) }),
    ...(horizon !== undefined && { horizon: durationOption('horizon', horizon) }),
  };
  return rehearseDocuments(createFleetShell(options), flags, onProgress);
}

/** What a report is made of, and its limits; durations are texts such as `30d`. */
export interface ReportOptions extends FleetOptions {
  /** Saved snapshots, in any order; without any, the service is read. */
  readonly snapshots?: readonly string[];
  /** Saves what was read of the service. */
  readonly saveSnapshot?: string;
  /** Only devices that this selector matches: `site: HQ*`. */
  readonly select?: string;
  /** An end within this time is soon. Default: `30d`. */
  readonly within?: string;
  /** Hardening is outdated after this time. Default: `365d`. */
  readonly hardenedAge?: string;
  /** Offline for longer is an alert. Default: `15m`. */
  readonly offlineFor?: string;
  /** Lowest severity of an alert: `critical`, `high`, `medium` or `low`. Default: `critical`. */
  readonly severity?: string;
  /** A state holds until the next snapshot, at most for this time. Default: `24h`. */
  readonly maxGap?: string;
  /** Only these alerts. Default: all. */
  readonly alerts?: readonly AlertName[];
  /** Devices to read for CVEs, one for each model and version. Default: 60. */
  readonly maxCveReads?: number;
}

/**
 * Every report of the fleet: availability, compliance, vulnerabilities, lifecycle, credentials,
 * security and alerts; instants and durations are milliseconds. Throws `InvalidDocuments`, `WorldError` with
 * `usage` for an option that cannot be read, and what reading throws.
 */
export async function report(options: ReportOptions = {}): Promise<FleetReport> {
  const { snapshots = [], alerts, maxCveReads = CVE_READS } = options;
  const limit = (name: 'within' | 'hardenedAge' | 'offlineFor' | 'maxGap'): number =>
    durationOption(name, options[name] ?? DEFAULT_LIMITS[name]);
  return reportFleet(createFleetShell(options), {
    fleet: fleetOf(options),
    snapshot: snapshots,
    ...pick(options, 'service', 'select', 'saveSnapshot'),
    maxCveReads,
    alerts: alerts?.map((name) => wordOption('alerts', name, ALERTS)) ?? ALERTS,
    limits: {
      within: limit('within'),
      hardenedAge: limit('hardenedAge'),
      offlineFor: limit('offlineFor'),
      maxGap: limit('maxGap'),
      severity: wordOption('severity', options.severity ?? DEFAULT_LIMITS.severity, SEVERITIES),
    },
  });
}
