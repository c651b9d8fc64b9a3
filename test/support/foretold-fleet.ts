import { expect } from 'vitest';
import { parseInstant, type Instant, type Milliseconds } from '../../src/lib/time.ts';
import { resolveDialect } from '../../src/model/fleet/dialect.ts';
import type { PlanDates } from '../../src/model/plan/plan.ts';
import { runRehearsal } from '../../src/operations/rehearse/run-rehearsal.ts';
import { plan } from '../../src/plan/plan.ts';
import { FROM, rehearsalInput, snapshotOf } from './rehearsed.ts';

const HOUR: Milliseconds = 3_600_000;
const DAY = 24 * HOUR;
/** The freeze of a fleet, which lies between two windows. */
const FROZEN = 3 * DAY;

/** The time from one window to the end of the next. */
const WINDOWS = {
  anytime: { text: 'anytime', next: DAY },
  nights: { text: 'nights', next: DAY + 4 * HOUR },
  weekends: { text: 'weekends', next: 7 * DAY + 3 * HOUR },
} as const;

/** What a plan says of a policy, and what becomes of it in virtual time. */
export interface Course {
  readonly about: string;
  readonly dates: PlanDates | undefined;
  readonly isBlocked: boolean;
  readonly ends: Instant | undefined;
  /** When the last device was verified. */
  readonly ended: Instant | undefined;
  /** Changes that are left at the end. */
  readonly left: number;
  /** Changes of devices that are down. */
  readonly down: number;
  readonly next: Milliseconds;
}

const ANYTIME = 'select: {vendor: Axis}, windows: anytime';
const INCIDENT = `incidents:
  leak: {rotate: password, select: {vendor: Axis}, since: "2026-11-23T20:00:00Z", until: "2026-11-25T20:00:00Z",
         expect: 200, reason: r, owner: o, ticket: T-1}`;
const UPGRADE = `firmware: {axis: {${ANYTIME}, version: "11.11.160"}}`;
const ROTATION = `rotations: {words: {task: rotatePassword, ${ANYTIME}, maxAge: 30d, headStart: 0s, spread: 0s}}`;

/** As many at once as the pace lets, so many a task. */
const batchesOf = (batch: number): string => `guardrails: {default: {maxPercentOfFleet: 100%}}
budgets: {default-fleet: {per: fleet, maxInFlight: 500}, default-site: {per: site, maxUnavailable: 100%}}
rollouts: {default: {canary: none, batch: ${batch}, maxInFlight: 500, waves: [{name: all, percent: 100%}]}}`;

/** What a plan foretells the end of: so many cameras, the pace, and the other documents; the first are quick. */
export const FORETOLD: readonly (readonly [
  about: string,
  count: number,
  pace: string,
  text: string,
])[] = [
  ['an incident of 50', 50, '', INCIDENT],
  ['an incident that is polled each 5 minutes', 50, 'pollEvery: 5m', INCIDENT],
  ['passwords, 100 a task', 100, '', `${ROTATION}\n${batchesOf(100)}`],
  ['an incident of 150, which waits for devices in flight', 150, '', INCIDENT],
  ['the same at 10 requests a second', 150, 'requestsPerSecond: 10', INCIDENT],
  ['passwords, one a task', 50, '', `${ROTATION}\n${batchesOf(1)}`],
  ['passwords, 10 a task', 100, '', `${ROTATION}\n${batchesOf(10)}`],
  ['upgrades, one a task', 50, '', `${UPGRADE}\n${batchesOf(1)}`],
  ['upgrades, 100 a task', 100, '', `${UPGRADE}\n${batchesOf(100)}`],
  ['upgrades and passwords', 40, '', `${UPGRADE}\n${ROTATION}\n${batchesOf(10)}`],
];

/** Whether all are done, and whether that takes about as long as foretold. */
export const AS_FORETOLD = { areDone: true, isAbout: true, took: expect.any(Number) as number };

/** How long the changes of some documents take in virtual time, and whether their plan says so. */
export async function foretell(
  _about: string,
  count: number,
  pace: string,
  text: string,
): Promise<typeof AS_FORETOLD> {
  const service = `service: {baseUrl: "https://service.test", organization: acme, pace: {${pace}}}`;
  const kind = { ...CAMERA, count, site: 'Lab', targets: [['11.11.160']] };
  const input = rehearsalInput(`${service}\n${text}`, snapshotOf([kind]));
  const ends = datesOf(input).map(({ ends: end = '' }) => parseInstant(end) ?? Number.NaN);
  const { policies } = await runRehearsal({ ...input, until: FROM + 2 * DAY });
  const ended = policies.map(({ finish }) => finish?.p50 ?? Number.NaN);
  const took = (Math.max(...ended) - FROM) / (Math.max(...ends) - FROM);
  const areDone = policies.every(({ done }) => done === count);
  return { areDone, isAbout: took > 0.75 && took < 1.25, took };
}

/** What a plan of what is rehearsed says about its policies. */
function datesOf({
  documents,
  snapshot,
  memory,
}: ReturnType<typeof rehearsalInput>): readonly PlanDates[] {
  const dialect = resolveDialect(documents.service.value.dialect);
  const inputs = { service: { fingerprint: 'f' }, snapshot: {} } as never;
  const given = { documents, snapshot, memory, now: FROM, dialect, inputs, expiresAfter: DAY };
  return plan(given).plan.dates ?? [];
}

