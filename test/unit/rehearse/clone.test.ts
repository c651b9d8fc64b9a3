import { describe, expect, it } from 'vitest';
import { EMPTY_MEMORY } from '../../../src/ledger/fold.ts';
import { cloneFleet, type CloneInput } from '../../../src/rehearse/clone.ts';
import { ledgerInMemory } from '../../../src/rehearse/ledger-in-memory.ts';
import { countOutages, stepLength } from '../../../src/rehearse/outages.ts';
import { durationsIn } from '../../../src/rehearse/task-durations.ts';
import { findFlaw } from '../../../src/twin/world-file.ts';
import { FROM, snapshotOf } from '../../support/rehearsed.ts';

const KIND = {
  count: 1,
  vendor: 'Axis',
  model: 'P3265-V',
  firmwareVersion: '11.5.64',
  deviceType: 'camera',
  site: 'HQ Berlin',
};

function input(kinds: Parameters<typeof snapshotOf>[0], more: Partial<CloneInput> = {}) {
  return {
    snapshot: snapshotOf(kinds, 2),
    memory: EMPTY_MEMORY,
    organization: 'acme',
    at: FROM,
    seed: 1,
    lives: {},
    wanted: () => [],
    ...more,
  };
}

describe('a clone', () => {
  it('is a world as the simulator loads it', () => {
    const { state } = cloneFleet(input([{ ...KIND, targets: [['11.8.61', '11.11.160']] }]));
    expect(findFlaw(JSON.parse(JSON.stringify(state)))).toBeUndefined();
    expect(state.discovered).toHaveLength(2);
  });

  it('goes the paths that were read, and on from each of their steps', () => {
    const { state, assumed } = cloneFleet(
      input([{ ...KIND, targets: [['11.8.61', '11.11.160'], ['11.11.73']] }], {
        wanted: () => ['99.0'],
      }),
    );
    expect(state.lines[0]?.targets).toEqual([
      { from: '11.5.64', paths: [['11.8.61', '11.11.160'], ['11.11.73']] },
      { from: '11.8.61', paths: [['11.11.160']] },
      { from: '11.11.160', paths: [] },
      { from: '11.11.73', paths: [] },
    ]);
    expect(assumed.targets).toBe(0);
  });

  it('goes on from a step that is also a target, on every path that leads through it', () => {
    const targets = [['11.8.61'], ['11.8.61', '11.11.73'], ['11.8.61', '11.11.160']];
    const { state } = cloneFleet(input([{ ...KIND, targets }]));
    expect(state.lines[0]?.targets).toContainEqual({
      from: '11.8.61',
      paths: [['11.11.73'], ['11.11.160']],
    });
  });

  it('takes from the documents what nobody read, and counts it', () => {
    const wanted = () => ['11.11.160', '10.1.1'];
    const { state, assumed } = cloneFleet(
      input([KIND], { wanted, lives: { password: 1_000_000 } }),
    );
    expect(state.lines[0]?.targets?.[0]).toEqual({ from: '11.5.64', paths: [['11.11.160']] });
    expect(assumed).toEqual({ passwords: 1, certificates: 0, targets: 1 });
    const [account] = state.devices[0]?.accounts ?? [];
    expect(account?.lastChanged).toBeLessThanOrEqual(FROM);
    expect(account?.lastChanged).toBeGreaterThanOrEqual(FROM - 1_001_000);
  });

  it.each([
    ['online', 'well'],
    ['partial', 'stuck'],
    ['offline', 'dark'],
    ['unknown', 'unknown'],
    ['resting', 'unknown'],
  ])('reads %s as %s', (status, condition) => {
    const { state } = cloneFleet(input([{ ...KIND, status }]));
    expect(state.devices[0]?.condition).toBe(condition);
  });
});

describe('outages', () => {
  it('hold the most devices down at once in each step, also across steps', () => {
    const hour = 3_600_000;
    const outages = countOutages(FROM, FROM + 5 * hour);
    outages.note('A', true, FROM + 1);
    outages.note('A', true, FROM + 2);
    outages.note('A', false, FROM + 3);
    outages.note('A', false, FROM + 2 * hour + 1);
    outages.note('B', true, FROM + 4 * hour);
    expect([...outages.counts()]).toEqual([
      ['A', [2, 1, 1, 0, 0]],
      ['B', [0, 0, 0, 0, 1]],
    ]);
  });

  it('come in whole hours, no more than a page can show', () => {
    expect(stepLength(0, 14 * 86_400_000)).toBe(3_600_000);
    expect(stepLength(0, 90 * 86_400_000)).toBe(7 * 3_600_000);
  });
});

describe('durations', () => {
  const intent = { task: 'upgradeFirmware', model: 'P3265-V', verdict: 'done' } as const;
  const memory = {
    intents: new Map(
      [100, 300].map((seconds, index) => [String(index), { ...intent, seconds }]),
    ) as never,
  };

  it('are those of the model, else of the task, else the simulator keeps its own', () => {
    const durations = durationsIn(memory);
    expect(durations.draw('upgradeFirmware', 'P3265-V', { next: () => 0 })).toBe(100_000);
    expect(durations.draw('upgradeFirmware', 'other', { next: () => 0.99 })).toBe(300_000);
    expect(durations.draw('rotatePassword', 'P3265-V', { next: () => 0 })).toBeUndefined();
    expect(durations.describe(['upgradeFirmware', 'rotatePassword'])).toEqual([
      { task: 'upgradeFirmware', from: 'ledger', samples: 2, medianSeconds: 300 },
      { task: 'rotatePassword', from: 'simulator' },
    ]);
  });
});

describe('a ledger in memory', () => {
  it('goes on after the head of another, and takes only what follows its head', async () => {
    const head = { seq: 7, hash: 'h' };
    const store = ledgerInMemory(head);
    const record = {
      seq: 8,
      prev: '',
      epoch: 0,
      at: '',
      tool: '',
      body: { type: 'BEAT', n: 1 },
    } as const;
    expect(await store.append([record], { seq: 7, hash: 'x' })).toBe('lost');
    expect(await store.append([record], head)).toBe('acknowledged');
    expect((await store.read(0)).records).toEqual([record]);
    expect((await store.read(7)).records).toEqual([record]);
    expect((await store.read(8)).records).toEqual([]);
    expect((await store.read(0)).head.seq).toBe(8);
  });
});
