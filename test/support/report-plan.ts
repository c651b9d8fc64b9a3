import type { Change, ChangeGroup } from '../../src/model/plan/change.ts';
import type { FrozenDates, PlanHours } from '../../src/model/plan/plan.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import type { Reason } from '../../src/model/plan/reason.ts';
import { formatInstant } from '../../src/lib/time.ts';
import { hostileNames } from './hostile.ts';
import { change, NOW, planOf } from './render-plan.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const MONDAY = Date.parse('2026-11-24T00:00:00Z');
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Europe/London'];
const CITIES = ['Berlin', 'Lyon', 'Oslo', 'Boston', 'Tokyo', 'Leeds'];
const MODELS = [
  ['Axis', 'P3265-LVE'],
  ['Axis', 'M3086-V'],
  ['Bosch', 'FLEXIDOME 5100i'],
  ['2N', 'IP Verso 2'],
] as const;
const AT = [
  { policy: 'firmware.axis-p32', file: 'fleet/cameras.yaml', line: 14, column: 3 },
  { policy: 'rotations.camera-passwords', file: 'fleet/rotations.yaml', line: 9, column: 3 },
] as const;
const REASONS: readonly (Pick<Change, 'action'> & { readonly reason: Reason })[] = [
  { action: 'run', reason: { code: 'act', why: 'versionDiffers' } },
  { action: 'run', reason: { code: 'act', why: 'versionDiffers' } },
  {
    action: 'wait',
    reason: { code: 'windowClosed', next: MONDAY, params: { window: 'weeknights' } },
  },
  { action: 'wait', reason: { code: 'waveNotOpen', params: { wave: 'rest' } } },
  { action: 'wait', reason: { code: 'offline', since: NOW - 19 * DAY } },
  { action: 'skip', reason: { code: 'unsupported', why: 'noTargetFirmware', next: 'never' } },
];
const GROUPS: readonly ChangeGroup[] = ['branch', 'branch', 'branch', 'pending', 'clock'];
const WAVES = ['canary', 'early', 'rest'];

/** A plan of so many changes over two tasks, four time zones and every kind of reason, with a base. */
export function reportPlan(length: number): Plan {
  const sites = Math.max(4, Math.ceil(length / 180));
  const changes = {
    length,
    *[Symbol.iterator]() {
      for (let n = 0; n < length; n++) yield changeAt(n, sites, length);
    },
  };
  const counts = { run: 0, wait: 0, skip: 0, note: 0 };
  const groups = { branch: 0, pending: 0, clock: 0, dropped: 0 };
  for (const { action, group } of changes) {
    counts[action] += 1;
    if (group) groups[group] += 1;
  }
  const [cameras, passwords] = AT;
  return {
    ...planOf([]),
    changes,
    counts,
    dates: [
      {
        policy: cameras.policy,
        frozen: [reportFreeze(length)],
        waves: [
          {
            name: 'canary',
            changes: 5,
            starts: '2026-11-20T13:00:00Z',
            ends: '2026-11-20T14:00:00Z',
          },
        ],
      },
    ],
    waves: [
      { policy: cameras.policy, name: 'canary', changes: 5, soak: '24h' },
      { policy: cameras.policy, name: 'early', changes: 60, soak: '48h', after: 'canary' },
      { policy: cameras.policy, name: 'rest', changes: 900, after: 'early' },
    ],
    verdicts: [
      {
        guardrail: 'default',
        limit: 'maxPercentOfFleet',
        value: 30,
        number: length,
        of: length,
        allowed: 30,
        passed: false,
      },
      {
        guardrail: 'default',
        limit: 'maxChanges',
        value: 30,
        number: length,
        allowed: 2_000,
        passed: true,
      },
    ],
    hours: reportHours(length),
    base: {
      ref: 'main',
      commit: '9f'.repeat(20),
      counts: { ...groups, dropped: groups.dropped + 3 },
      gone: [
        {
          task: 'restartDevice',
          at: { policy: 'restarts.gone-dark', file: 'fleet/restarts.yaml', line: 3, column: 3 },
          cause: 'detection',
          reason: { code: 'notSelected' },
          count: 3,
          devices: [
            { id: 'dev-7', name: 'gate-cam-7', site: 'Berlin 0' },
            { id: 'dev-8', name: 'gate-cam-8', site: 'Berlin 0' },
          ],
        },
      ],
    },
    origins: [
      {
        ...cameras,
        is: 'commit',
        commit: '1a'.repeat(20),
        author: 'Ada Lovelace',
        subject: 'Move the P32 cameras',
        at: formatInstant(NOW - 9 * DAY),
      },
      { ...passwords, is: 'notCommitted' },
    ],
  };
}

