import { describe, expect, it } from 'vitest';
import { advance, FIRST_COMMAND, START, type RunState } from '../../../../src/apply/run/machine.ts';
import type { RunEvent } from '../../../../src/apply/run/run-event.ts';
import { PATIENCE, REACTIONS, TRIES, type AttemptEnd } from '../../../../src/apply/run/reaction.ts';
import { candidate, ROTATION } from '../../../support/apply-candidate.ts';

const NOW = 1_000_000;
const A = candidate('a', { order: 0 });
const B = candidate('b', { order: 1 });
const C = candidate('c', { order: 2, policy: ROTATION });
const WORKING: RunState = { ...START, phase: 'working', queue: [A, B, C] };

type Attempted = RunEvent & { is: 'attempted' };

function attempted(end: AttemptEnd, more: Partial<Attempted> = {}): Attempted {
  const nobody = new Set<string>();
  return {
    is: 'attempted',
    end,
    done: nobody,
    parked: nobody,
    size: 2,
    inFlight: 0,
    pollAt: NOW + 30,
    ...more,
  };
}

function polled(more: Partial<RunEvent & { is: 'polled' }> = {}): RunEvent {
  const times = { pollAt: NOW + 30, quietUntil: 0 };
  return { is: 'polled', inFlight: 0, ended: 0, ...times, halt: false, ...more };
}

const ids = (queue: readonly { change: { device: { id: string } } }[]) =>
  queue.map(({ change }) => change.device.id).join('');

describe('X14 a run', () => {
  it('recovers, then reads the fleet, then works', () => {
    expect(FIRST_COMMAND).toEqual({ do: 'recover' });
    const recovered = advance(START, { is: 'recovered', inFlight: 0, pollAt: 0 }, NOW);
    expect(recovered.command).toEqual({ do: 'survey' });
    const surveyed = advance(recovered.state, { is: 'surveyed', queue: [A, B, C] }, NOW);
    expect(surveyed.command).toMatchObject({ do: 'attempt', candidates: [A, B] });
  });

  it('looks again at what earlier runs left open, before anything new, where the service was away', () => {
    const missed = advance(START, { is: 'unrecovered', pollAt: NOW + 30 }, NOW);
    expect(missed.command).toEqual({ do: 'sleep', until: NOW + 30 });
    const slept = advance(missed.state, { is: 'slept' }, NOW + 30);
    expect(slept.command).toEqual({ do: 'recover' });
  });

  it('ends where there is nothing to do', () => {
    const state = { ...START, phase: 'surveying' as const };
    const end = advance(state, { is: 'surveyed', queue: [] }, NOW);
    expect(end).toMatchObject({ command: { do: 'finish' }, state: { phase: 'finished' } });
  });

  it('looks after what earlier runs left in flight although nothing may be attempted', () => {
    const state = { ...START, phase: 'surveying' as const, inFlight: 1, pollAt: NOW + 5 };
    const event: RunEvent = { is: 'surveyed', queue: [], ended: 'guardrail' };
    const next = advance(state, event, NOW);
    expect(next.command).toEqual({ do: 'sleep', until: NOW + 5 });
    const end = advance(next.state, polled(), NOW + 5);
    expect(end).toMatchObject({ command: { do: 'finish' }, state: { ended: 'guardrail' } });
  });

  it('stops at once, whatever it was about', () => {
    for (const phase of ['recovering', 'surveying', 'working'] as const) {
      const state = { ...WORKING, phase, inFlight: 3, pollAt: NOW };
      const end = advance(state, { is: 'stopped', ended: 'interrupted' }, NOW);
      expect(end).toMatchObject({ command: { do: 'finish' }, state: { ended: 'interrupted' } });
    }
  });
});

