import { describe, expect, it } from 'vitest';
import { OUTCOME_TABLE } from '../../../src/apply/send/answer-outcome.ts';
import { exitOfRun } from '../../../src/shell/exit-of-run.ts';
import { TransportError } from '../../../src/model/ports.ts';
import { ONE, ROWS, says, type Answer } from '../../support/outcome-rows.ts';
import { runOnce } from '../../support/rehearsal.ts';
import { doneTwice } from '../../support/rehearsal-laws.ts';
import { linesOf } from '../../support/rehearsal-summary.ts';
import {
  createWorld,
  readRehearsal,
  type Rehearsal,
  type RehearsalWorld,
} from '../../support/rehearsal-world.ts';

const NAMED = ROWS.map((row) => [row.row, row.what, row] as const);

describe.each(NAMED)('row %s: %s', (_row, _what, { answer, posts, ...expected }) => {
  it('gives its record, as many attempts as it allows, its classes and its exit code', async () => {
    const { world, post, ...rest } = setUp(answer, posts);
    const { report } = await runOnce(rest.rehearsal, world, { process: 1 });
    if (!report) throw new Error('no report');
    const lines = linesOf(world.store.records);
    expect(lines.filter((line) => line.startsWith('RESULT'))).toContain(
      `RESULT ${expected.result}`,
    );
    expect(lines.filter((line) => line.startsWith('ATTEMPT'))).toHaveLength(expected.attempts);
    expect(post.count).toBe(expected.attempts);
    expect(report.counts).toMatchObject(expected.counts);
    expect(exitOfRun(report)).toBe(expected.exit);
    expect(doneTwice(world.twin.world)).toEqual([]);
  });
});

describe('row P12: an ATTEMPT that its run left without RESULT', () => {
  it('is in doubt from the next run on, and not repeated', async () => {
    const rehearsal = readRehearsal('happy-batch');
    const world = await killedAfterAttempt(rehearsal);
    const { report } = await runOnce(rehearsal, world, { process: 2 });
    const lines = linesOf(world.store.records);
    expect(lines).toContain('RESULT inDoubt P12');
    expect(lines.filter((line) => line === 'ATTEMPT upgradeFirmware dev-1')).toHaveLength(1);
    expect(report?.counts).toMatchObject({ inDoubt: 1 });
    expect(report && exitOfRun(report)).toBe(5);
  });
});

describe('row P07', () => {
  it.each([
    ['years ahead: 15 minutes', '99999999', 900_000],
    ['nothing at all: one second', '0', 1_000],
    ['seven seconds: seven seconds', '7', 7_000],
    ['a word: the back-off', 'soon', 30_000],
  ])('is waited for as the service asks, within limits: %s', async (_what, header, pause) => {
    const { world, rehearsal } = setUp(says(429, '{}', { 'retry-after': header }), ONE);
    await runOnce(rehearsal, world, { process: 1 });
    const [first, second] = world.store.records.filter(({ body }) => body.type === 'ATTEMPT');
    const [result] = world.store.records.filter(({ body }) => body.type === 'RESULT');
    const waited = Date.parse(second?.at ?? '') - Date.parse(result?.at ?? '');
    expect(first).toBeDefined();
    expect(waited).toBeGreaterThanOrEqual(pause);
    expect(waited).toBeLessThan(pause + 2_000);
  });
});

it('every row of the table has its test', () => {
  const tested = new Set([...ROWS.map(({ row }) => row), 'P12']);
  expect(OUTCOME_TABLE.map(({ id }) => id).filter((id) => !tested.has(id))).toEqual([]);
});

/** A run that died with its ATTEMPT in the ledger and its POST not begun. */
async function killedAfterAttempt(rehearsal: Rehearsal): Promise<RehearsalWorld> {
  for (let n = 1; n < 100; n += 1) {
    const world = createWorld(rehearsal.script);
    await runOnce(rehearsal, world, { process: 1, stopAt: { n, when: 'after' } });
    if (world.store.records.at(-1)?.body.type === 'ATTEMPT') return world;
  }
  throw new Error('no run ended with its ATTEMPT');
}

/** The fleet of `happy-batch`; some of its task POSTs come to something else. */
function setUp(answer: () => Answer, posts: readonly number[]) {
  const rehearsal = readRehearsal('happy-batch');
  const world = createWorld(rehearsal.script);
  const post = { count: 0 };
  const handle = async (request: Request): Promise<Response> => {
    const isTask = request.method === 'POST' && new URL(request.url).pathname === '/v1/tasks';
    if (isTask) post.count += 1;
    const instead = isTask && posts.includes(post.count) ? answer() : 'passes';
    if (instead === 'passes') return world.twin.handle(request);
    if (instead instanceof TransportError) throw instead;
    return instead;
  };
  const changed: RehearsalWorld = { ...world, twin: { ...world.twin, handle } };
  return { rehearsal, world: changed, post };
}
