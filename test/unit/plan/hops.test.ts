import { assert, boolean, constant, integer, oneof, option, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { loadTexts } from '../../../src/config/load.ts';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import { parseInstant, type Instant } from '../../../src/lib/time.ts';
import { plan, type PlannerInput } from '../../../src/plan/plan.ts';
import { aDevice, aMemory, anIntent, aSnapshot } from '../../support/plan-fleet.ts';
import { INPUTS } from '../../support/plan-change.ts';

const MINUTE = 60_000;
const MIDNIGHT = parseInstant('2026-11-18T00:00:00Z') ?? Number.NaN;

/** Minutes, but for `hops` and `devices`. */
interface Given {
  readonly from: number;
  readonly length: number;
  readonly cutoff: 'auto' | number;
  readonly hops: number;
  readonly forbid: boolean;
  /** What such an upgrade took before; null: nothing is known of it. */
  readonly took: number | null;
  readonly devices?: number;
}

/** Cameras with so many hops to go, and a window of that length every day, planned at an instant. */
function planned(given: Given, now: Instant) {
  const { hops, took, devices = 1 } = given;
  const { documents } = loadTexts([{ path: 'fleet/fleet.yaml', text: documentsOf(given) }]);
  if (!documents) throw new Error(JSON.stringify(given));
  const ids = Array.from({ length: devices }, (_, n) => `cam-${n}`);
  const rows = ids.map((id) => aDevice(id, { lastSeen: now - MINUTE, firmwareVersion: '9.80.1' }));
  const path = [...Array.from({ length: hops - 1 }, (_, n) => `10.${n}`), '11.11.73'];
  const past = { target: '9.80.1', attemptedAt: 0, settledAt: 1 };
  const memory = took === null ? [] : [anIntent('cam-0', { ...past, seconds: took * 60 })];
  const input: PlannerInput = {
    documents,
    snapshot: {
      ...aSnapshot(rows, { takenAt: now }),
      facts: () => ({ targetFirmware: [{ version: '11.11.73', hops: path }] }),
    },
    memory: aMemory(memory),
    now,
    dialect: resolveDialect(),
    inputs: INPUTS,
    expiresAfter: 1,
  };
  return plan(input);
}

function documentsOf({ from, length, cutoff, forbid }: Given): string {
  const span = `{from: "${clock(from)}", to: "${clock(from + length)}"}`;
  const rest = forbid ? 'forbid' : 'allow';
  return `service: {baseUrl: https://api.example.com, organization: acme}
rollouts: {one: {canary: none, waves: [{name: all, percent: 100%}]}}
windows: {w: {timeZone: UTC, allow: [${span}], cutoff: ${cutoff === 'auto' ? cutoff : `${cutoff}m`}}}
firmware: {lts: {select: {vendor: Axis}, version: "11.11.73", rollout: one, windows: w, restAtIntermediate: ${rest}}}
`;
}

function clock(minutes: number): string {
  const inDay = minutes % 1_440;
  return [Math.floor(inDay / 60), inDay % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** The rule in other words: counted in minutes since the window opened. */
function mayStart(given: Given, minute: number): boolean {
  const { from, length, cutoff, hops, forbid, took } = given;
  const since = (minute - from + 2 * 1_440) % 1_440;
  const each = took ?? 60;
  const ending = cutoff === 'auto' ? each : cutoff;
  if (!forbid || hops === 1) return since < length - ending;
  const lastHop = since + (hops - 1) * (each + 30);
  return lastHop < length - ending && lastHop + each < length;
}

const given = record({
  from: integer({ min: 0, max: 1_439 }),
  length: integer({ min: 1, max: 1_439 }),
  cutoff: oneof(constant('auto' as const), integer({ min: 0, max: 240 })),
  hops: integer({ min: 1, max: 4 }),
  forbid: boolean(),
  took: option(integer({ min: 1, max: 180 })),
});

test('law: no start outside [open, lastStart), whatever windows, cutoff and hops; what waits may start then', () => {
  assert(
    property(given, integer({ min: 0, max: 1_439 }), (one, minute) => {
      const decide = (now: Instant) => [...planned(one, now).plan.changes][0];
      const change = decide(MIDNIGHT + minute * MINUTE);
      if (change?.reason.code === 'refused') {
        expect(mayStart(one, minute)).toBe(false);
        return;
      }
      expect(change?.action).toBe(mayStart(one, minute) ? 'run' : 'wait');
      const next = change?.reason.next;
      if (typeof next !== 'number') return;
      expect(decide(next)?.action).toBe('run');
      expect(decide(next - 1)?.action).toBe('wait');
    }),
    { numRuns: 60, endOnFailure: true },
  );
});

const SHORT: Given = { from: 60, length: 240, cutoff: 'auto', hops: 4, forbid: true, took: null };

test('where no window ever holds all hops a finding says for how many devices of which policy', () => {
  const found = (more: Partial<Given>, minute = 0) =>
    planned({ ...SHORT, ...more }, MIDNIGHT + minute * MINUTE).diagnostics.map(
      ({ severity, code, params }) => `${severity} ${code} ${JSON.stringify(params)}`,
    );
  expect(found({ devices: 3 })).toEqual([
    `warning cutoffTooLong ${JSON.stringify({
      policy: 'firmware.lts',
      windows: 'w',
      open: '2026-11-18T01:00:00Z',
      length: '4h',
      hops: 4,
      room: '330m',
      count: 3,
      device: 'cam-0',
      refuses: 'firmware.lts',
    })}`,
  ]);
  expect(found({ hops: 3 })).toHaveLength(1);
  expect(found({ hops: 3 }, SHORT.from + 1)).toHaveLength(1);
  expect(found({ hops: 2 })).toEqual([]);
  expect(found({ forbid: false })).toEqual([]);
});