describe('what comes next', () => {
  it.each([
    ['in flight and due', { inFlight: 1, pollAt: NOW }, { do: 'poll' }],
    [
      'in flight, and nothing has ended yet',
      { inFlight: 1, pollAt: NOW, quietUntil: NOW + 9, queue: [] },
      { do: 'sleep', until: NOW + 9 },
    ],
    [
      'in flight, and headroom is waited for',
      { inFlight: 1, pollAt: NOW, quietUntil: NOW + 9, parked: [A] },
      { do: 'poll', all: true },
    ],
    ['in flight, not due, work left', { inFlight: 1, pollAt: NOW + 9 }, { do: 'attempt' }],
    [
      'in flight, nothing to attempt',
      { inFlight: 1, pollAt: NOW + 9, queue: [] },
      { do: 'sleep', until: NOW + 9 },
    ],
    ['work that has to wait', { attemptAt: NOW + 7 }, { do: 'sleep', until: NOW + 7 }],
    [
      'both to wait for',
      { inFlight: 1, pollAt: NOW + 9, attemptAt: NOW + 7 },
      { do: 'sleep', until: NOW + 7 },
    ],
    ['closed with work left', { closed: true }, { do: 'finish' }],
    ['closed, in flight', { closed: true, inFlight: 1, pollAt: NOW }, { do: 'poll' }],
    ['nothing left, something happened', { queue: [], progressed: true }, { do: 'survey' }],
    ['nothing left, nothing happened', { queue: [] }, { do: 'finish' }],
    [
      'only parked work, something happened',
      { queue: [], parked: [A], progressed: true },
      { do: 'survey' },
    ],
    ['closed, something happened', { queue: [], progressed: true, closed: true }, { do: 'finish' }],
  ] as const)('%s', (_what, state, command) => {
    expect(advance({ ...WORKING, ...state }, { is: 'slept' }, NOW).command).toMatchObject(command);
  });
});

interface After {
  readonly closed: boolean;
  readonly ended?: string;
  readonly attemptAt: number;
  readonly streak: number;
  readonly throttled: number;
  readonly progressed: boolean;
}

/**
 * What every end does to a run that had one failure and one pause behind it, and what one too many
 * does.
 */
const ENDS: Readonly<Record<AttemptEnd, { first: After; last?: Partial<After> }>> = (() => {
  const was = { closed: false, attemptAt: NOW, streak: 1, throttled: 1, progressed: false };
  const failed = { ...was, streak: 2 };
  return {
    poll: { first: { ...was, streak: 0, throttled: 0, progressed: true } },
    settle: { first: failed, last: { closed: true } },
    giveUp: { first: failed, last: { closed: true } },
    backOff: {
      first: { ...failed, attemptAt: NOW + 15_000 },
      last: { closed: true, ended: 'error' },
    },
    unread: {
      first: { ...failed, attemptAt: NOW + 15_000 },
      last: { closed: true, ended: 'error' },
    },
    lost: { first: failed, last: { closed: true, ended: 'locked' } },
    throttled: {
      first: { ...was, throttled: 2, attemptAt: NOW + 30_000 },
      last: { closed: true, ended: 'error' },
    },
    renewToken: { first: was, last: { closed: true, ended: 'error' } },
    stopAttempts: { first: { ...was, closed: true, ended: 'error' } },
    halt: { first: { ...was, closed: true, ended: 'unfit' } },
    refused: { first: { ...was, closed: true, ended: 'guardrail' } },
    overtaken: { first: { ...was, closed: true, ended: 'overtaken' } },
    unlooked: {
      first: { ...was, throttled: 2, attemptAt: NOW + 5_000 },
      last: { closed: true, ended: 'unfit' },
    },
    nothing: { first: was },
    held: { first: { ...was, attemptAt: NOW + 5_000 } },
    unwritten: {
      first: { ...failed, attemptAt: NOW + 15_000 },
      last: { closed: true, ended: 'unfit' },
    },
    tooSlow: { first: was },
    snapshotStale: {
      first: { ...was, throttled: 2, attemptAt: NOW + 5_000 },
      last: { closed: true, ended: 'error' },
    },
  };
})();

