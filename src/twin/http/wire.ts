import type { components } from '../../service.gen.ts';
import { certificatePem } from '../world/certificate.ts';
import {
  isReporting,
  lastSeenAt,
  probeStatuses,
  connectivityStatus,
} from '../world/connectivity.ts';
import type { FirmwareFacts } from '../world/firmware.ts';
import type {
  DeviceState,
  DeviceTaskState,
  DiscoveredState,
  Flaw,
  Issue,
  SiteState,
  TaskState,
  Time,
} from '../world/state.ts';
import { ALL_TASKS } from '../fleet/product.ts';
import type { World } from '../world/world.ts';

type Wire = components['schemas'];

/** ISO 8601 in UTC, to the second. */
export function timestamp(at: Time): string {
  const known = WRITTEN.get(at);
  if (known !== undefined) return known;
  if (WRITTEN.size >= MOST_WRITTEN) WRITTEN.clear();
  const text = `${new Date(at).toISOString().slice(0, 19)}Z`;
  WRITTEN.set(at, text);
  return text;
}

/** Cached texts: a list repeats the dates of its devices on every read. */
const WRITTEN = new Map<Time, string>();
const MOST_WRITTEN = 16_384;

/** A device as the service returns it at a moment. */
export function deviceOnWire(world: World, device: DeviceState, now: Time): Wire['Device'] {
  const facts = world.firmware.facts(device.vendor, device.model, device.firmwareVersion);
  const recording = recordingStatus(device);
  return {
    id: device.id,
    name: device.name,
    vendor: device.vendor,
    model: device.model,
    firmwareVersion: device.firmwareVersion,
    deviceType: device.deviceType,
    compliance: assessCompliance(device, facts, now),
    network: { host: device.host, ipAddress: device.ipAddress, macAddress: device.macAddress },
    status: connectivityStatus(device),
    lastSeen: timestamp(lastSeenAt(device, now, world.refreshMs)),
    maintenanceMode: device.maintenance,
    probe: probeStatuses(device),
    deviceSources: device.sourceIds.map((id) => sourceRef(world, id)),
    sites: [siteRef(world, device.siteId)],
    availableTask: Object.fromEntries(ALL_TASKS.map((task) => [task, device.tasks.includes(task)])),
    onboardingDate: timestamp(device.onboardedAt),
    ...(device.hardenedAt !== undefined && { lastHardened: timestamp(device.hardenedAt) }),
    ...(recording && { recordingStatus: recording }),
    ...(device.storageServer !== undefined && { storageServer: device.storageServer }),
    ...(facts.patched !== undefined && { patchedFirmwareVersion: facts.patched }),
    orphaned: device.sourceIds.length === 0,
  };
}

/** Cameras record while they report. */
export function recordingStatus(device: DeviceState): Wire['RecordingStatus'] | undefined {
  if (device.storageServer === undefined) return undefined;
  if (connectivityStatus(device) === 'unknown') return 'unknown';
  return isReporting(device) ? 'recording' : 'notRecording';
}

export function earliestPasswordExpiry(device: DeviceState): Time | undefined {
  if (device.accounts.length === 0) return undefined;
  return Math.min(...device.accounts.map(({ expiry }) => expiry));
}

export function certificateStatus(
  issue: Issue | undefined,
  now: Time,
): Wire['CertificateStatus'] | undefined {
  if (issue === undefined) return undefined;
  return issue.notAfter > now ? 'compliant' : 'nonCompliant';
}

function assessCompliance(
  device: DeviceState,
  facts: FirmwareFacts,
  now: Time,
): Wire['Compliance'] {
  const { line, worst, targets } = facts;
  const suggested = targets.at(-1)?.version;
  const passwordExpiry = earliestPasswordExpiry(device);
  const { ssl, dot1x } = device;
  return {
    lifecycle: {
      status: line?.lifeCycle ?? 'unknown',
      ...(line?.eosDate !== undefined && { eosDate: line.eosDate }),
    },
    ...(worst && { vulnerabilitySeverity: worst }),
    ...(suggested !== undefined && { suggestedFirmwareVersion: suggested }),
    ...(line?.replacement !== undefined && { suggestedReplacementModel: line.replacement }),
    ...(passwordExpiry !== undefined && { passwordExpiry: timestamp(passwordExpiry) }),
    ...(ssl && {
      sslCertificateExpiry: timestamp(ssl.notAfter),
      sslCertificateStatus: ssl.notAfter > now ? 'compliant' : 'nonCompliant',
    }),
    ...(dot1x && {
      dot1xCertificateExpiry: timestamp(dot1x.notAfter),
      dot1xCertificateStatus: dot1x.notAfter > now ? 'compliant' : 'nonCompliant',
    }),
  };
}