/** Makes a fleet with an upgrade, and perhaps a rotation and a freeze, from a seed, plans it, and applies it in virtual time. */
export async function takeCourses(seed: number): Promise<readonly Course[]> {
  const { text, kinds, addresses, next, down, about } = draw(seed);
  const input = rehearsalInput(text, snapshotOf(kinds));
  const foretold = datesOf(input);
  const until =
    Math.max(FROM + 10 * DAY, ...foretold.map(({ ends = '' }) => parseInstant(ends) ?? 0)) +
    8 * DAY;
  const { policies } = await runRehearsal({ ...input, until, seed });
  return addresses.map((address) => {
    const dates = foretold.find(({ policy }) => policy === address);
    const {
      late = 0,
      blocked = 0,
      finish = {},
    } = policies.find(({ policy }) => policy === address) ?? {};
    return {
      about: `seed ${seed}, ${address}: ${about}`,
      dates,
      isBlocked: dates?.blocked !== undefined,
      ends: parseInstant(dates?.ends ?? ''),
      ended: finish.p50,
      left: late + blocked,
      down,
      next,
    };
  });
}

function draw(seed: number) {
  const next = chance(seed);
  const between = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least + 1));
  const pick = <T>(...all: readonly T[]): T => all[Math.floor(next() * all.length)] as T;
  const window = pick('anytime', 'nights', 'nights', 'weekends');
  const soak = pick('2h', '12h', '24h');
  const waves = pick(
    `{name: canary, size: ${between(1, 4)}, soak: ${soak}}, {name: rest, percent: 100%}`,
    `{name: canary, size: 2, soak: ${soak}}, {name: early, percent: 30%, soak: ${soak}}, {name: rest, percent: 100%}`,
  );
  const budget = pick('10%', '20%', '50%', '1');
  const sites = between(1, 3);
  let down = 0;
  // One path for all: the service knows one for a model and a version.
  const targets = pick([['11.11.160']], [['11.8.61', '11.11.160']]);
  const kinds = Array.from({ length: sites }, (_, at) => at + 1).flatMap((site) => {
    const away = pick(0, 0, 1, 2);
    down += away;
    const kind = { ...CAMERA, site: `Site ${site}`, siteId: String(site), targets };
    return [
      { ...kind, count: between(2, 14), status: 'online' },
      ...(away > 0 ? [{ ...kind, count: away, status: 'offline' }] : []),
    ];
  });
  const most = between(1, 10);
  const rotated = pick(undefined, undefined, 'anytime', window);
  const frozen = pick(false, false, true);
  const text = `service: {baseUrl: "https://service.test", organization: acme, pace: {requestsPerSecond: 10}}
sites: {Site 1: {timeZone: UTC}, Site 2: {timeZone: UTC}, Site 3: {timeZone: UTC}}
windows:
  nights: {timeZone: UTC, allow: [{days: mon-sun, from: "01:00", to: "05:00"}], cutoff: 1h}
  weekends: {timeZone: UTC, allow: [{days: [sat], from: "20:00", to: "23:00"}], cutoff: 1h}
rollouts: {drawn: {maxInFlight: ${most}, stopOn: {canary: 0, wave: 1}, waves: [${waves}]}}
budgets: {default-site: {per: site, maxUnavailable: ${budget}}}
firmware: {axis: {select: {vendor: Axis}, version: "11.11.160", rollout: drawn, windows: ${WINDOWS[window].text}}}
rotations: ${rotated ? `{passwords: {task: rotatePassword, select: {deviceType: camera}, ${down > 0 ? 'maxAge: 60d, headStart: 0s' : 'maxAge: 365d'}, windows: ${rotated}}}` : '{}'}
freezes: ${frozen ? '{stocktaking: {from: "2026-11-24T00:00:00", to: "2026-11-27T00:00:00", reason: stock, owner: ops, ticket: S-1}}' : '{}'}
guardrails: {default: {maxPercentOfFleet: 100%, maxChanges: 1000}}
`;
  const sizes = kinds.map(({ count, site, status }) => `${count} ${status} at ${site}`);
  const others = [
    rotated ? `passwords ${rotated}` : 'no passwords',
    frozen ? 'a freeze' : 'no freeze',
  ];
  const about = [
    window,
    ...others,
    `soak ${soak}`,
    `budget ${budget}`,
    `${most} at once`,
    waves,
    ...sizes,
  ];
  const addresses = ['firmware.axis', ...(rotated ? ['rotations.passwords'] : [])];
  const one = Math.max(WINDOWS[window].next, rotated ? WINDOWS[rotated].next : 0);
  // A task of the other policy on a wave's device begins its soak anew (semantics C7), which costs a window.
  const after = (rotated ? 2 * one : one) + (frozen ? FROZEN : 0);
  return { text, kinds, addresses, next: after, down, about: about.join('; ') } as const;
}

const CAMERA = {
  vendor: 'Axis',
  model: 'P3265-V',
  firmwareVersion: '11.5.64',
  deviceType: 'camera',
  passwordChangedAt: '2025-11-30T00:00:00Z',
};

/** Numbers from 0 to 1, the same for the same seed. */
function chance(seed: number): () => number {
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Why a forecast was not true; undefined where it was. */
export function findLie({
  isBlocked,
  ends,
  ended,
  left,
  down,
  next,
  about,
}: Course): string | undefined {
  const date = (at: Instant | undefined): string =>
    at === undefined ? 'never' : new Date(at).toISOString();
  const said = `${about}: said ${isBlocked ? 'blocked' : date(ends)}, ended ${date(ended)}, ${left} left of ${down} down`;
  if (isBlocked) return left > down ? undefined : said;
  if (ends === undefined || ended === undefined || left > down) return said;
  return Math.abs(ended - ends) <= next ? undefined : said;
}
