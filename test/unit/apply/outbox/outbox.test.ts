import { describe, expect, it } from 'vitest';
import { runText } from '../../../support/run-text.ts';
import { createStopSignal } from '../../../../src/shell/stop-signal.ts';
import { exitOfRun } from '../../../../src/shell/exit-of-run.ts';
import { WorldError } from '../../../../src/model/error.ts';
import type { LedgerHead, LedgerRecord } from '../../../../src/model/ledger/record.ts';
import { isPhase, type ProgressEvent } from '../../../../src/model/progress.ts';
import { runOnce, type RunOptions } from '../../../support/rehearsal.ts';
import { doneTwice } from '../../../support/rehearsal-laws.ts';
import { LOOK } from '../../../support/render-look.ts';
import { linesOf } from '../../../support/rehearsal-summary.ts';
import { createWorld, readRehearsal, START } from '../../../support/rehearsal-world.ts';
import { StoreDouble } from '../../../support/store-double.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** How a store is out of order: a disk that is full, or a remote that is out of reach. */
const FULL = () => new WorldError('storeFailed', { cause: 'ENOSPC' });
const AWAY = () => new WorldError('storeFailed', { cause: 'unknown' }, { retry: 'safe' });

/** A ledger that is out of order for a while, from the first append of one type on. */
class Failing extends StoreDouble {
  /** When it began. */
  since: number | undefined;
  readonly #of: Of;
  readonly #now: () => number;
  #seen = 0;

  constructor(of: Of, now: () => number) {
    super();
    this.#of = of;
    this.#now = now;
  }

  get isOver(): boolean {
    return this.since !== undefined && this.#now() >= this.since + this.#of.lasts;
  }

  override async append(records: readonly LedgerRecord[], onHead: LedgerHead) {
    const { from, failure, lands = false, nth = 1 } = this.#of;
    const isOf = records.some(({ body }) => body.type === from);
    if (isOf) this.#seen += 1;
    const isFirst = this.since === undefined && isOf && this.#seen === nth;
    if (isFirst) this.since = this.#now();
    if (isFirst) this.#of.onFirst?.();
    if (isFirst && lands) await super.append(records, onHead);
    if (this.since !== undefined && !this.isOver) {
      if (failure === 'hangs') return new Promise<never>(() => undefined);
      throw failure();
    }
    return super.append(records, onHead);
  }
}

function fail(): never {
  throw FULL();
}

interface Of {
  readonly from: 'ATTEMPT' | 'RESULT' | 'RELEASE';
  /** Which append of that type is the first to fail. */
  readonly nth?: number;
  readonly lasts: number;
  /** `hangs`: no append ever comes back. */
  readonly failure: (() => WorldError) | 'hangs';
  /** The first append that fails is there all the same. */
  readonly lands?: boolean;
  /** Called when the first append fails. */
  readonly onFirst?: () => void;
}

async function run(of: Of, options: Partial<RunOptions> = {}) {
  const rehearsal = readRehearsal('happy-batch');
  const created = createWorld(rehearsal.script);
  const store = new Failing(of, () => created.clock.now());
  const world = { ...created, store };
  const told: (ProgressEvent & { at: number })[] = [];
  const onProgress = (event: ProgressEvent): void => {
    told.push({ ...event, at: world.clock.now() });
    options.onProgress?.(event);
  };
  const { report } = await runOnce(rehearsal, world, { process: 1, ...options, onProgress });
  if (!report) throw new Error('no report');
  const lines = linesOf(store.records);
  const again = () => runOnce(rehearsal, world, { process: 2 });
  return { world, store, report, told, lines, again, ended: world.clock.now() };
}

const isAttempt = (line: string) => line.startsWith('ATTEMPT');

