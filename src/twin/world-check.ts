import { EFFECTS } from './effects/index.ts';
import type {
  Account,
  DeviceEffect,
  DeviceState,
  DeviceTaskState,
  DiscoveredState,
  Flaw,
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

/**
 * The first error in data that should be a world, with its place; undefined if there is none. It
 * quotes no values, because a world contains secrets.
 */
export function findFlaw(world: unknown): string | undefined {
  return WORLD(world, '') ?? strangerIn(world as WorldState);
}

/** Returns the error of the value at a place; undefined if there is none. */
type Rule = (value: unknown, place: string) => string | undefined;

/** A rule for each key of a state; the compiler reports a missing one. */
type RulesOf<T> = { readonly [Key in keyof Required<T>]: Rule };

const LATEST = Date.UTC(9999, 11, 31);

const text = expect('a text', (value) => typeof value === 'string');
const flag = expect('true or false', (value) => typeof value === 'boolean');
const number = expect('a number', (value) => Number.isFinite(value));
const whole = expect(
  'a whole number of at least 0',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
const time = expect(
  'milliseconds since 1970, up to the year 9999',
  (value) => Number.isFinite(value) && Math.abs(Number(value)) <= LATEST,
);
const hex = expect(
  'hexadecimal digits',
  (value) => typeof value === 'string' && /^(?:[\da-f]{2})+$/i.test(value),
);
const anObject = expect('an object', isObject);
const texts = list(text);

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
  version: optional(text),
});

const STEP = fields<StepState>({
  name: text,
  ms: number,
  onStart: list(CHANGE),
  onEnd: list(CHANGE),
  fails: flag,
  stuck: flag,
  message: optional(text),
  status: oneOf('runPending', 'runInProgress', 'runSucceeded', 'runFailed', 'runSkipped'),
  startedAt: optional(time),
  endedAt: optional(time),
});

const RESULTS = ['succeeded', 'failed', 'rolledBack', 'aborted'];

const DEVICE_TASK = fields<DeviceTaskState>({
  id: text,
  deviceId: text,
  deviceName: text,
  deviceModel: text,
  deviceHost: text,
  siteId: whole,
  payload: anObject,
  mishap: optional(text),
  thankless: optional(oneOf(...RESULTS)),
  status: oneOf('pending', 'running', 'completed'),
  result: nullable(oneOf(...RESULTS)),
  fate: oneOf(...RESULTS),
  steps: list(STEP),
  current: whole,
});

const ISSUE = fields<Issue>({ serial: hex, notBefore: time, notAfter: time });

const DEVICE = fields<DeviceState>({
  id: text,
  name: text,
  vendor: text,
  model: text,
  serial: text,
  deviceType: text,
  firmwareVersion: text,
  siteId: whole,
  sourceIds: list(whole),
  host: text,
  ipAddress: text,
  macAddress: text,
  onboardedAt: time,
  hardenedAt: optional(time),
  maintenance: flag,
  storageServer: optional(text),
  monitored: texts,
  condition: oneOf('well', 'stuck', 'dark', 'dead', 'unknown'),
  silent: flag,
  lastSeen: time,
  tasks: texts,
  accounts: list(fields<Account>({ userName: text, lastChanged: time, expiry: time })),
  ssl: optional(ISSUE),
  dot1x: optional(ISSUE),
});

const WORLD = fields<WorldState>({
  version: oneOf(1),
  organization: text,
  signingKey: text,
  users: list(
    fields<User>({
      userName: text,
      role: oneOf('admin', 'operator', 'viewer'),
      clientId: text,
      clientSecret: text,
      siteIds: optional(list(whole)),
    }),
  ),
  random: number,
  at: time,
  nextSequence: whole,
  sites: list(
    fields<SiteState>({
      id: whole,
      name: text,
      description: text,
      latitude: number,
      longitude: number,
    }),
  ),
  sources: list(fields<SourceState>({ id: whole, name: text, type: text, version: text })),
  lines: list(
    fields<ProductLine>({
      vendor: text,
      models: texts,
      releases: texts,
      approved: texts,
      waypoints: texts,
      lifeCycle: text,
      eosDate: optional(text),
      replacement: optional(text),
      flaws: list(
        fields<Flaw>({
          cveId: text,
          severity: text,
          fixedIn: text,
          description: text,
          reportDate: text,
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
      id: text,
      type: oneOf(...Object.keys(EFFECTS)),
      userName: text,
      createdAt: time,
      vanished: flag,
      unknownUntil: optional(time),
      deviceTasks: list(DEVICE_TASK),
    }),
  ),
  events: list(
    fields<WorldEvent>({ due: time, sequence: whole, taskId: text, deviceTaskId: text }),
  ),
  busy: (value, place) => anObject(value, place) ?? texts(Object.values(Object(value)), place),
});

/** Finds two items with one ID, or an item at a site that does not exist. */
function strangerIn({
  sites,
  sources,
  devices,
  discovered,
  tasks,
}: WorldState): string | undefined {
  const everybody = [...devices, ...discovered.map(({ device }) => device)];
  for (const [name, items] of Object.entries({ sites, sources, devices, tasks })) {
    const seen = new Set<unknown>();
    for (const [index, { id }] of items.entries()) {
      if (seen.has(id)) return `${name}[${index}].id is there twice`;
      seen.add(id);
    }
  }
  const places = new Set(sites.map(({ id }) => id));
  const homeless = everybody.findIndex(({ siteId }) => !places.has(siteId));
  if (homeless < 0) return undefined;
  const isManaged = homeless < devices.length;
  const index = isManaged ? homeless : homeless - devices.length;
  return `${isManaged ? `devices[${index}]` : `discovered[${index}].device`}.siteId names no site`;
}

function expect(wanted: string, holds: (value: unknown) => boolean): Rule {
  return (value, place) => {
    if (holds(value)) return undefined;
    return value === undefined
      ? `${place} is missing; it must be ${wanted}`
      : `${place} must be ${wanted}`;
  };
}

function oneOf(...words: readonly unknown[]): Rule {
  return expect(words.length === 1 ? String(words[0]) : `one of ${words.join(', ')}`, (value) =>
    words.includes(value),
  );
}

function optional(rule: Rule): Rule {
  return (value, place) => (value === undefined ? undefined : rule(value, place));
}

function nullable(rule: Rule): Rule {
  return (value, place) => (value === null ? undefined : rule(value, place));
}

function list(rule: Rule): Rule {
  const aList = expect('a list', Array.isArray);
  return (value, place) => {
    const wrong = aList(value, place);
    if (wrong !== undefined || !Array.isArray(value)) return wrong;
    for (const [index, item] of value.entries()) {
      const flaw = rule(item, `${place}[${index}]`);
      if (flaw !== undefined) return flaw;
    }
    return undefined;
  };
}

function fields<T>(rules: RulesOf<T>): Rule {
  return (value, place) => {
    if (!isObject(value)) return anObject(value, place || 'the world');
    for (const [key, rule] of Object.entries<Rule>(rules)) {
      const flaw = rule(value[key], place === '' ? key : `${place}.${key}`);
      if (flaw !== undefined) return flaw;
    }
    return undefined;
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
