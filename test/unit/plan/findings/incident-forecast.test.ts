import { expect, test } from 'vitest';
import type { Documents, IncidentPolicy } from '../../../../src/model/documents/policy.ts';
import type { IntentState } from '../../../../src/model/ledger/memory.ts';
import type { Change } from '../../../../src/model/plan/change.ts';
import { forecastIncident } from '../../../../src/plan/findings/incident-forecast.ts';
import { incidentRollout } from '../../../../src/config/meaning/rollouts.ts';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';
import {
  NOW,
  aDevice,
  aMemory,
  aRotationPolicy,
  aSnapshot,
  anIntent,
  entries,
  someDocuments,
} from '../../../support/plan-fleet.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** 667 cameras at one site of 4,000, of which 69 are away. */
const SITE = Array.from({ length: 667 }, (_, n) => aDevice(`cam-${n}`, { deviceType: 'camera' }));
const OTHERS = Array.from({ length: 3333 }, (_, n) =>
  aDevice(`other-${n}`, { sites: [{ id: 's2', name: 'Depot' }] }),
);
const SNAPSHOT = aSnapshot([...SITE, ...OTHERS]);

const POLICY: IncidentPolicy = {
  ...aRotationPolicy('x'),
  address: 'incidents.munich',
  rollout: 'incidents.munich',
  incident: {
    name: 'munich',
    since: NOW,
    until: NOW + 10 * HOUR,
    expect: 667,
    reason: '',
    owner: '',
    ticket: '',
  },
};

const CHANGES = SITE.map(({ id }, index) => ({
  policy: POLICY.address,
  device: { id },
  action: 'wait',
  reason: index < 69 ? { code: 'offline' } : { code: 'waveNotOpen' },
})) as unknown as readonly Change[];

const SPEC = incidentRollout({ value: {} } as never, 50);

/** A rotation on a device that took so long. */
function rotated(id: string, device: string, seconds: number) {
  return anIntent(device, { id, task: 'rotatePassword', seconds });
}

function forecast(
  policy: IncidentPolicy,
  {
    past = [],
    snapshot = SNAPSHOT,
    changes = CHANGES,
    budgets = new Map(),
  }: {
    readonly past?: readonly IntentState[];
    readonly snapshot?: typeof SNAPSHOT;
    readonly changes?: readonly Change[];
    readonly budgets?: Documents['budgets'];
  } = {},
) {
  return forecastIncident(policy, changes, {
    documents: someDocuments({ budgets, rollouts: entries({ 'incidents.munich': SPEC }) }),
    snapshot,
    memory: aMemory(past),
    now: NOW,
    dialect: resolveDialect({}),
    members: () => () => true,
  } as never);
}

test('N62 the worked number: 598 of 667 in about 50 minutes, 50 of 66 in flight at once', () => {
  const found = forecast(POLICY);
  expect(found).toMatchObject({ reachable: 598, left: 667, late: 0, running: 20 * MINUTE });
  // Rest: 593 at 50 in 230 s; before it the trial of 5.
  const minutes = ((found?.end ?? 0) - NOW) / MINUTE;
  expect(minutes).toBeGreaterThan(46 + 3);
  expect(minutes).toBeLessThan(46 + 6);
  // By 00:30 of 20:00 if each takes its full 20 minutes.
  expect(((found?.worst ?? 0) - NOW) / HOUR).toBeCloseTo(4.5, 0);
});

test('N62 what takes devices out of service is not reached where too many are down already', () => {
  const site = SITE.map(({ id }, n) =>
    aDevice(id, {
      deviceType: n < 169 ? 'intercom' : 'camera',
      status: n < 69 ? 'offline' : 'online',
    }),
  );
  const budget = { per: 'site', maxUnavailable: { percent: 10 }, partialIsDown: true } as const;
  const budgets = entries({ 'default-site': { ...budget, unknownIsDown: true } });
  const found = forecast(POLICY, { snapshot: aSnapshot([...site, ...OTHERS]), budgets });
  // 69 of at most 66 are down: 100 intercoms wait for them, and 498 cameras do not.
  expect(found).toMatchObject({ reachable: 498, left: 667, waiting: 100, blocked: 0 });
  expect(found?.offline).toHaveLength(69);
});

/** The changes of the worked number, some of them with another reason. */
function withReasons(of: (index: number) => object | undefined): readonly Change[] {
  return CHANGES.map((change, n) => ({ ...change, reason: of(n) ?? change.reason }) as Change);
}