export function vulnerabilityOnWire(flaw: Flaw): Wire['Vulnerability'] {
  const { cveId, severity, description, reportDate } = flaw;
  const reportLink = `https://vulnerabilities.example/${cveId}`;
  return { cveId, description, reportDate, severity, reportLink };
}

export function passwordsOnWire(device: DeviceState): Wire['PasswordList'] {
  const passwords = device.accounts.map(({ userName, lastChanged, expiry }) => {
    return { userName, lastChanged: timestamp(lastChanged), expiry: timestamp(expiry) };
  });
  return { passwords };
}

export function certificatesOnWire(device: DeviceState): Wire['CertificateList'] {
  const entry = (type: 'ssl' | '802.1x', issue: Issue): Wire['Certificate'] => ({
    type,
    certificate: certificatePem(device.host, issue),
    notBefore: timestamp(issue.notBefore),
    notAfter: timestamp(issue.notAfter),
  });
  const certificates = [
    ...(device.ssl ? [entry('ssl', device.ssl)] : []),
    ...(device.dot1x ? [entry('802.1x', device.dot1x)] : []),
  ];
  return { certificates, total: certificates.length };
}

export function siteOnWire(site: SiteState, status: Wire['Status']): Wire['Site'] {
  const { id, name, description, latitude, longitude } = site;
  return { id, name, description, coordinates: { latitude, longitude }, status };
}

export function discoveredOnWire(world: World, found: DiscoveredState): Wire['DiscoveredDevice'] {
  const { device, onboardingStatus, discoveredAt } = found;
  const [sourceId] = device.sourceIds;
  return {
    id: device.id,
    name: device.name,
    serialNumber: device.serial,
    vendor: device.vendor,
    model: device.model,
    deviceType: device.deviceType,
    onboardingStatus,
    discoveredAt: timestamp(discoveredAt),
    ...(sourceId !== undefined && { deviceSource: sourceRef(world, sourceId) }),
    site: siteRef(world, device.siteId),
  };
}

export function deviceTaskOnWire(
  task: TaskState,
  deviceTask: DeviceTaskState,
  withSteps: boolean,
): Wire['DeviceTask'] {
  return {
    createDate: timestamp(task.createdAt),
    currentStepStatus: deviceTask.steps[deviceTask.current]?.status ?? 'runPending',
    deviceHost: deviceTask.deviceHost,
    deviceId: deviceTask.deviceId,
    deviceModel: deviceTask.deviceModel,
    deviceName: deviceTask.deviceName,
    deviceTaskId: deviceTask.id,
    result: deviceTask.result,
    status: deviceTask.status,
    taskId: task.id,
    taskType: task.type,
    ...(withSteps && { steps: deviceTask.steps.map(stepOnWire) }),
  };
}

function stepOnWire(step: DeviceTaskState['steps'][number]): Wire['Step'] {
  return {
    name: step.name,
    status: step.status,
    ...(step.message !== undefined && { message: step.message }),
    ...(step.startedAt !== undefined && { startDate: timestamp(step.startedAt) }),
    ...(step.endedAt !== undefined && { endDate: timestamp(step.endedAt) }),
  };
}

function siteRef(world: World, id: number): Wire['SiteRef'] {
  const name = world.site(id)?.name;
  return { id, ...(name !== undefined && { name }) };
}

function sourceRef(world: World, id: number): Wire['DeviceSourceRef'] {
  const source = world.source(id);
  return { id, ...(source && { name: source.name, type: source.type }) };
}
