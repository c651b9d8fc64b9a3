import { probeStatus, connectivityStatus } from '../world/connectivity.ts';
import {
  dateFilters,
  flagFilter,
  numberFilter,
  text,
  wordFilter,
  type ItemFilter,
  type ItemFilters,
} from './filter.ts';
import type { Call } from '../call.ts';
import type { FirmwareFacts } from '../world/firmware.ts';
import type {
  AvailableTask,
  DeviceState,
  DeviceTaskState,
  DiscoveredState,
  Probe,
  SourceState,
} from '../world/state.ts';
import { certificateStatus, earliestPasswordExpiry, recordingStatus } from './wire.ts';

const STATUSES = ['online', 'offline', 'partial', 'unknown'];
const PROBE_STATUSES = ['up', 'down', 'unknown', 'unmonitored'];
const LIFE_CYCLES = ['current_product', 'eol', 'eos', 'unknown'];
const SEVERITIES = ['critical', 'high', 'medium', 'low'];
const COMPLIANCES = ['compliant', 'nonCompliant'];
const RECORDINGS = ['recording', 'notRecording', 'unknown'];

/** Filters of `GET /v1/devices`, by the service's names. */
export const DEVICE_FILTERS: ItemFilters<DeviceState> = {
  status: wordFilter(STATUSES, connectivityStatus),
  'probe.agent': probe('agent'),
  'probe.deviceSource': probe('deviceSource'),
  'probe.edge': probe('edge'),
  'probe.host': probe('host'),
  'probe.app': probe('app'),
  isFirmwareVulnerable: flagFilter((device, call) => firmwareFacts(device, call).flaws.length > 0),
  isFirmwareLatest: flagFilter((device, call) => firmwareFacts(device, call).isLatest),
  isFirmwareUpgradeAvailable: flagFilter(
    (device, call) => firmwareFacts(device, call).targets.length > 0,
  ),
  lifeCycleStatus: wordFilter(
    LIFE_CYCLES,
    (device, call) => firmwareFacts(device, call).line?.lifeCycle ?? 'unknown',
  ),
  'availableTask.hardenDevice': available('hardenDevice'),
  'availableTask.restartDevice': available('restartDevice'),
  'availableTask.rotate8021xCertificate': available('rotate8021xCertificate'),
  'availableTask.rotatePassword': available('rotatePassword'),
  'availableTask.passwordRotation': available('rotatePassword'),
  'availableTask.rotateSslCertificate': available('rotateSslCertificate'),
  'availableTask.rotateSSLCertificate': available('rotateSslCertificate'),
  'availableTask.upgradeFirmware': available('upgradeFirmware'),
  ...dateFilters('onboardingDate', (device) => device.onboardedAt),
  maintenanceMode: flagFilter((device) => device.maintenance),
  ...dateFilters('lastHardened', (device) => device.hardenedAt),
  recordingStatus: wordFilter(RECORDINGS, recordingStatus),
  storageServer: text((device) => device.storageServer),
  patchedFirmwareVersion: text((device, call) => firmwareFacts(device, call).patched),
  orphaned: flagFilter((device) => device.sourceIds.length === 0),
  vulnerabilitySeverity: wordFilter(
    SEVERITIES,
    (device, call) => firmwareFacts(device, call).worst,
  ),
  suggestedFirmwareVersion: text(
    (device, call) => firmwareFacts(device, call).targets.at(-1)?.version,
  ),
  suggestedReplacementModel: text((device, call) => firmwareFacts(device, call).line?.replacement),
  ...dateFilters('passwordExpiry', earliestPasswordExpiry),
  ...dateFilters('sslCertificateExpiry', (device) => device.ssl?.notAfter),
  sslCertificateStatus: wordFilter(COMPLIANCES, (device, call) =>
    certificateStatus(device.ssl, call.now),
  ),
  ...dateFilters('dot1xCertificateExpiry', (device) => device.dot1x?.notAfter),
  dot1xCertificateStatus: wordFilter(COMPLIANCES, (device, call) =>
    certificateStatus(device.dot1x, call.now),
  ),
};

export const SITE_FILTERS: ItemFilters<{ readonly name?: string; readonly status?: string }> = {
  name: text((site) => site.name),
  status: wordFilter(STATUSES, (site) => site.status),
};

export const SOURCE_FILTERS: ItemFilters<SourceState> = { name: text((source) => source.name) };

export const DISCOVERED_FILTERS: ItemFilters<DiscoveredState> = {
  'deviceSources.id': numberFilter(({ device }) => device.sourceIds),
  deviceType: text(({ device }) => device.deviceType),
  vendor: text(({ device }) => device.vendor),
  onboardingStatus: wordFilter(
    ['readyToOnboard', 'enrichmentRequired', 'archived'],
    (found) => found.onboardingStatus,
  ),
  ...dateFilters('discovered', (found) => found.discoveredAt),
};

export const DEVICE_TASK_FILTERS: ItemFilters<DeviceTaskState> = {
  status: wordFilter(['pending', 'running', 'completed'], (deviceTask) => deviceTask.status),
  result: wordFilter(
    ['succeeded', 'failed', 'rolledBack', 'aborted'],
    (deviceTask) => deviceTask.result ?? undefined,
  ),
};

function probe(name: Probe): ItemFilter<DeviceState> {
  return wordFilter(PROBE_STATUSES, (device) => probeStatus(device, name));
}

function available(task: AvailableTask): ItemFilter<DeviceState> {
  return flagFilter((device) => device.tasks.includes(task));
}

function firmwareFacts(device: DeviceState, call: Call): FirmwareFacts {
  return call.world.firmware.facts(device.vendor, device.model, device.firmwareVersion);
}
