import type { AvailableTask } from './task.ts';
import type { Instant } from '../../lib/time.ts';

/**
 * Connectivity in the words of the service. A word that is not in this list is kept and never
 * counts as online.
 */
export const STATUSES = ['online', 'offline', 'partial', 'unknown'] as const;

export const PROBES = ['agent', 'deviceSource', 'edge', 'host', 'app'] as const;
export type Probe = (typeof PROBES)[number];

/**
 * A site or device source in the row of a device. IDs are strings, whatever type the service sends.
 */
export interface Ref {
  readonly id: string;
  readonly name?: string;
}

/** One managed device as read. A field that the service did not send is absent. */
export interface Device {
  readonly id: string;
  readonly name?: string;
  readonly vendor?: string;
  readonly model?: string;
  readonly firmwareVersion?: string;
  readonly deviceType?: string;
  readonly status?: string;
  readonly lastSeen?: Instant;
  readonly maintenanceMode?: boolean;
  readonly probe: Readonly<Partial<Record<Probe, string>>>;
  readonly sites: readonly Ref[];
  readonly sources: readonly Ref[];
  readonly available: Readonly<Partial<Record<AvailableTask, boolean>>>;
  readonly storageServer?: string;
  readonly recordingStatus?: string;
  /** Whether its vendor still supports it, in the service's words: `eol`, `eos` and the like. */
  readonly lifeCycle?: string;
  /** When its support ends, or ended. */
  readonly supportEndsAt?: Instant;
  readonly passwordExpiresAt?: Instant;
  readonly passwordChangedAt?: Instant;
  readonly sslCertificateExpiresAt?: Instant;
  readonly dot1xCertificateExpiresAt?: Instant;
  /** Whether these certificates comply, in the service's words. */
  readonly sslCertificateStatus?: string;
  readonly dot1xCertificateStatus?: string;
  readonly lastHardenedAt?: Instant;
  /** The highest severity of its known vulnerabilities, in the service's words. */
  readonly vulnerabilitySeverity?: string;
  /** The version that fixes them, and what the service suggests in place of version and model. */
  readonly patchedFirmwareVersion?: string;
  readonly suggestedFirmwareVersion?: string;
  readonly suggestedReplacementModel?: string;
  /** No device source reports it. */
  readonly orphaned?: boolean;
  /**
   * Fields that the service sent and that could not be parsed, by fleetform's names (`status`,
   * `probe.agent`, `available.restartDevice`), sorted. Absent where all could be parsed.
   */
  readonly unreadable?: readonly string[];
}

export interface Site {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
  readonly status?: string;
  /** As in `Device`. */
  readonly unreadable?: readonly string[];
}

export interface DeviceSource {
  readonly id: string;
  readonly name?: string;
  readonly type?: string;
  readonly version?: string;
  /** As in `Device`. */
  readonly unreadable?: readonly string[];
}

export const ONBOARDING_STATUSES = ['readyToOnboard', 'enrichmentRequired', 'archived'] as const;

/** A device that a source reported and that is not managed yet. */
export interface DiscoveredDevice {
  readonly id: string;
  readonly name?: string;
  readonly serial?: string;
  readonly vendor?: string;
  readonly model?: string;
  readonly deviceType?: string;
  readonly onboardingStatus?: string;
  readonly discoveredAt?: Instant;
  readonly sources?: readonly Ref[];
  readonly site?: Ref;
  /** The field that onboarding needs beside the ID, where the dialect names one. */
  readonly second?: string | number;
  /** As in `Device`. */
  readonly unreadable?: readonly string[];
}