test('N62 the end is not before a device that rests may start and is done', () => {
  const resting = (next: number | 'never') =>
    forecast(POLICY, {
      changes: withReasons((n) => (n === 100 ? { code: 'busy', why: 'gap', next } : undefined)),
    });
  const found = resting(NOW + 7 * HOUR);
  expect(found).toMatchObject({ reachable: 598, late: 0 });
  expect(found?.end).toBeGreaterThan(NOW + 7 * HOUR);
  expect(found?.end).toBeLessThan(NOW + 7 * HOUR + 10 * MINUTE);
  expect(found?.worst).toBeGreaterThanOrEqual(NOW + 7 * HOUR + 20 * MINUTE);
  expect(resting('never')).toMatchObject({ reachable: 597, blocked: 1 });
});

test('N66 a pause that ends in time moves the whole forecast, and one without an end blocks it', () => {
  const now = forecast(POLICY)?.end ?? 0;
  const pausedUntil = (next: number | 'never') =>
    forecast(POLICY, {
      changes: withReasons((n) => (n < 69 ? undefined : { code: 'rolloutPaused', next })),
    });
  expect(pausedUntil(NOW + 4 * HOUR)).toMatchObject({ reachable: 598, end: now + 4 * HOUR });
  expect(pausedUntil(NOW + 9.5 * HOUR)?.late).toBeGreaterThan(200);
  expect(pausedUntil('never')).toBeUndefined();
});

test('N59 a device of the trial that rests holds all behind the trial', () => {
  const resting = { code: 'busy', why: 'gap', next: NOW + HOUR };
  const changes = withReasons((n) => (n === 69 ? resting : undefined)).map((change, n) => ({
    ...change,
    wave: n >= 69 && n < 74 ? SPEC.waves[0]?.name : 'rest',
  })) as readonly Change[];
  const now = forecast(POLICY)?.end ?? 0;
  expect(forecast(POLICY, { changes })?.end).toBe(now + HOUR);
});

test('N62 devices that the service does not offer it for are left, and not reached', () => {
  const unsupported = { policy: POLICY.address, device: { id: 'cam-x' }, action: 'skip' };
  const params = { needsYou: true };
  const reason = { code: 'unsupported', why: 'taskUnavailable', params };
  const found = forecast(POLICY, {
    changes: [...CHANGES, { ...unsupported, reason } as unknown as Change],
  });
  expect(found).toMatchObject({ reachable: 598, left: 668 });
});

test('N62 the median of what tasks took counts, where the ledger has some', () => {
  expect(
    ((forecast(POLICY, { past: [rotated('one', 'other-1', 600)] })?.end ?? 0) - NOW) / MINUTE,
  ).toBeGreaterThan(120);
});

test('N62 the median of the same model counts before that of all, for the devices of that model', () => {
  const models = (model: string) => ({ deviceType: 'camera', vendor: 'Axis', model });
  const site = SITE.map(({ id }, n) => aDevice(id, models(n % 2 === 0 ? 'P32' : 'M30')));
  const quick = [60, 60, 90].map((seconds, n) => rotated(`p${n}`, 'cam-70', seconds));
  const slow = [400, 600, 900].map((seconds, n) => rotated(`m${n}`, 'cam-71', seconds));
  const none = forecast(POLICY, {
    past: [...quick, ...slow],
    snapshot: aSnapshot([...site, ...OTHERS]),
  });
  // Half of them take 60 s, half 600 s; the median of all six would be 400 s.
  const minutes = ((none?.end ?? 0) - NOW) / MINUTE;
  expect(minutes).toBeGreaterThan((593 / 50) * ((330 + 50) / 60));
  expect(minutes).toBeLessThan((593 / 50) * ((330 + 50) / 60) + 9);
  const known = forecast(POLICY, { past: quick, snapshot: aSnapshot([...site, ...OTHERS]) });
  expect(known?.end ?? 0).toBeLessThan(none?.end ?? 0);
});

test('N62 quick tasks wait for requests: two of one family for each device at one a second', () => {
  const quick = [20, 20, 20].map((seconds, n) => rotated(`p${n}`, `other-${n}`, seconds));
  const minutes = ((forecast(POLICY, { past: quick })?.end ?? 0) - NOW) / MINUTE;
  // 50 in flight for 70 s each would be done in 14 min.
  expect(minutes).toBeGreaterThan((593 * 2) / 60);
  expect(minutes).toBeLessThan((593 * 2) / 60 + 3);
});

test('N62 what does not fit before the end is counted', () => {
  const short = { ...POLICY, incident: { ...POLICY.incident, until: NOW + 30 * MINUTE } };
  const late = forecast(short)?.late ?? 0;
  expect(late).toBeGreaterThan(200);
  expect(late).toBeLessThan(350);
});

test('N62 an incident that is over has no forecast', () => {
  expect(forecast({ ...POLICY, incident: { ...POLICY.incident, until: NOW } })).toBeUndefined();
});
