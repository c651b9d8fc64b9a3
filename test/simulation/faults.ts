import type { FaultRule } from '../../src/twin/faults/fault.ts';
import { chanceOf, type Chance } from './chance.ts';
import type { Feature } from './features.ts';

/** The fault script of a seed: some of every class that it has, on some paths, by share. */
export function faultsOf(
  seed: number,
  has: ReadonlySet<Feature>,
  devices: readonly string[],
): readonly FaultRule[] {
  return Object.entries(CLASSES).flatMap(([feature, make]) =>
    has.has(feature as Feature) ? make(chanceOf(seed, `fault ${feature}`), devices) : [],
  );
}

type Make = (chance: Chance, devices: readonly string[]) => readonly FaultRule[];

/** A fault of requests: now and then everywhere, and more often where a task is asked for. */
const request =
  (
    type: '401' | '500' | 'html' | 'truncated' | 'lostAnswer' | 'lostRequest',
    posts: number,
  ): Make =>
  (chance) => [
    { match: { share: chance.magnitude(1, 20) / 2_000 }, fault: { type } },
    {
      match: { method: 'POST', path: '/v1/tasks', share: posts * chance.next() },
      fault: { type },
    },
  ];

/** A fault of device tasks: a share of them, or all of one device. */
const task =
  (fault: FaultRule['fault'], share: number): Make =>
  (chance, devices) => [
    { match: { share: share * chance.next() }, fault },
    { match: { deviceId: chance.pick(devices), share: 0.5 }, fault },
  ];

/**
 * By class. A complete refusal means that nothing ran (protocol A6); any other status may
 * hide that the work was done.
 */
const CLASSES: Partial<Record<Feature, Make>> = {
  latency: (chance) => [
    { match: { share: 0.1 }, fault: { type: 'latency', ms: chance.magnitude(100, 6_000) } },
    { match: { path: '/v1/tasks', share: 0.15 }, fault: { type: 'latency', ms: 70_000 } },
  ],
  tooManyRequests: (chance) => [
    { match: { share: 0.02 }, fault: { type: '429', retryAfter: chance.int(1, 90) } },
    { match: { path: '/v1/tasks', share: 0.2 }, fault: { type: '429' } },
  ],
  serverErrors: (chance, devices) => [
    ...request('500', 0.4)(chance, devices),
    {
      match: { endpoint: 'createTask', share: 0.3 * chance.next() },
      fault: { type: 'answer', status: chance.pick([500, 502, 504]), effect: true },
    },
  ],
  htmlAnswers: request('html', 0.2),
  cutAnswers: request('truncated', 0.4),
  lostAnswers: request('lostAnswer', 0.6),
  lostRequests: request('lostRequest', 0.6),
  unauthorized: request('401', 0.7),
  failingDevices: (chance, devices) => [
    ...task({ type: 'failingDevice', result: 'failed' }, 0.5)(chance, devices),
    ...task({ type: 'failingDevice', result: 'rolledBack' }, 0.3)(chance, devices),
    ...task({ type: 'failingDevice', result: 'aborted' }, 0.2)(chance, devices),
  ],
  stuckTasks: task({ type: 'stuckTask' }, 0.25),
  vanishedTasks: task({ type: 'vanishedTask' }, 0.2),
  liars: task({ type: 'liar' }, 0.3),
  falseFailures: task({ type: 'failingDevice', result: 'failed', effect: true }, 0.3),
  unknownTasks: task({ type: 'unknownTask', ms: 60_000 }, 0.3),
  // A result, or a status, that the interface does not know.
  unknownWords: (chance) => [
    {
      match: { endpoint: 'getTask', share: 0.8 * chance.next() },
      fault: { type: 'word', field: chance.pick(['result', 'status']), value: 'perhaps' },
    },
  ],
  lateExecutions: (chance) => [
    {
      match: { endpoint: 'createTask', share: 0.3 },
      fault: {
        type: 'lateExecution',
        ms: chance.int(1_000, 15 * 60_000),
        answer: chance.pick(['now', 'lost', 'lost'] as const),
      },
    },
  ],
  acceptedTwice: () => [
    { match: { endpoint: 'createTask', share: 0.2 }, fault: { type: 'acceptedTwice' } },
  ],
  staleReads: (chance) => [
    {
      match: { endpoint: 'getDevice', share: 0.2 },
      fault: { type: 'stale', versions: chance.pick([1, 2, 3] as const) },
    },
  ],
  churn: (chance) => [
    {
      match: { endpoint: 'listDevices', share: 0.05 },
      fault: {
        type: 'churn',
        change: chance.pick(['insert', 'reorder'] as const),
        list: 'devices',
        rows: 1,
      },
    },
  ],
  wrongPages: (chance) => [
    {
      match: { endpoint: 'listDevices', share: 0.03 },
      fault: chance.pick([
        { type: 'total', by: 1 },
        { type: 'page', by: -1 },
        { type: 'rows', change: 'drop', count: 1, keepTotal: true },
        { type: 'rows', change: 'repeat', count: 1 },
      ] as const),
    },
  ],
  ignoredFilters: (chance) => [
    {
      match: { endpoint: 'listDevices', share: 0.1 * chance.next() },
      fault: { type: 'filterIgnored' },
    },
  ],
  // A life of tokens that nobody can believe; they live for an hour all the same.
  strangeTokens: (chance) => [
    {
      match: { endpoint: 'createToken' },
      fault: { type: 'word', field: 'expires_in', value: chance.pick([0, -60, 1e9, 'soon']) },
    },
  ],
  // Lists span pages in a small fleet too, and may be torn between two of them; so may a task.
  smallPages: (chance) => [
    ...(['listDevices', 'listDiscoveredDevices'] as const).map((endpoint) => ({
      match: { endpoint },
      fault: { type: 'page' as const, by: chance.int(7, 12) - 1_000 },
    })),
    { match: { endpoint: 'getTask' }, fault: { type: 'page', by: chance.int(1, 3) - 1_000 } },
  ],
  forgedAnswers: (chance) => [
    {
      match: { endpoint: 'createTask', share: 0.2 },
      fault: { type: 'answer', status: chance.pick([400, 403, 404, 422]), body: {} },
    },
    {
      match: { endpoint: 'createTask', share: 0.2 },
      fault: {
        type: 'answer',
        status: chance.pick([200, 204, 301, 408, 503]),
        effect: chance.is(0.5),
      },
    },
    {
      match: { endpoint: 'createTask', share: 0.15 },
      fault: { type: 'answer', status: 409, effect: chance.is(0.5) },
    },
  ],
};
