import { describe, expect, it } from 'vitest';
import { exitOfRun } from '../../../src/shell/exit-of-run.ts';
import { WorldError } from '../../../src/model/error.ts';
import { lock } from '../../support/ledger-records.ts';
import { runOnce } from '../../support/rehearsal.ts';
import { linesOf } from '../../support/rehearsal-summary.ts';
import { createWorld, readRehearsal } from '../../support/rehearsal-world.ts';
import { write } from '../../support/store-rig.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How much further the clocks are after a sleep than it asked for. */
interface Longer {
  readonly wall?: number;
  readonly monotonic?: number;
}

/**
 * A run, one device after the other, over a ledger whose lease lives for ten minutes. Its machine is suspended while it waits for
 * its first task, and `meanwhile` something happens.
 */
async function suspended(longer: Longer, meanwhile: (world: World) => void = () => undefined) {
  const happy = readRehearsal('happy-batch');
  const rehearsal = { ...happy, documents: { ...happy.documents, budgets: new Map() } };
  const world = createWorld(rehearsal.script);
  const { clock } = world;
  const ahead = { wall: 0, monotonic: 0 };
  const effects: string[] = [];
  let isNext = false;
  let wokeAt = Infinity;
  const ours = {
    ...clock,
    now: () => clock.now() + ahead.wall,
    monotonic: () => clock.monotonic() + ahead.monotonic,
    sleep: async (ms: number, signal?: AbortSignal) => {
      await clock.sleep(ms, signal);
      if (!isNext) return;
      isNext = false;
      Object.assign(ahead, longer);
      wokeAt = effects.length;
      meanwhile(world);
    },
  };
  const { report } = await runOnce(
    rehearsal,
    { ...world, clock: ours },
    {
      process: 1,
      leaseTtl: 10 * MINUTE,
      pollEvery: 10 * SECOND,
      onEffect: (what) => void effects.push(what),
      onProgress: ({ type }) => {
        if (type === 'waiting' && wokeAt === Infinity) isNext = true;
      },
    },
  );
  if (!report) throw new Error('no report');
  return { world, report, after: effects.slice(wokeAt), lines: linesOf(world.store.records) };
}

type World = ReturnType<typeof createWorld>;

const takeOver = ({ store }: World): void => write(store, lock('another'));
const isRequest = (what: string) => /^(GET|POST) /.test(what);
const SURVEY = 'GET /v1/sites';

describe('a machine that was suspended', () => {
  it.each<[string, Longer]>([
    ['and its monotonic clock with it', { wall: 3 * HOUR }],
    ['for longer than a lease by both clocks', { wall: 3 * HOUR, monotonic: 3 * HOUR }],
    ['for some seconds', { wall: 6 * SECOND, monotonic: 6 * SECOND }],
  ])('%s: who was followed learns it before all else', async (_, longer) => {
    const { report, after, lines } = await suspended(longer, takeOver);
    expect(exitOfRun(report)).toBe(6);
    expect(after.filter(isRequest)).toEqual([]);
    expect(after.find((what) => what !== 'sleep')).toBe('read');
    expect(lines.at(-1)).toMatch(/^LOCK/);
  });

  it('and not followed: it looks at what is open and reads the fleet before it goes on', async () => {
    const { report, after } = await suspended({ wall: 20 * SECOND });
    const next = after.filter(isRequest);
    expect(next.indexOf(SURVEY)).toBeGreaterThan(-1);
    expect(next.indexOf(SURVEY)).toBeLessThan(next.indexOf('POST /v1/tasks'));
    expect(report.counts).toMatchObject({ verified: 4 });
  });

  it('sleeps on where a sleep was a little longer than asked for', async () => {
    const { after } = await suspended({ wall: 4 * SECOND, monotonic: 4 * SECOND });
    expect(after.slice(0, 2)).not.toContain('read');
  });

  it('and whose network is not back yet: nothing new until the ledger has been read', async () => {
    let refused = 0;
    const { report, lines } = await suspended({ wall: HOUR, monotonic: HOUR }, ({ store }) => {
      const read = store.read.bind(store);
      store.read = async (after) => {
        refused += 1;
        if (refused > 3) return read(after);
        throw new WorldError('storeFailed', { cause: 'ENETUNREACH' }, { retry: 'safe' });
      };
      takeOver({ store } as World);
    });
    expect(exitOfRun(report)).toBe(6);
    expect(lines.filter((line) => line.startsWith('ATTEMPT'))).toHaveLength(1);
    expect(refused).toBeGreaterThan(3);
  });

  it('by a clock that was set: the skew is measured anew, and nothing more is begun', async () => {
    const { report } = await suspended({ wall: 2 * MINUTE });
    expect(report).toMatchObject({ attempts: 1, failure: { code: 'clockSkew' } });
    expect(exitOfRun(report)).toBe(9);
  });
});