describe('X16 an acceptance that the ledger cannot take', () => {
  it('is polled and tried again until the ledger takes it; then the run goes on', async () => {
    const of = { from: 'RESULT', lasts: 4 * MINUTE, failure: AWAY } as const;
    const { report, told, lines, store, world } = await run(of, {
      leaseTtl: 10 * MINUTE,
      pollEvery: 30 * SECOND,
    });
    const { since = 0 } = store;
    const meanwhile = told.filter(({ at }) => at > since && at < since + 4 * MINUTE);
    expect(meanwhile.filter(({ type }) => type === 'task.progress').length).toBeGreaterThan(5);
    expect(meanwhile.map(({ type }) => type)).not.toContain('attempt.sent');
    expect(lines.filter((line) => line === 'RESULT accepted P03 200')).toHaveLength(2);
    expect(report.counts).toMatchObject({ verified: 4 });
    expect(exitOfRun(report)).toBe(0);
    expect(doneTwice(world.twin.world)).toEqual([]);
  });

  it('keeps no other task from being polled meanwhile', async () => {
    const of = { from: 'RESULT', nth: 2, lasts: 3 * MINUTE, failure: AWAY } as const;
    const { told, store, report } = await run(of, {
      leaseTtl: 10 * MINUTE,
      pollEvery: 30 * SECOND,
    });
    const { since = 0 } = store;
    const polled = told.flatMap((one) =>
      one.type === 'task.progress' && one.at > since && one.at < since + of.lasts
        ? [one.device]
        : [],
    );
    expect(new Set(polled).size).toBe(4);
    expect(report.counts).toMatchObject({ verified: 4 });
  });

  it('on a full disk: what is at work is finished, nothing new is begun, exit 9', async () => {
    const { report, lines } = await run({ from: 'RESULT', lasts: MINUTE, failure: FULL });
    expect(lines.filter(isAttempt)).toHaveLength(1);
    expect(lines).toContain('RESULT accepted P03 200');
    expect(report.counts).toMatchObject({ verified: 1, notStarted: 3 });
    expect(exitOfRun(report)).toBe(9);
  });

  it.each([
    ['a disk that stays full', FULL],
    ['a remote that stays out of reach', AWAY],
  ])('is given up when the lease has ended, and not before (%s)', async (_, failure) => {
    const of = { from: 'RESULT', lasts: Infinity, failure } as const;
    const { report, ended, lines, world } = await run(of);
    expect(exitOfRun(report)).toBe(9);
    expect(lines.filter(isAttempt)).toHaveLength(1);
    const [task] = world.twin.world.state.tasks;
    const { endings, counts } = report;
    expect(counts).toMatchObject({ inDoubt: 1, notStarted: 3 });
    expect(endings.filter(({ taskId }) => taskId === task?.id)).toHaveLength(1);
    expect(ended - START).toBeGreaterThan(85 * SECOND);
    expect(ended - START).toBeLessThan(150 * SECOND);
  });

  it.each([
    ['a disk that stays full', FULL, undefined, 'unkept'],
    ['a remote that stays out of reach', AWAY, 'a file', 'unrecorded'],
  ])('counts more than a person who stops the run: %s', async (_, failure, file, detail) => {
    const stop = createStopSignal();
    const of = { from: 'RESULT', lasts: Infinity, failure } as const;
    const kept = { all: async () => [], keep: async () => file ?? fail(), forget: async () => {} };
    const { report, told, world } = await run(of, {
      stop,
      kept,
      onProgress: ({ type }) => type === 'waiting' && stop.request(),
    });
    const [task] = world.twin.world.state.tasks;
    expect(told.filter((one) => isPhase(one, 'stopping'))).toMatchObject([{ unrecorded: 1 }]);
    expect(report).toMatchObject({ ended: 'unfit', failure: { code: 'storeFailed' } });
    expect(report.unrecorded).toMatchObject([{ row: 'P03', taskId: task?.id }]);
    expect(report.unrecorded?.[0]?.file).toBe(file);
    expect(report.endings.filter((ending) => ending.detail === detail)).toMatchObject([
      { outcome: 'inDoubt', taskId: task?.id },
    ]);
    expect(exitOfRun(report)).toBe(9);
    const text = [...runText(report, { ...LOOK, now: START, exit: 9 })].join(' ');
    expect(text).toContain('The ledger lacks the outcome of 1 task');
    expect(text).not.toMatch(/recorded\.|an earlier attempt/);
  });

  it('is told once while it lasts, with the cause, and once when it is over', async () => {
    const of = { from: 'RESULT', lasts: 4 * MINUTE, failure: AWAY } as const;
    const { told } = await run(of, { leaseTtl: 10 * MINUTE });
    const outage = told.filter(({ type }) => type === 'ledger.lost' || type === 'ledger.back');
    expect(outage).toMatchObject([
      { type: 'ledger.lost', failure: { code: 'storeFailed', params: { cause: 'unknown' } } },
      { type: 'ledger.back' },
    ]);
  });

  it('also of the RELEASE alone: a run that a person stopped is not at rest, exit 9', async () => {
    const stop = createStopSignal();
    const of = { from: 'RELEASE', lasts: Infinity, failure: FULL } as const;
    const onProgress = ({ type }: ProgressEvent) => type === 'task.progress' && stop.request();
    const { report } = await run(of, { stop, onProgress });
    expect(report).toMatchObject({ ended: 'unfit' });
    expect(report.unrecorded).toBeUndefined();
    expect(exitOfRun(report)).toBe(9);
  });

  it('holds nobody up who wants to stop', async () => {
    const stop = createStopSignal();
    const of = { from: 'RESULT', lasts: Infinity, failure: 'hangs' } as const;
    const { report, store, ended } = await run(of, {
      stop,
      onEffect: (what) => void (what === 'POST /v1/tasks' && stop.request()),
    });
    expect(exitOfRun(report)).toBe(9);
    expect(ended - (store.since ?? 0)).toBeLessThan(10 * SECOND);
  });

  it('says nothing against the ledger where a second signal came before its answer', async () => {
    const stop = createStopSignal();
    const onFirst = () => {
      stop.request();
      stop.request();
    };
    const of = { from: 'RESULT', lasts: Infinity, failure: 'hangs', onFirst } as const;
    const { report, world } = await run(of, { stop });
    const [task] = world.twin.world.state.tasks;
    expect(report).toMatchObject({ ended: 'interrupted', unrecorded: [{ taskId: task?.id }] });
    expect(report.failure).toBeUndefined();
    expect(exitOfRun(report)).toBe(5);
  });
});

