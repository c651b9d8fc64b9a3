import { describe, expect, it } from 'vitest';
import { Health } from '../../../src/apply/health.ts';
import { LOST, recordLate } from '../../../src/apply/watch/poll-tasks.ts';
import type { Clock } from '../../../src/model/ports.ts';
import type { RecordBody } from '../../../src/model/ledger/record.ts';
import { aRun } from '../../support/apply-run.ts';
import { createStopSignal } from '../../../src/shell/stop-signal.ts';
import { WorldError } from '../../../src/model/error.ts';
import { readRehearsal } from '../../support/rehearsal-world.ts';

const HOUR = 3_600_000;
const { documents } = readRehearsal('happy-batch');

/** A restart that was given to a service task when time began. */
const RESTART = {
  id: 'i',
  task: 'restartDevice',
  device: 'dev-1',
  policy: 'restarts.dark',
  attemptId: 'a.1',
  taskId: 't',
  attemptedAt: 0,
  phase: 'running',
};

type Fields = Readonly<Record<string, unknown>>;

/** A run that looks at one intent at some instant, what it appended and what it said. */
function at(now: number, intent: Fields, more: Fields = {}) {
  const appended: RecordBody[] = [];
  const told: unknown[] = [];
  const run = aRun({
    documents,
    clock: { now: () => now },
    journal: {
      memory: { open: () => [{ ...RESTART, ...intent }], sightings: new Map() },
      append: async (bodies: readonly RecordBody[]) => {
        appended.push(...bodies);
        return 'acknowledged';
      },
    },
    progress: (event: unknown) => void told.push(event),
    ...more,
  });
  return { run, appended, told };
}

describe('X10 a task past its deadline', () => {
  const ID = 'restartDevice/dev-1';
  const READ = new Set(['t']);

  it('is late, said and recorded, once', async () => {
    const { run, appended, told } = at(HOUR, {});
    await recordLate(run, READ);
    await recordLate(run, READ);
    expect(appended).toMatchObject([{ type: 'SEEN', what: 'timedOut', subject: 'a.1/dev-1' }]);
    expect(told).toHaveLength(1);
    expect(run.outcomes.said.get(ID)).toMatchObject({ outcome: 'timedOut', taskId: 't' });
    expect(run.outcomes.said.get(ID)?.detail).toBeUndefined();
  });

  it('is recorded by nobody who could not read it just now', async () => {
    const { run, appended } = at(HOUR, {});
    await recordLate(run, new Set());
    expect(appended).toEqual([]);
  });

  it('is not late where its end was seen', async () => {
    const { run, appended, told } = at(HOUR, {});
    run.inFlight.of({ id: 'i' }).complete({ completedAt: 1, undated: false });
    await recordLate(run, READ);
    expect([appended, told]).toEqual([[], []]);
  });

  it('is not said anew where it was said', async () => {
    const { run, appended, told } = at(HOUR, {});
    run.outcomes.say(ID, { outcome: 'timedOut', intentId: 'i', taskId: 't' });
    await recordLate(run, READ);
    expect(appended).toHaveLength(1);
    expect(told).toEqual([]);
  });

  it('Q7 needs a person after a day', async () => {
    const { run } = at(25 * HOUR, {});
    await recordLate(run, READ);
    expect(run.outcomes.said.get(ID)).toMatchObject({ detail: LOST });
  });
});

describe('known devices that the service shows no more', () => {
  it('are no sign of anything up to three, and of lost permissions from the fourth on', () => {
    const health = new Health({ now: () => 0 } as unknown as Clock);
    for (let nth = 1; nth <= 3; nth += 1) health.countMissing();
    expect(() => health.countMissing()).toThrow(
      expect.objectContaining({ code: 'permissionsChanged', params: { gone: 4 } }),
    );
  });
});

describe('what was kept beside the ledger', () => {
  /** The file of a machine on which an earlier run kept the id of one task. */
  function fileOf() {
    const results = new Map([['a.1', { attemptId: 'a.1', taskId: 't' }]]);
    return {
      results,
      all: async () => [...results.values()],
      keep: async (one: { attemptId: string; taskId: string }) => {
        results.set(one.attemptId, one);
        return 'a file';
      },
      forget: async (attemptId: string) => void results.delete(attemptId),
    };
  }

  it.each([
    ['is recorded where the ledger knows no task', { taskId: undefined, phase: 'inDoubt' }, 1],
    ['is not recorded where it knows one', { taskId: 'u' }, 0],
    ['is not recorded for an attempt that is closed', { attemptId: 'b.1' }, 0],
  ])('%s, and forgotten', async (_, intent, times) => {
    const spool = fileOf();
    const { run, appended } = at(0, intent, { spool });
    await run.outbox.recordSpooled();
    expect(appended).toHaveLength(times);
    expect(spool.results.size).toBe(0);
  });

  it('is an acceptance, and nothing else', async () => {
    const spool = fileOf();
    const away = new WorldError('storeFailed', {}, { retry: 'safe' });
    const append = () => Promise.reject(away);
    const journal = {
      memory: { open: () => [{ ...RESTART, attemptId: 'a.2', taskId: undefined }] },
      append,
    };
    const { run, told } = at(0, {}, { spool, journal, stop: createStopSignal() });
    const body = { type: 'RESULT', attemptId: 'a.2', row: 'P04', taskId: 'u' } as const;
    await run.outbox.write({ ...body, outcome: 'inDoubt' });
    expect([...spool.results.keys()]).toEqual(['a.1']);
    await run.outbox.write({ ...body, outcome: 'accepted' });
    expect([...spool.results.keys()]).toEqual(['a.1', 'a.2']);
    expect(told).toMatchObject([
      { code: 'unrecorded', parameters: { attemptId: 'a.2', place: 'a file' } },
    ]);
  });
});
