import { EFFECTS } from './effects/index.ts';
import type {
  Account,
  DeviceEffect,
  DeviceState,
  DeviceTaskState,
  DiscoveredState,
  Flaw,
  GivenTargets,
  Issue,
  ProductLine,
  SiteState,
  SourceState,
  StepState,
  TaskState,
  User,
  WorldEvent,
  WorldState,
} from './world/state.ts';
import {
  anObject,
  fields,
  flag,
  hex,
  list,
  nullable,
  number,
  oneOf,
  optional,
  strangerIn,
  anyText,
  texts,
  time,
  whole,
} from './shape-rules.ts';

/**
 * The first error in data that should be a world, with its place; undefined if there is none. It
 * quotes no values, because a world contains secrets.
 */
export function findFlaw(world: unknown): string | undefined {
  return WORLD(world, '') ?? strangerIn(world as WorldState);
}

const CHANGE = fields<Extract<DeviceEffect, { version: string }>>({
  do: oneOf(
    'silence',
    'return',
    'unstick',
    'heal',
    'firmware',
    'password',
    'certificate',
    'manage',
  ),
  version: optional(anyText),
});

const STEP = fields<StepState>({
  name: anyText,
  ms: number,
  onStart: list(CHANGE),
  onEnd: list(CHANGE),
  fails: flag,
  stuck: flag,
  message: optional(anyText),
  status: oneOf('runPending', 'runInProgress', 'runSucceeded', 'runFailed', 'runSkipped'),
  startedAt: optional(time),
  endedAt: optional(time),
});

const RESULTS = ['succeeded', 'failed', 'rolledBack', 'aborted'];

const DEVICE_TASK = fields<DeviceTaskState>({
  id: anyText,
  deviceId: anyText,
  deviceName: anyText,
  deviceModel: anyText,
  deviceHost: anyText,
  siteId: whole,
  payload: anObject,
  mishap: optional(anyText),
  thankless: optional(oneOf(...RESULTS)),
  status: oneOf('pending', 'running', 'completed'),
  result: nullable(oneOf(...RESULTS)),
  fate: oneOf(...RESULTS),
  steps: list(STEP),
  current: whole,
});

const ISSUE = fields<Issue>({ serial: hex, notBefore: time, notAfter: time });

const DEVICE = fields<DeviceState>({
  id: anyText,
  name: anyText,
  vendor: anyText,
  model: anyText,
  serial: anyText,
  deviceType: anyText,
  firmwareVersion: anyText,
  siteId: whole,
  sourceIds: list(whole),
  host: anyText,
  ipAddress: anyText,
  macAddress: anyText,
  onboardedAt: time,
  hardenedAt: optional(time),
  maintenance: flag,
  storageServer: optional(anyText),
  monitored: texts,
  condition: oneOf('well', 'stuck', 'dark', 'dead', 'unknown'),
  silent: flag,
  lastSeen: time,
  tasks: texts,
  accounts: list(fields<Account>({ userName: anyText, lastChanged: time, expiry: time })),
  ssl: optional(ISSUE),
  dot1x: optional(ISSUE),
});

const WORLD = fields<WorldState>({
  version: oneOf(1),
  organization: anyText,
  signingKey: anyText,
  users: list(
    fields<User>({
      userName: anyText,
      role: oneOf('admin', 'operator', 'viewer'),
      clientId: anyText,
      clientSecret: anyText,
      siteIds: optional(list(whole)),
    }),
  ),
  random: number,
  at: time,
  nextSequence: whole,
  sites: list(
    fields<SiteState>({
      id: whole,
      name: anyText,
      description: anyText,
      latitude: number,
      longitude: number,
    }),
  ),
  sources: list(fields<SourceState>({ id: whole, name: anyText, type: anyText, version: anyText })),
  lines: list(
    fields<ProductLine>({
      vendor: anyText,
      models: texts,
      releases: texts,
      approved: texts,
      waypoints: texts,
      lifeCycle: anyText,
      eosDate: optional(anyText),
      replacement: optional(anyText),
      targets: optional(list(fields<GivenTargets>({ from: anyText, paths: list(texts) }))),
      flaws: list(
        fields<Flaw>({
          cveId: anyText,
          severity: anyText,
          fixedIn: anyText,
          description: anyText,
          reportDate: anyText,
        }),
      ),
    }),
  ),
  devices: list(DEVICE),
  discovered: list(
    fields<DiscoveredState>({
      onboardingStatus: oneOf('readyToOnboard', 'enrichmentRequired', 'archived'),
      discoveredAt: time,
      device: DEVICE,
    }),
  ),
  tasks: list(
    fields<TaskState>({
      id: anyText,
      type: oneOf(...Object.keys(EFFECTS)),
      userName: anyText,
      createdAt: time,
      vanished: flag,
      unknownUntil: optional(time),
      deviceTasks: list(DEVICE_TASK),
    }),
  ),
  events: list(
    fields<WorldEvent>({ due: time, sequence: whole, taskId: anyText, deviceTaskId: anyText }),
  ),
  busy: (value, place) => anObject(value, place) ?? texts(Object.values(Object(value)), place),
});