describe('Q1 an ATTEMPT whose append seemed to fail', () => {
  it.each([
    ['a remote that was out of reach', AWAY],
    ['a disk that was full', FULL],
  ])('and is there: its process says that it was not sent (%s)', async (_, failure) => {
    const of = { from: 'ATTEMPT', lasts: 10 * SECOND, failure, lands: true } as const;
    const { lines, report, again, world } = await run(of);
    expect(lines.find((line) => line.startsWith('RESULT'))).toBe('RESULT notSent notTried');
    expect(lines).not.toContain('RESULT inDoubt P12');
    expect(report.counts).toMatchObject({ inDoubt: 0 });
    world.clock.skip(60 * MINUTE);
    await again();
    expect(linesOf(world.store.records)).not.toContain('RESULT inDoubt P12');
    expect(doneTwice(world.twin.world)).toEqual([]);
  });

  it('and is not there is made again once the ledger is back', async () => {
    const of = { from: 'ATTEMPT', lasts: 10 * SECOND, failure: AWAY } as const;
    const { lines, report } = await run(of);
    expect(lines).not.toContain('RESULT notSent notTried');
    expect(report.counts).toMatchObject({ verified: 4 });
  });

  it('three times in a row: no more is tried, exit 9', async () => {
    const { report, lines } = await run({ from: 'ATTEMPT', lasts: Infinity, failure: AWAY });
    expect(lines.filter(isAttempt)).toEqual([]);
    expect(report.counts).toMatchObject({ notStarted: 4 });
    expect(exitOfRun(report)).toBe(9);
  });
});
