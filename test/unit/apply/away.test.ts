import { describe, expect, it } from 'vitest';
import { WorldError } from '../../../src/model/error.ts';
import { TransportError } from '../../../src/model/ports.ts';
import type { ProgressEvent } from '../../../src/model/progress.ts';
import { runOnce } from '../../support/rehearsal.ts';
import { createWorld, readRehearsal, type RehearsalWorld } from '../../support/rehearsal-world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const MARKUP = { 'content-type': 'text/html', location: '/login' };

/** The same world, in which nobody listens at the service between two instants. */
function deaf(world: RehearsalWorld, from: number, to: number): RehearsalWorld {
  const handle = async (request: Request) => {
    const now = world.clock.now();
    if (now >= from && now < to) throw new TransportError('unsent', 'ECONNREFUSED');
    return world.twin.handle(request);
  };
  return { ...world, twin: { ...world.twin, handle } };
}

describe('a service at which nobody answers', () => {
  it('while tasks run is asked again, and it is said why and how long that goes on', async () => {
    const rehearsal = readRehearsal('happy-batch');
    const created = createWorld(rehearsal.script);
    const from = created.clock.now() + 2 * MINUTE;
    const world = deaf(created, from, from + 5 * MINUTE);
    const told: ProgressEvent[] = [];
    const { report } = await runOnce(rehearsal, world, {
      process: 1,
      pollEvery: 30 * SECOND,
      onProgress: (one) => told.push(one),
    });
    expect(report?.counts).toMatchObject({ verified: 4 });
    const away = told.filter((one) => one.type === 'waiting' && one.reason === 'away');
    expect(away.length).toBeGreaterThan(1);
    for (const { failure, givenUpAt } of away) {
      expect(failure).toMatchObject({ code: 'unreachable', params: { cause: 'ECONNREFUSED' } });
      expect(givenUpAt - from).toBeGreaterThanOrEqual(10 * MINUTE);
      expect(givenUpAt - from).toBeLessThan(11 * MINUTE);
    }
  });

  it('from the start ends a run that has begun nothing as it ends a plan', async () => {
    const rehearsal = readRehearsal('happy-batch');
    const created = createWorld(rehearsal.script);
    const dies = { n: 1, what: 'POST /v1/tasks', when: 'after' } as const;
    await runOnce(rehearsal, created, { process: 1, stopAt: dies });
    const began = created.clock.now();
    const { report } = await runOnce(rehearsal, deaf(created, began, Infinity), { process: 2 });
    expect(report?.failure).toBeInstanceOf(WorldError);
    expect(report).toMatchObject({ ended: 'error', failure: { code: 'unreachable' } });
    expect(report?.leftOpen).toHaveLength(1);
    expect(created.clock.now() - began).toBeLessThan(MINUTE);
  });
});

describe('a service that does not show tasks', () => {
  it.each([
    [403, 'forbidden', 'taskForbidden'],
    [302, 'redirected', 'taskUnread'],
    [200, 'notJson', 'taskUnread'],
  ])('is reported once, in the first round and at the end: %s (protocol X19)', async (...row) => {
    const [status, code, detail] = row;
    const rehearsal = readRehearsal('happy-batch');
    const world = createWorld(rehearsal.script);
    const handle = (request: Request) =>
      request.method === 'GET' && new URL(request.url).pathname.startsWith('/v1/tasks/')
        ? Promise.resolve(
            new Response(status === 302 ? null : '<html>', { status, headers: MARKUP }),
          )
        : world.twin.handle(request);
    const told: (readonly [at: number, one: ProgressEvent])[] = [];
    const { report } = await runOnce(
      rehearsal,
      { ...world, twin: { ...world.twin, handle } },
      {
        process: 1,
        pollEvery: 10 * SECOND,
        onProgress: (one) => told.push([world.clock.now(), one]),
      },
    );
    const posted = told.find(([, { type }]) => type === 'attempt.answered')?.[0] ?? 0;
    const unread = told.filter(([, { type }]) => type === 'warning');
    expect(unread).toMatchObject([[expect.any(Number), { parameters: { code } }]]);
    expect((unread[0]?.[0] ?? Infinity) - posted).toBeLessThan(MINUTE);
    const open = report?.endings.filter(({ outcome }) => outcome === 'timedOut') ?? [];
    expect(open.length).toBeGreaterThan(0);
    expect(new Set(open.map((each) => each.detail))).toEqual(new Set([detail]));
  });
});
