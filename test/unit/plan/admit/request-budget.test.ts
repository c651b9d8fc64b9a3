import { describe, expect, it } from 'vitest';
import { loadTexts } from '../../../../src/config/load.ts';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';
import type { Reason } from '../../../../src/model/plan/reason.ts';
import { parseInstant, type Instant } from '../../../../src/lib/time.ts';
import { plan } from '../../../../src/plan/plan.ts';
import { INPUTS } from '../../../support/plan-change.ts';
import { aDevice, aMemory, aSnapshot } from '../../../support/plan-fleet.ts';

const NIGHTS = 'nights: {timeZone: UTC, cutoff: 1h, allow: [{from: "01:00", to: "05:00"}]}';
const LONG_ON_SUNDAY =
  'nights: {timeZone: UTC, cutoff: 10m, allow: [{days: mon-sat, from: "01:00", to: "02:00"}, {days: [sun], from: "01:00", to: "05:00"}]}';

interface Given {
  readonly at: string;
  readonly windows?: string;
  readonly perSecond?: number;
  readonly firmware?: string;
  readonly hops?: readonly string[];
}

/** Why the one camera of a fleet runs or waits. */
function reasonOf(given: Given): Reason | undefined {
  const { at, windows = NIGHTS, perSecond = 1, firmware = 'windows: nights' } = given;
  const { hops = ['11.11.73'] } = given;
  const text = [
    `service: {baseUrl: https://api.example.com, organization: acme, pace: {requestsPerSecond: ${perSecond}}}`,
    'rollouts: {one: {canary: none, waves: [{name: all, percent: 100%}], timeouts: {running: {upgradeFirmware: 10m}}}}',
    `windows: {${windows}}`,
    `firmware: {lts: {select: {vendor: Axis}, version: "11.11.73", rollout: one, ${firmware}}}`,
  ].join('\n');
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/fleet.yaml', text }]);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  const facts = { targetFirmware: [{ version: '11.11.73', hops }] };
  const { changes } = plan({
    documents,
    snapshot: aSnapshot([aDevice('cam-1', { lastSeen: instant(at) - 60_000 })], {
      takenAt: instant(at),
      facts: () => facts,
    }),
    memory: aMemory(),
    now: instant(at),
    dialect: resolveDialect(),
    inputs: INPUTS,
    expiresAfter: 1,
  }).plan;
  return [...changes][0]?.reason;
}

function instant(text: string): Instant {
  const at = parseInstant(text);
  if (at === undefined) throw new Error(text);
  return at;
}

describe('the turn of a change', () => {
  it('comes before the last start by one millisecond, or waits for the next window', () => {
    expect(reasonOf({ at: '2026-11-19T03:59:55.999Z' })?.code).toBe('act');
    expect(reasonOf({ at: '2026-11-19T03:59:56Z' })).toEqual({
      code: 'apiBudget',
      next: instant('2026-11-20T01:00:00Z'),
      params: { requests: 5, perSecond: 1, window: 'nights' },
    });
  });

  it('comes the sooner the more requests a second the service allows', () => {
    expect(reasonOf({ at: '2026-11-19T03:59:57Z', perSecond: 2 })?.code).toBe('act');
  });

  it('waits for a window that holds all of its hops', () => {
    const firmware = 'restAtIntermediate: forbid, windows: nights';
    const hops = ['11.9.1', '11.11.73'];
    const late = { windows: LONG_ON_SUNDAY, firmware, hops };
    expect(reasonOf({ ...late, at: '2026-11-22T04:09:58Z' })).toMatchObject({
      code: 'apiBudget',
      next: instant('2026-11-23T01:00:00Z'),
    });
    const longer = firmware.replace('restAt', 'path: auto, restAt');
    const slow = { ...late, firmware: longer, hops: ['11.9.1', '11.10.1', '11.11.73'] };
    expect(reasonOf({ ...slow, at: '2026-11-22T03:29:58Z' })).toMatchObject({
      code: 'apiBudget',
      next: instant('2026-11-29T01:00:00Z'),
    });
  });

  it('never comes at a pace at which the first read is too old by the last', () => {
    const anytime = { at: '2026-11-19T12:00:00Z', firmware: 'windows: anytime' };
    expect(reasonOf({ ...anytime, perSecond: 0.134 })?.code).toBe('act');
    expect(reasonOf({ ...anytime, perSecond: 0.133 })).toEqual({
      code: 'apiBudget',
      next: 'never',
      params: { requests: 5, perSecond: 0.133 },
    });
  });
});
