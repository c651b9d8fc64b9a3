import type { Device } from '../../model/fleet/device.ts';
import type { GateCheck } from '../../model/documents/rollout.ts';

/** The gate checks of one device in one reading; a check that was not possible is absent. */
export type DeviceChecks = Readonly<Partial<Record<GateCheck, boolean>>>;

/** The gate checks of all devices of a wave in one reading, as a SEEN record `gateSample` has it. */
export type GateSample = 'good' | 'bad' | 'unknown';

/**
 * The gate checks of a device. A device in the desired state is not due any more; one that was not
 * read shows nothing. Only cameras record, so any other device without a recording status passes that
 * check.
 */
export function sampleDevice(
  device: Pick<Device, 'status' | 'recordingStatus' | 'deviceType'> | undefined,
  aside: 'converged' | 'skipped' | undefined,
): DeviceChecks {
  if (!device) return {};
  const { status, recordingStatus, deviceType } = device;
  const mayRecord = recordingStatus !== undefined || deviceType === 'camera';
  return {
    ...(status !== undefined && { online: status === 'online' }),
    ...(aside !== 'skipped' && { readBackMatches: aside === 'converged' }),
    ...(recordingStatus !== undefined && { recording: recordingStatus === 'recording' }),
    ...(!mayRecord && { recording: true }),
  };
}

/**
 * The gate checks of a wave: `bad` if any check of any device failed, `unknown` if any was not
 * possible or there were no devices.
 */
export function sampleGate(
  checks: readonly GateCheck[],
  devices: readonly DeviceChecks[],
): GateSample {
  const results = devices.flatMap((device) => checks.map((check) => device[check]));
  if (results.includes(false)) return 'bad';
  return devices.length === 0 || results.includes(undefined) ? 'unknown' : 'good';
}
