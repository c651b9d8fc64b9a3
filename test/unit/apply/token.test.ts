import { describe, expect, it } from 'vitest';
import { exitOfRun } from '../../../src/shell/exit-of-run.ts';
import { runOnce } from '../../support/rehearsal.ts';
import { linesOf } from '../../support/rehearsal-summary.ts';
import { createWorld, readRehearsal } from '../../support/rehearsal-world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Lives for less than an attempt asks of a token, so that each asks for a new one. */
const LIFE = 149;

/** A service that refuses new tokens for so long once it has accepted its first task. */
async function refusing(lasts: number) {
  const rehearsal = readRehearsal('happy-batch');
  const created = createWorld(rehearsal.script);
  const { twin, clock } = created;
  let refusesFrom = Infinity;
  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const isToken = pathname.startsWith('/v1/auth/');
    const isRefused = clock.now() >= refusesFrom && clock.now() < refusesFrom + lasts;
    if (isToken && isRefused) return new Response('{}', { status: 401 });
    const answer = await twin.handle(request);
    if (request.method === 'POST' && !isToken) refusesFrom = Math.min(refusesFrom, clock.now() + 1);
    if (!isToken) return answer;
    const body = (await answer.json()) as object;
    return Response.json({ ...body, expires_in: LIFE }, { headers: answer.headers });
  };
  const world = { ...created, twin: { ...twin, handle } };
  const { report } = await runOnce(rehearsal, world, { process: 1, pollEvery: 30 * SECOND });
  if (!report) throw new Error('no report');
  return { report, lines: linesOf(world.store.records) };
}

describe('a token that cannot be renewed', () => {
  it('lets no attempt be made; what is at work is finished when there are tokens again', async () => {
    const { report, lines } = await refusing(8 * MINUTE);
    expect(lines.filter((line) => line.startsWith('ATTEMPT'))).toHaveLength(1);
    expect(report.counts).toMatchObject({ verified: 1, notStarted: 3 });
    expect(report.failure).toMatchObject({ code: 'credentialsRefused' });
    expect(exitOfRun(report)).toBe(1);
  });

  it('for good: the task is left to a later run, and nothing is in doubt', async () => {
    const { report, lines } = await refusing(Infinity);
    expect(lines.filter((line) => line.startsWith('ATTEMPT'))).toHaveLength(1);
    expect(report.counts).toMatchObject({ atWork: 1, notStarted: 3, inDoubt: 0 });
    expect(lines.at(-1)).toBe('RELEASE');
    expect(exitOfRun(report)).toBe(1);
  });
});