describe.each(Object.keys(REACTIONS) as AttemptEnd[])('an attempt that ends %s', (end) => {
  const { first, last } = ENDS[end];
  const event = attempted(end, { done: new Set([A.change.id]) });

  it('changes the run as the table says', () => {
    const { state } = advance({ ...WORKING, streak: 1, throttled: 1 }, event, NOW);
    expect(state).toMatchObject(first);
    expect(state.ended).toBe(first.ended);
    expect(ids(state.queue)).toBe('bc');
  });

  it('X15 closes the run once too often in a row, or never', () => {
    const before = { ...WORKING, streak: TRIES - 1, throttled: PATIENCE - 1, tokenRenewed: true };
    const { state } = advance(before, event, NOW);
    expect(state.closed).toBe(last?.closed ?? first.closed);
    expect(state.ended).toBe(last ? last.ended : first.ended);
  });
});

describe('an attempt', () => {
  it('for which the fleet has outgrown its last reading has it read anew, before anything else', () => {
    const state = { ...WORKING, inFlight: 1, pollAt: NOW };
    const first = advance(state, attempted('snapshotStale', { inFlight: 1, pollAt: NOW }), NOW);
    expect(first.command).toEqual({ do: 'survey' });
    const last = advance({ ...state, throttled: PATIENCE - 1 }, attempted('snapshotStale'), NOW);
    expect(last.command).toEqual({ do: 'finish' });
  });

  it('that found no headroom parks its devices until something ends', () => {
    const parked = new Set([A.change.id, B.change.id]);
    const event = attempted('nothing', { parked });
    const { state } = advance({ ...WORKING, inFlight: 1, pollAt: NOW + 9 }, event, NOW);
    expect([ids(state.queue), ids(state.parked)]).toEqual(['c', 'ab']);
    expect(ids(advance(state, polled({ inFlight: 1 }), NOW).state.queue)).toBe('c');
    expect(ids(advance(state, polled({ ended: 1 }), NOW).state.queue)).toBe('abc');
  });

  it('that changed nothing at all is a bug of ours, since it would be made for ever', () => {
    expect(() => advance(WORKING, attempted('nothing'), NOW)).toThrow('leaves its candidates');
  });

  it('that was too slow makes the next batch half as large', () => {
    const once = advance(WORKING, attempted('tooSlow', { size: 9 }), NOW);
    expect(once.command).toMatchObject({ do: 'attempt', most: 4 });
    expect(advance(WORKING, attempted('tooSlow', { size: 1 }), NOW).state.largest).toBe(1);
  });

  it('after a refused token is made with a new one, once', () => {
    const once = advance(WORKING, attempted('renewToken'), NOW);
    expect(once.command).toMatchObject({ do: 'attempt', renewToken: true });
    expect(advance(once.state, attempted('poll'), NOW).state.tokenRenewed).toBe(false);
    expect(advance(once.state, attempted('renewToken'), NOW).state.closed).toBe(true);
  });

  it('does not put off the next look at what was in flight before', () => {
    const event = attempted('poll', { inFlight: 2, pollAt: NOW + 30 });
    expect(advance({ ...WORKING, inFlight: 1, pollAt: NOW + 5 }, event, NOW).state.pollAt).toBe(
      NOW + 5,
    );
    expect(advance(WORKING, event, NOW).state.pollAt).toBe(NOW + 30);
  });
});

describe('a sleep that was far longer than asked for', () => {
  const overslept = { is: 'slept', anew: true } as const;

  it('lets the run begin anew: nothing that was read before is relied on', () => {
    const { state, command } = advance({ ...WORKING, waitsUntil: NOW + 9 }, overslept, NOW);
    expect([command.do, state]).toEqual(['recover', { ...START, waitsUntil: NOW + 9 }]);
  });

  it('opens nothing that was closed, and looks after what is in flight', () => {
    const closed = { ...WORKING, closed: true, inFlight: 1, pollAt: NOW };
    expect(advance(closed, overslept, NOW)).toMatchObject({
      state: closed,
      command: { do: 'poll' },
    });
  });
});

describe('looking after what is in flight', () => {
  it('ends all attempts where the service shows what must not be', () => {
    const { state, command } = advance(WORKING, polled({ halt: true }), NOW);
    expect([state.closed, state.ended, command.do]).toEqual([true, 'unfit', 'finish']);
  });
});
