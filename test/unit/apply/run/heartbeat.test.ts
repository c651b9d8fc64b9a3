import { describe, expect, it } from 'vitest';
import { type Run, keepLease } from '../../../../src/apply/run/run.ts';
import { exitOfRun } from '../../../../src/shell/exit-of-run.ts';
import { WorldError } from '../../../../src/model/error.ts';
import { aRun } from '../../../support/apply-run.ts';
import { runOnce } from '../../../support/rehearsal.ts';
import { linesOf } from '../../../support/rehearsal-summary.ts';
import {
  createWorld,
  readRehearsal,
  type RehearsalWorld,
} from '../../../support/rehearsal-world.ts';
import { StoreDouble } from '../../../support/store-double.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The service asks for patience, once, at the nth request of a kind. */
function patient({ twin }: RehearsalWorld, path: RegExp, nth: number, seconds: number) {
  let seen = 0;
  return {
    ...twin,
    handle: async (request: Request) => {
      const isIt = request.method === 'GET' && path.test(new URL(request.url).pathname);
      if (isIt) seen += 1;
      const headers = { 'retry-after': String(seconds) };
      if (isIt && seen === nth) return new Response('{}', { status: 429, headers });
      return twin.handle(request);
    },
  };
}

/** The longest time between two records of a run. */
function longestGap({ store }: RehearsalWorld): number {
  const times = store.records.map(({ at }) => Date.parse(at));
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
}

describe('while the service asks for a quarter of an hour of patience', () => {
  it.each([
    ['in the reading of the fleet', /^\/v1\/sites$/, 1],
    ['in a last look', /^\/v1\/devices\/dev-1$/, 1],
    ['in a poll', /^\/v1\/tasks\//, 1],
    ['in reading back', /^\/v1\/devices(\/dev-1)?$/, 9],
  ])('%s: the lease is renewed', async (_, path, nth) => {
    const rehearsal = readRehearsal('happy-batch');
    const created = createWorld(rehearsal.script);
    const world = { ...created, twin: patient(created, path, nth, 900) };
    const { report } = await runOnce(rehearsal, world, { process: 1, pollEvery: 30 * SECOND });
    expect(report?.counts).toMatchObject({ verified: 4 });
    expect(world.clock.now() - Date.parse(world.store.records[0]?.at ?? '')).toBeGreaterThan(
      15 * MINUTE,
    );
    expect(longestGap(world)).toBeLessThanOrEqual(50 * SECOND);
  });

  it('in the polls of what an earlier run left: the lease is renewed', async () => {
    const rehearsal = readRehearsal('happy-batch');
    const created = createWorld(rehearsal.script);
    const dies = { n: 1, what: 'POST /v1/tasks', when: 'after' } as const;
    await runOnce(rehearsal, created, { process: 1, stopAt: dies });
    const before = created.store.records.length;
    const world = { ...created, twin: patient(created, /^\/v1\/devices\/dev-1$/, 1, 900) };
    await runOnce(rehearsal, world, { process: 2 });
    const later = { ...world, store: new StoreDouble() };
    later.store.records = world.store.records.slice(before);
    expect(longestGap(later)).toBeLessThanOrEqual(50 * SECOND);
  });
});

/** A ledger that is out of reach for a while. */
class Away extends StoreDouble {
  readonly #when: () => boolean;

  constructor(when: () => boolean) {
    super();
    this.#when = when;
  }

  override async append(...of: Parameters<StoreDouble['append']>) {
    if (this.#when()) throw new WorldError('storeFailed', {}, { retry: 'safe' });
    return super.append(...of);
  }
}

describe('a lease that could not be renewed', () => {
  /** One device after the other, and a ledger that is away between two instants of the run. */
  async function away(from: number, to: number, leaseTtl: number) {
    const happy = readRehearsal('happy-batch');
    const rehearsal = { ...happy, documents: { ...happy.documents, budgets: new Map() } };
    const created = createWorld(rehearsal.script);
    const start = created.clock.now();
    const spent = () => created.clock.now() - start;
    const world = { ...created, store: new Away(() => spent() >= from && spent() < to) };
    const attempts: number[] = [];
    const { report } = await runOnce(rehearsal, world, {
      process: 1,
      leaseTtl,
      pollEvery: 20 * SECOND,
      onEffect: (what) => void (/ATTEMPT/.test(what) && attempts.push(spent())),
    });
    if (!report) throw new Error('no report');
    return { report, attempts, lines: linesOf(world.store.records) };
  }

  it('U6 for half its life lets no attempt be made, and no longer than that', async () => {
    const [from, to] = [2 * MINUTE, 9 * MINUTE];
    const { report, attempts } = await away(from, to, 10 * MINUTE);
    expect(attempts.filter((at) => at > from && at < to)).toEqual([]);
    expect(report.counts).toMatchObject({ verified: 4 });
    expect(exitOfRun(report)).toBe(0);
  });
});

describe('a ledger that is out of order when the lease is to be renewed', () => {
  const RESULT = { type: 'RESULT', outcome: 'accepted', row: 'P03', taskId: 't' } as const;
  const DISK_FULL = new WorldError('storeFailed', { cause: 'ENOSPC' });

  /** A run that waits for so many results to be written down, and may hold its lease still. */
  function waiting({ owed, isHeld }: { readonly owed: number; readonly isHeld: boolean }): Run {
    const journal = {
      memory: { open: () => [] },
      isHeld: () => isHeld,
      renew: () => Promise.reject(DISK_FULL),
    };
    const run = aRun({ journal });
    for (let nth = 0; nth < owed; nth += 1) run.outbox.hold({ ...RESULT, attemptId: `a.${nth}` });
    return run;
  }

  it('ends a run that waits for nothing', async () => {
    await expect(keepLease(waiting({ owed: 0, isHeld: true }))).rejects.toBe(DISK_FULL);
  });

  it('is noted by a run that waits for something, as long as the lease lives', async () => {
    const run = waiting({ owed: 1, isHeld: true });
    await keepLease(run);
    expect(run.health.failure).toBe(DISK_FULL);
  });

  it('ends it once the lease has died', async () => {
    await expect(keepLease(waiting({ owed: 1, isHeld: false }))).rejects.toBe(DISK_FULL);
  });
});
