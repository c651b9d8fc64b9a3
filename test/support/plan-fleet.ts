import { createSnapshot } from '../../src/live/snapshot.ts';
import type { FleetRows } from '../../src/live/snapshot.ts';
import type { Device } from '../../src/model/fleet/device.ts';
import { LEDGER_FORMAT } from '../../src/model/ledger/record.ts';
import type { IntentState, Memory } from '../../src/model/ledger/memory.ts';
import type {
  Documents,
  EntriesByName,
  FirmwarePolicy,
  RotationPolicy,
} from '../../src/model/documents/policy.ts';
import { DEFAULT_ROLLOUT } from '../../src/model/documents/rollout-defaults.ts';
import type { RolloutSpec } from '../../src/model/documents/rollout.ts';
import type { Snapshot } from '../../src/model/fleet/snapshot.ts';
import type { Sourced } from '../../src/model/documents/source.ts';
import { parseInstant } from '../../src/lib/time.ts';

/** The moment at which test fleets are looked at. */
export const NOW = parseInstant('2026-11-20T12:00:00Z') ?? 0;

/** A device that reads online and can do everything, with these fields instead. */
export function aDevice(id: string, fields: Partial<Device> = {}): Device {
  return {
    id,
    name: `name of ${id}`,
    vendor: 'Axis',
    model: 'P3265-V',
    deviceType: 'camera',
    firmwareVersion: '11.8.61',
    status: 'online',
    lastSeen: NOW - 60_000,
    probe: {},
    sites: [{ id: 's1', name: 'HQ Berlin' }],
    sources: [],
    available: {
      upgradeFirmware: true,
      rotatePassword: true,
      rotateSslCertificate: true,
      restartDevice: true,
    },
    ...fields,
  };
}

/** A fleet read in one page at `NOW`. */
export function aSnapshot(devices: readonly Device[], rest: Partial<FleetRows> = {}): Snapshot {
  return createSnapshot({
    takenAt: NOW,
    confidence: 'one page',
    discoveredConfidence: 'one page',
    devices,
    ...rest,
  });
}

/** A ledger that remembers these intents and nothing else. */
export function aMemory(intents: readonly IntentState[] = [], rest: Partial<Memory> = {}): Memory {
  return {
    ledgerId: 'ledger',
    fingerprint: 'fingerprint',
    format: LEDGER_FORMAT,
    head: { seq: 0, hash: '' },
    actedAt: 0,
    epoch: 0,
    intents: new Map(intents.map((intent) => [intent.id, intent])),
    intentsOf: (device, task) =>
      intents.filter((each) => each.device === device && (task ?? each.task) === each.task),
    open: () => intents.filter(({ phase }) => ['open', 'running', 'inDoubt'].includes(phase)),
    generationOf: (device, task) =>
      Math.max(
        1,
        ...intents
          .filter((each) => each.device === device && each.task === task)
          .map((each) => each.generation),
      ),
    covered: () => new Set(),
    weighedInParts: () => new Set(),
    unanswered: new Map(),
    accepted: new Set(),
    moved: new Set(),
    stops: new Map(),
    pauses: new Map(),
    resumedAt: new Map(),
    lifts: new Map(),
    rollouts: new Map(),
    sightings: new Map(),
    coverage: [],
    facts: new Map(),
    distrusted: new Map(),
    renamed: new Map(),
    ...rest,
  };
}

/** An upgrade of a device that ended well a day ago, with these fields instead. */
export function anIntent(device: string, fields: Partial<IntentState> = {}): IntentState {
  return {
    id: `intent-${device}-${fields.task ?? 'upgradeFirmware'}-${fields.target ?? ''}`,
    task: 'upgradeFirmware',
    device,
    target: '11.11.73',
    generation: 0,
    policy: 'firmware.lts',
    sites: ['s1'],
    marker: '',
    phase: 'closed',
    attempts: 1,
    attemptId: 'run.1',
    attemptedAt: NOW - 25 * 3_600_000,
    verdict: 'done',
    settledAt: NOW - 24 * 3_600_000,
    ...fields,
  };
}

/** An intent whose task has not ended. */
export function anOpenIntent(device: string, fields: Partial<IntentState> = {}): IntentState {
  const { verdict: _verdict, settledAt: _settledAt, ...open } = anIntent(device);
  return { ...open, phase: 'running', attemptedAt: NOW - 60_000, ...fields };
}

/** An entry as the loader makes it, at a line of `fleet/test.yaml`. */
export function sourced<T>(name: string, value: T, line = 1): Sourced<T> {
  return { name, value, at: { file: 'fleet/test.yaml', line, column: 3 }, places: new Map() };
}

/** Entries by name, one line each. */
export function entries<T>(values: Readonly<Record<string, T>>): EntriesByName<T> {
  return new Map(
    Object.entries(values).map(([name, value], line) => [name, sourced(name, value, line + 1)]),
  );
}

/** A policy that wants Axis cameras at 11.11.73, with these fields instead. */
export function aFirmwarePolicy(
  name: string,
  fields: Partial<FirmwarePolicy> = {},
): FirmwarePolicy {
  return {
    section: 'firmware',
    task: 'upgradeFirmware',
    address: `firmware.${name}`,
    priority: 500,
    windows: ['anytime'],
    select: { vendor: ['Axis'] },
    version: { is: 'exact', version: '11.11.73' },
    deferral: 0,
    downgrade: 'forbid',
    path: 'auto',
    restAtIntermediate: 'allow',
    ...fields,
  };
}

/** A policy that wants each password changed every half year, with these fields instead. */
export function aRotationPolicy(
  name: string,
  fields: Partial<RotationPolicy> = {},
): RotationPolicy {
  return {
    section: 'rotations',
    task: 'rotatePassword',
    address: `rotations.${name}`,
    priority: 500,
    windows: ['anytime'],
    select: {},
    due: { is: 'maxAge', maxAge: 180 * 86_400_000, headStart: 0, spread: 0 },
    generation: 1,
    payload: {},
    offlineGrace: 0,
    unknownAge: 'skip',
    ...fields,
  };
}

/** A rollout of one wave, whose limits are the built-in ones. */
export const A_ROLLOUT: RolloutSpec = {
  ...DEFAULT_ROLLOUT,
  canary: 'none',
  waves: [{ name: 'all', slice: { is: 'percent', percent: 100 }, stratify: [], soak: 0 }],
};

/** Documents that want nothing, with these sections instead. */
export function someDocuments(sections: Partial<Documents> = {}): Documents {
  return {
    files: [],
    digest: 'documents',
    warnings: [],
    service: sourced('service', {
      baseUrl: 'https://service.test',
      organization: 'acme',
      pace: { requestsPerSecond: 1, tokenRequestsPerMinute: 5, pollEvery: 30_000 },
      approval: { is: 'commit' },
      needsYouAfter: 7 * 86_400_000,
      dialect: {},
    }),
    sites: new Map(),
    groups: new Map(),
    windows: new Map(),
    freezes: new Map(),
    rollouts: new Map(),
    budgets: new Map(),
    firmware: new Map(),
    rotations: new Map(),
    onboarding: new Map(),
    restarts: new Map(),
    incidents: new Map(),
    exceptions: new Map(),
    guardrails: new Map(),
    ...sections,
  };
}
