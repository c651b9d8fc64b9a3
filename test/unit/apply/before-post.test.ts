import { describe, expect, it } from 'vitest';
import { basisNow, recheck } from '../../../src/apply/send/recheck.ts';
import type { Stop } from '../../../src/model/ports.ts';
import { loadTexts } from '../../../src/config/load.ts';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import type { IntentState } from '../../../src/model/ledger/memory.ts';
import { openSchedule } from '../../../src/plan/decide/schedule.ts';
import { findOutages } from '../../../src/rollout/budgets/outage.ts';
import { aRun } from '../../support/apply-run.ts';
import { candidate, FIRMWARE } from '../../support/apply-candidate.ts';
import {
  aDevice,
  aMemory,
  anIntent,
  aSnapshot,
  NOW,
  someDocuments,
} from '../../support/plan-fleet.ts';
import { runOnce } from '../../support/rehearsal.ts';
import { linesOf } from '../../support/rehearsal-summary.ts';
import {
  createWorld,
  readRehearsal,
  START,
  type Rehearsal,
} from '../../support/rehearsal-world.ts';

const MINUTE = 60_000;

/** The window of the fleet closes at 01:20, and nothing starts after 01:10. */
const FLEET = `service: {baseUrl: https://twin.test, organization: acme}
rollouts: {at-once: {canary: none, waves: [{name: all, percent: 100%}]}}
windows: {nights: {timeZone: UTC, allow: [{from: "00:00", to: "01:20"}], cutoff: 10m}}
firmware:
  axis: {select: {vendor: Axis}, version: "11.11.160", rollout: at-once, windows: nights}
`;

function closing(): Rehearsal {
  const { documents } = loadTexts([{ path: 'fleet/fleet.yaml', text: FLEET }]);
  if (!documents) throw new Error('documents with findings');
  return { ...readRehearsal('happy-batch'), documents };
}

describe('what an ATTEMPT says it is sent by', () => {
  it.each([
    ['half a minute from its first read', 5 * MINUTE, 5 * MINUTE + 30_000],
    ['the last start of its window, where that comes first', 10 * MINUTE - 15_000, 10 * MINUTE - 1],
  ])('is %s', async (_, after, expected) => {
    const rehearsal = closing();
    const world = createWorld(rehearsal.script);
    world.clock.skip(after);
    await runOnce(rehearsal, world, { process: 1 });
    const [first] = world.store.records.flatMap(({ body }) =>
      body.type === 'ATTEMPT' ? [Date.parse(body.sendBy)] : [],
    );
    expect((first ?? 0) - START).toBeGreaterThan(expected - 1_000);
    expect((first ?? 0) - START).toBeLessThanOrEqual(expected + 5_000 * Number(after < 6 * MINUTE));
  });
});

describe('a wish to stop', () => {
  it('that comes with the last read before a POST keeps it from being sent', async () => {
    const rehearsal = readRehearsal('happy-batch');
    const world = createWorld(rehearsal.script);
    const { signal } = new AbortController();
    let requested: Stop['requested'] = 'no';
    const stop: Stop = {
      get requested() {
        return requested;
      },
      draining: signal,
      signal,
    };
    const onEffect = (what: string): void => {
      if (/^GET \/v1\/devices\/dev-\d+$/.test(what)) requested = 'drain';
    };
    await runOnce(rehearsal, world, { process: 1, stop, onEffect });
    expect(requested).toBe('drain');
    expect(linesOf(world.store.records).filter((line) => line.startsWith('ATTEMPT'))).toEqual([]);
    expect(world.twin.world.state.tasks).toEqual([]);
  });
});

describe('an attempt that the service refused', () => {
  const device = aDevice('dev-1', { firmwareVersion: '11.8.61' });
  const approved = candidate('dev-1', {
    change: {
      before: { firmwareVersion: '11.8.61' },
      after: { firmwareVersion: '11.11.73' },
      target: '11.11.73',
      marker: '11.8.61',
      window: { name: 'anytime' },
    },
  });
  const refused = (attemptId: string): IntentState => {
    const { verdict: _, settledAt: __, ...intent } = anIntent('dev-1', { attemptId });
    const at = NOW - 1_000;
    return { ...intent, phase: 'failed', outcome: 'rejected', row: 'P06', attemptedAt: at };
  };

  it.each([
    ['this very run may be tried again', 'run.1', 'holds'],
    ['a run before it waits as the documents say', 'before.1', 'notDue'],
    ['a run whose name begins like ours is none of ours', 'run2.1', 'notDue'],
  ])('in %s', (_, attemptId, expected) => {
    const [documents, snapshot] = [someDocuments(), aSnapshot([device])];
    const memory = aMemory([refused(attemptId)]);
    const run = aRun({
      journal: { memory, nonce: 'run' },
      documents,
      clock: { now: () => NOW },
      dialect: resolveDialect(),
    });
    const wish = { is: 'exact', version: '11.11.73' } as const;
    const { wanted } = approved;
    const policy = { ...wanted.policy, value: { ...FIRMWARE, version: wish } };
    const basis = basisNow(run, {
      outages: findOutages(snapshot.devices),
      schedule: openSchedule({ documents, snapshot, memory }),
      followed: new Map(),
    });
    const facts = { targetFirmware: [{ version: '11.11.73', hops: ['11.11.73'] }] };
    const seen = { device, facts };
    const found = recheck(run, { ...approved, wanted: { ...wanted, policy } }, { basis, seen });
    expect(found.is === 'holds' ? found.is : found.said.reason?.code).toBe(expected);
  });
});