/** Four hours on three nights of two weeks in each zone; in one of them those of a week are missing. */
function reportHours(length: number): PlanHours {
  const windows = ZONES.map((zone, n) => ({
    name: 'weeknights',
    zone,
    changes: Math.floor(length / ZONES.length),
    spans: [0, 1, 2, 7, 8, 9]
      .filter((day) => n !== 1 || day > 6)
      .map((day) => ({
        opens: iso(MONDAY + n * HOUR + day * DAY),
        closes: iso(MONDAY + (n + 4) * HOUR + day * DAY),
      })),
  }));
  return { until: iso(NOW + 14 * DAY), windows };
}

/** A freeze of a week in that zone. */
function reportFreeze(length: number): FrozenDates {
  return {
    freeze: 'black-week',
    hard: false,
    reason: 'black week',
    owner: 'secops',
    ticket: 'CHG-1234',
    at: { file: 'fleet/freezes.yaml', line: 2, column: 3 },
    changes: Math.floor(length / 4),
    zone: ZONES[1] ?? 'UTC',
    opens: iso(MONDAY - DAY),
    closes: iso(MONDAY + 6 * DAY),
  };
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}

function changeAt(n: number, sites: number, length: number): Change {
  const site = n % sites;
  const [vendor, model] = MODELS[n % MODELS.length] ?? MODELS[0];
  const { action, reason } = REASONS[(n * 7) % REASONS.length] ?? {
    action: 'run',
    reason: { code: 'act' },
  };
  const rotates = n % 5 === 3;
  const [cameras, passwords] = AT;
  const group = action === 'skip' && n % 4 === 1 ? 'dropped' : (GROUPS[(n * 11) % 5] ?? 'branch');
  const wave = WAVES[Math.min(2, Math.floor((n / length) * 4))] ?? 'rest';
  const zone = ZONES[site % ZONES.length] ?? 'UTC';
  const opens = new Date(MONDAY + (site % 4) * 3_600_000).toISOString();
  return change(
    {
      id: `dev-${100_000 + n}`,
      name: `lobby-cam-${n}`,
      site: `${CITIES[site % 6]} ${site}`,
      vendor,
      model,
    },
    {
      action,
      reason,
      group,
      wave,
      cause: action === 'run' ? 'config' : 'clock',
      window: { name: 'weeknights', zone, ...(action === 'wait' && { opens }) },
      ...(rotates
        ? {
            task: 'rotatePassword',
            at: passwords,
            risk: 'low',
            before: {
              passwordChangedAt: new Date(NOW - (190 + (n % 99)) * DAY - n * 1_000).toISOString(),
            },
            after: { passwordChangedAt: 'after this rotation' },
          }
        : { at: cameras, risk: 'high' }),
      ...(n % 50 === 0 && { losers: [passwords] }),
    },
  );
}

/** A plan in which every name is hostile: devices, sites, models, waves, policies and files. */
export function hostilePlan(count: number): Plan {
  const names = hostileNames(count);
  const changes = names.map((name, n) =>
    change(
      { id: `dev-${n}`, name, site: names[(n * 7) % 60] ?? '', vendor: name, model: name },
      {
        before: { firmwareVersion: name },
        wave: names[n % 50] ?? '',
        at: { policy: `firmware.${names[n % 40]}`, file: `${name}.yaml`, line: 1, column: 1 },
      },
    ),
  );
  return planOf(changes);
}
