import { describe, expect, it } from 'vitest';
import { followRollouts } from '../../../src/rollout/progress/follow.ts';
import { waveStatuses } from '../../../src/report/status.ts';
import { reportStop } from '../../../src/model/ledger/stopped.ts';
import { clockedTime } from '../../../src/render/words/moment.ts';
import { PLAIN } from '../../../src/render/sinks/paint.ts';
import { stopBlocks } from '../../../src/render/outputs/warnings.ts';
import { printTerminal } from '../../../src/render/print/terminal.ts';
import { aMemory } from '../../support/plan-fleet.ts';
import {
  anInput,
  aSpec,
  begun,
  follow,
  HOUR,
  members,
  POLICY,
  START,
  tried,
} from '../../support/rollout-rig.ts';

const NONE = { waves: [] };

describe('waves of a status', () => {
  it('are those of the rollout that is followed, with where each stands', () => {
    const spec = aSpec();
    const followed = followRollouts([anInput({ spec, members: members(200) })], {
      memory: aMemory(),
      now: START,
    });
    const waves = waveStatuses(POLICY, { plan: NONE, followed });
    expect(waves.map(({ name, is }) => `${name} ${is}`)).toEqual(
      spec.waves.map(({ name }, index) => `${name} ${index === 0 ? 'open' : 'waiting'}`),
    );
    expect(waves.reduce((sum, { devices }) => sum + devices, 0)).toBe(200);
    expect(waves[0]).toMatchObject({ attempted: 0, verified: 0, bad: 0 });
  });

  it('are not told where they have no device', () => {
    const few = anInput({ spec: aSpec(), members: members(9) });
    const followed = followRollouts([few], { memory: aMemory(), now: START });
    const waves = waveStatuses(POLICY, { plan: NONE, followed });
    expect(waves.map(({ name, devices }) => `${name} ${devices}`)).toEqual(['canary 5', 'rest 4']);
  });

  it('say what a gate lacks and which rule stopped it', () => {
    const stop = { scope: POLICY, rule: 'canary', counts: {}, at: START };
    const memory = aMemory([], { stops: new Map([[POLICY, stop]]) });
    const paused = followRollouts([anInput()], { memory, now: START });
    expect(waveStatuses(POLICY, { plan: NONE, followed: paused })[0]).toMatchObject({
      is: 'paused',
      why: 'canary',
    });
    const left = followRollouts([anInput({ aside: () => 'skipped' })], {
      memory: begun(anInput()),
      now: START,
    });
    expect(waveStatuses(POLICY, { plan: NONE, followed: left })[0]).toMatchObject({
      is: 'gated',
      why: 'empty',
    });
  });

  it('count the failures that the stop lists, whatever its rule counted when it tripped', () => {
    const counts = { attempted: 4, bad: 3, failed: 3 };
    const stop = { scope: POLICY, rule: 'canary', counts, at: START + 2 * HOUR };
    const input = anInput();
    const canary = follow(input, begun(input)).assignment;
    const devices = members(100)
      .filter(({ id }) => canary.assignmentOf(id).wave === 0)
      .map(({ id }) => id);
    const verdicts = ['failed', 'failed', 'rolledBack', 'unverified'] as const;
    const memory = begun(input, {
      intents: [
        ...verdicts.map((verdict, n) => tried(devices[n] ?? '', { verdict })),
        tried(devices[4] ?? '', { phase: 'inDoubt' }),
      ],
      stops: [stop],
    });
    const followed = new Map([[POLICY, follow(input, memory)]]);
    const [wave] = waveStatuses(POLICY, { plan: NONE, followed });
    expect(wave).toMatchObject({ bad: 5, failed: 4 });
    const report = reportStop(stop, { memory });
    expect(report.bad).toHaveLength(4);
    const blocks = stopBlocks('Stopped', [report], clockedTime(undefined, START + 3 * HOUR));
    const [, title] = printTerminal(blocks, { paint: PLAIN, width: 80 });
    expect(title).toBe(`  ${POLICY}  paused by canary: 4 failed`);
  });

  it('are none where nobody is wanted and nothing has begun', () => {
    const idle = followRollouts([anInput({ aside: () => 'converged' })], {
      memory: aMemory(),
      now: START,
    });
    expect(waveStatuses(POLICY, { plan: NONE, followed: idle })).toEqual([]);
  });

  it('are the waves of the plan where no rollout is followed', () => {
    const plan = { waves: [{ policy: POLICY, name: 'all', changes: 7 }] };
    expect(waveStatuses(POLICY, { plan })).toEqual([{ name: 'all', is: 'plain', devices: 7 }]);
    expect(waveStatuses('firmware.other', { plan })).toEqual([]);
  });
});
