import { probeOf, statusOf } from '../world/condition.ts';
import { dates, flag, number, text, word, type Filter, type Filters } from './filter.ts';
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
import { certificateStatusOf, passwordExpiryOf, recordingOf } from './wire.ts';

const STATUSES = ['online', 'offline', 'partial', 'unknown'];
const PROBE_STATUSES = ['up', 'down', 'unknown', 'unmonitored'];
const LIFE_CYCLES = ['current_product', 'eol', 'eos', 'unknown'];
const SEVERITIES = ['critical', 'high', 'medium', 'low'];
const COMPLIANCES = ['compliant', 'nonCompliant'];
const RECORDINGS = ['recording', 'notRecording', 'unknown'];

/** Filters of `GET /v1/devices`, by the service's spelling. */
export const DEVICE_FILTERS: Filters<DeviceState> = {
  status: word(STATUSES, statusOf),
  'probe.agent': probe('agent'),
  'probe.deviceSource': probe('deviceSource'),
  'probe.edge': probe('edge'),
  'probe.host': probe('host'),
  'probe.app': probe('app'),
  isFirmwareVulnerable: flag((device, call) => factsOf(device, call).flaws.length > 0),
  isFirmwareLatest: flag((device, call) => factsOf(device, call).isLatest),
  isFirmwareUpgradeAvailable: flag((device, call) => factsOf(device, call).targets.length > 0),
  lifeCycleStatus: word(
    LIFE_CYCLES,
    (device, call) => factsOf(device, call).line?.lifeCycle ?? 'unknown',
  ),
  'availableTask.hardenDevice': available('hardenDevice'),
  'availableTask.restartDevice': available('restartDevice'),
  'availableTask.rotate8021xCertificate': available('rotate8021xCertificate'),
  'availableTask.rotatePassword': available('rotatePassword'),
  'availableTask.passwordRotation': available('rotatePassword'),
  'availableTask.rotateSslCertificate': available('rotateSslCertificate'),
  'availableTask.rotateSSLCertificate': available('rotateSslCertificate'),
  'availableTask.upgradeFirmware': available('upgradeFirmware'),
  ...dates('onboardingDate', (device) => device.onboardedAt),
  maintenanceMode: flag((device) => device.maintenance),
  ...dates('lastHardened', (device) => device.hardenedAt),
  recordingStatus: word(RECORDINGS, recordingOf),
  storageServer: text((device) => device.storageServer),
  patchedFirmwareVersion: text((device, call) => factsOf(device, call).patched),
  orphaned: flag((device) => device.sourceIds.length === 0),
  vulnerabilitySeverity: word(SEVERITIES, (device, call) => factsOf(device, call).worst),
  suggestedFirmwareVersion: text((device, call) => factsOf(device, call).targets.at(-1)?.version),
  suggestedReplacementModel: text((device, call) => factsOf(device, call).line?.replacement),
  ...dates('passwordExpiry', passwordExpiryOf),
  ...dates('sslCertificateExpiry', (device) => device.ssl?.notAfter),
  sslCertificateStatus: word(COMPLIANCES, (device, call) =>
    certificateStatusOf(device.ssl, call.now),
  ),
  ...dates('dot1xCertificateExpiry', (device) => device.dot1x?.notAfter),
  dot1xCertificateStatus: word(COMPLIANCES, (device, call) =>
    certificateStatusOf(device.dot1x, call.now),
  ),
};

export const SITE_FILTERS: Filters<{ readonly name?: string; readonly status?: string }> = {
  name: text((site) => site.name),
  status: word(STATUSES, (site) => site.status),
};

export const SOURCE_FILTERS: Filters<SourceState> = { name: text((source) => source.name) };

export const DISCOVERED_FILTERS: Filters<DiscoveredState> = {
  'deviceSources.id': number(({ device }) => device.sourceIds),
  deviceType: text(({ device }) => device.deviceType),
  vendor: text(({ device }) => device.vendor),
  onboardingStatus: word(
    ['readyToOnboard', 'enrichmentRequired', 'archived'],
    (found) => found.onboardingStatus,
  ),
  ...dates('discovered', (found) => found.discoveredAt),
};

export const DEVICE_TASK_FILTERS: Filters<DeviceTaskState> = {
  status: word(['pending', 'running', 'completed'], (deviceTask) => deviceTask.status),
  result: word(
    ['succeeded', 'failed', 'rolledBack', 'aborted'],
    (deviceTask) => deviceTask.result ?? undefined,
  ),
};

function probe(name: Probe): Filter<DeviceState> {
  return word(PROBE_STATUSES, (device) => probeOf(device, name));
}

function available(task: AvailableTask): Filter<DeviceState> {
  return flag((device) => device.tasks.includes(task));
}

function factsOf(device: DeviceState, call: Call): FirmwareFacts {
  return call.world.firmware.facts(device.vendor, device.model, device.firmwareVersion);
}
