import { expect, test } from 'vitest';
import { loadTexts } from '../../../src/config/load.ts';
import type { Documents } from '../../../src/model/documents/policy.ts';
import type { Memory } from '../../../src/model/ledger/memory.ts';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import { parseInstant, type Instant } from '../../../src/lib/time.ts';
import { intersect } from '../../../src/plan/compare/compare.ts';
import { plan, type PlannerInput } from '../../../src/plan/plan.ts';
import { aDevice, aMemory, anIntent, aSnapshot } from '../../support/plan-fleet.ts';
import { INPUTS } from '../../support/plan-change.ts';

const HEAD = `service: {baseUrl: https://api.example.com, organization: acme, pace: {requestsPerSecond: 1000000}}
rollouts:
  one: {canary: none, waves: [{name: all, percent: 100%}]}
  nine-minutes: {canary: none, waves: [{name: all, percent: 100%}], timeouts: {running: {upgradeFirmware: 599s}}}
  ten-minutes: {canary: none, waves: [{name: all, percent: 100%}], timeouts: {running: {upgradeFirmware: 10m}}}
`;
const FIRMWARE = (windows: string): string =>
  `firmware: {lts: {select: {vendor: Axis}, version: "11.11.73", rollout: one, windows: ${windows}}}\n`;
const SITES = (zone: string): string => `sites: {HQ Berlin: {timeZone: ${zone}}}\n`;
const NIGHTS = `windows: {nights: {cutoff: 1h, allow: [{days: tue-thu, from: "01:00", to: "05:00"}]}}\n`;

function documentsOf(yaml: string): Documents {
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/fleet.yaml', text: HEAD + yaml }]);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  return documents;
}

/** One camera in Berlin that is to be upgraded, planned at an instant. */
function planned(yaml: string, at: string, memory: Memory = aMemory()) {
  const input: PlannerInput = {
    documents: documentsOf(yaml),
    snapshot: aSnapshot([aDevice('cam-1', { lastSeen: instant(at) - 60_000 })], {
      takenAt: instant(at),
    }),
    memory,
    now: instant(at),
    dialect: resolveDialect(),
    inputs: INPUTS,
    expiresAfter: 1,
  };
  const facts = { targetFirmware: [{ version: '11.11.73', hops: ['11.11.73'] }] };
  const snapshot = { ...input.snapshot, facts: () => facts };
  return { ...plan({ ...input, snapshot }), snapshot };
}

function instant(text: string): Instant {
  return parseInstant(text) ?? Number.NaN;
}

function says(yaml: string, at: string, memory?: Memory): string {
  const [change] = [...planned(yaml, at, memory).plan.changes];
  return `${change?.action} ${change?.reason.code} ${change?.window?.opens ?? ''}`.trim();
}

const BERLIN = SITES('Europe/Berlin') + NIGHTS + FIRMWARE('nights');

test.each([
  ['2026-11-18T23:59:59.999Z', 'wait windowClosed 2026-11-19T00:00:00Z'],
  ['2026-11-19T00:00:00Z', 'run act'],
  ['2026-11-19T02:59:59.999Z', 'run act'],
  ['2026-11-19T03:00:00Z', 'wait pastCutoff 2026-11-24T00:00:00Z'],
  ['2026-11-19T04:00:00Z', 'wait windowClosed 2026-11-24T00:00:00Z'],
])(
  'W10 W11 the window opens at its first instant and takes no start at its last: %s',
  (at, says_) => {
    expect(says(BERLIN, at)).toBe(says_);
  },
);

test('W16 a freeze that ends as the window opens leaves it open', () => {
  const freeze = `freezes: {f: {from: "2026-11-18T00:00:00", to: "2026-11-19T01:00:00", reason: r, owner: o, ticket: t}}\n`;
  expect(says(BERLIN + freeze, '2026-11-18T23:59:59.999Z')).toBe(
    'wait frozen 2026-11-19T00:00:00Z',
  );
  expect(says(BERLIN + freeze, '2026-11-19T00:00:00Z')).toBe('run act');
});

test('W14 a site whose zone changed makes its approved changes stale', () => {
  const at = '2026-11-19T00:00:00Z';
  const approved = planned(BERLIN, at).plan;
  const moved = planned(SITES('Europe/London') + NIGHTS + FIRMWARE('nights'), at);
  expect(intersect(approved, planned(BERLIN, at), aMemory([])).map(({ state }) => state)).toEqual([
    'same',
  ]);
  expect(intersect(approved, moved, aMemory([])).map(({ state }) => state)).toEqual(['stale']);
  expect(moved.plan.id).not.toBe(approved.id);
});

test('W23 three spellings of one window have the same plan id', () => {
  const at = '2026-11-19T00:00:00Z';
  const ids = [
    BERLIN,
    SITES('Europe/Berlin') + NIGHTS + FIRMWARE('[nights]'),
    SITES('Europe/Berlin') + NIGHTS.replace('tue-thu', '[wed, tue, thu]') + FIRMWARE('nights'),
    SITES('Europe/Berlin') +
      NIGHTS.replace('{cutoff', '{timeZone: site, cutoff') +
      FIRMWARE('nights'),
  ].map((yaml) => planned(yaml, at).plan.id);
  expect(new Set(ids).size).toBe(1);
});

test('the plan id does not move with the clock, open or closed', () => {
  const ids = ['2026-11-19T00:00:00Z', '2026-11-19T03:30:00Z', '2026-11-20T12:00:00Z'];
  expect(new Set(ids.map((at) => planned(BERLIN, at).plan.id)).size).toBe(1);
});

test('a window by its own zone asks for none of the site', () => {
  const own = NIGHTS.replace('{cutoff', '{timeZone: America/New_York, cutoff') + FIRMWARE('nights');
  expect(says(own, '2026-11-19T06:00:00Z')).toBe('run act');
  expect(says(NIGHTS + FIRMWARE('nights'), '2026-11-19T00:00:00Z')).toBe('skip siteWithoutZone');
});

const AUTO = BERLIN.replace('cutoff: 1h, ', '');
const took = (seconds: number, device = 'cam-1') =>
  aMemory([anIntent(device, { seconds, target: '11.8.61', attemptedAt: 0, settledAt: 1 })]);

test('cutoff auto goes by what such tasks took, and by the limit of its rollout before there is any', () => {
  const at = '2026-11-19T03:50:00Z';
  const next = '2026-11-24T00:00:00Z';
  expect(says(AUTO, at)).toBe(`wait pastCutoff ${next}`);
  expect(says(AUTO, at, took(599))).toBe('run act');
  expect(says(AUTO, at, took(600))).toBe(`wait pastCutoff ${next}`);
  expect(says(AUTO, at, took(1, 'a device that is gone'))).toBe(`wait pastCutoff ${next}`);
  const within = (name: string) => says(AUTO.replace('rollout: one', `rollout: ${name}`), at);
  expect(within('nine-minutes')).toBe('run act');
  expect(within('ten-minutes')).toBe(`wait pastCutoff ${next}`);
});
