import { describe, expect, it } from 'vitest';
import { forecastPlan } from '../../../../src/operations/rehearse/forecast-plan.ts';
import type { LedgerRecord } from '../../../../src/model/ledger/record.ts';
import type { PlanPart } from '../../../../src/model/plan/part.ts';
import type { Shell } from '../../../../src/shell/shell.ts';
import { FROM, rehearsalInput, snapshotOf } from '../../../support/rehearsed.ts';

const WITHIN = 60_000;

const DOCUMENTS = `service: {baseUrl: 'https://service.test', organization: acme}
firmware:
  bullets: {select: {vendor: Axis}, version: 11.11.73, windows: nights}
windows: {nights: {timeZone: UTC, allow: [{days: mon-sun, from: "01:00", to: "05:00"}]}}
guardrails: {default: {maxPercentOfFleet: 100%}}
`;

const CAMERA = {
  vendor: 'Axis',
  model: 'P1448-LE',
  firmwareVersion: '11.8.61',
  deviceType: 'camera',
  site: 'Lyon',
  targets: [['11.11.73']],
};

function madeFrom(count = 1) {
  const { documents, snapshot, memory } = rehearsalInput(
    DOCUMENTS,
    snapshotOf([{ ...CAMERA, count }]),
  );
  return { documents, snapshot, memory, records: [], plan: {}, from: FROM };
}

/** A shell whose clock gains `gains` milliseconds each time it is looked at. */
function shellWith(gains = 0): Shell {
  let now = FROM;
  return {
    cwd: '/',
    env: {},
    clock: { now: () => (now += gains) },
    stop: { requested: 'no' },
  } as unknown as Shell;
}

describe('the forecast of a plan', () => {
  it('has the end of each policy from a rehearsal of five courses', async () => {
    const forecast = await forecastPlan(shellWith(), madeFrom(), WITHIN);
    expect(forecast).toMatchObject({
      is: 'rehearsed',
      courses: 5,
      until: '2026-12-07T20:00:00Z',
      policies: [{ policy: 'firmware.bullets', devices: 1, done: 1, late: 0, blocked: 0 }],
    });
  });

  it('is left out where it takes too long, and says how long it might take', async () => {
    const forecast = await forecastPlan(shellWith(WITHIN), madeFrom(), WITHIN);
    expect(forecast).toEqual({ is: 'leftOut', why: 'tooSlow', limit: 60 });
  });

  it('is left out of a fleet whose runs could not be ended in time', async () => {
    const forecast = await forecastPlan(shellWith(), madeFrom(10_001), WITHIN);
    expect(forecast).toEqual({ is: 'leftOut', why: 'tooLarge', limit: 10_000 });
  });

  it('is left out of a plan of a part', async () => {
    const plan = { part: {} as PlanPart };
    const forecast = await forecastPlan(shellWith(), { ...madeFrom(), plan }, WITHIN);
    expect(forecast).toEqual({ is: 'leftOut', why: 'part' });
  });

  it('is left out where the rehearsal fails, which throws nothing', async () => {
    const made = madeFrom();
    const records = [null] as unknown as readonly LedgerRecord[];
    const forecast = await forecastPlan(shellWith(), { ...made, records }, WITHIN);
    expect(forecast).toEqual({ is: 'leftOut', why: 'failed' });
  });
});
