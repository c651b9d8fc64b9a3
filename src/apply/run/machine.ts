import { Bug } from '../../lib/bug.ts';
import type { Instant } from '../../lib/time.ts';
import { batchGroup } from '../../plan/admit/batch.ts';
import type { Candidate } from '../send/candidate.ts';
import type { Command } from './command.ts';
import { PATIENCE, REACTIONS, TRIES, pauseAfter, type Reaction } from './reaction.ts';
import type { Ended, RunEvent } from './run-event.ts';

/** The state of a run. Plain data: the ledger has what happened, this has only what comes next. */
export interface RunState {
  readonly phase: 'recovering' | 'surveying' | 'working' | 'finished';
  /** Wanted changes that have not started, in the plan's order. */
  readonly queue: readonly Candidate[];
  /** Waiting for headroom until an open task ends. */
  readonly parked: readonly Candidate[];
  /** Devices whose task or verification this run still waits for. */
  readonly inFlight: number;
  readonly pollAt: Instant;
  /** No poll before shows anything new (protocol X20). */
  readonly quietUntil: Instant;
  /** The earliest instant of the next attempt. */
  readonly attemptAt: Instant;
  /** The largest batch whose reads were within their age limit. */
  readonly largest: number;
  /** Attempts in a row that failed, and attempts in a row that were throttled. */
  readonly streak: number;
  readonly throttled: number;
  readonly tokenRenewed: boolean;
  /** A task was accepted since the fleet was read. */
  readonly progressed: boolean;
  /** No further attempt in this run. */
  readonly closed: boolean;
  /** The run waits for changes that may start before this. */
  readonly waitsUntil: Instant;
  /** When something may next start, once it is known that nothing may now. */
  readonly nextWake?: RunEvent & { readonly is: 'wakeFound' };
  readonly ended?: Ended;
}

export const START: RunState = {
  phase: 'recovering',
  queue: [],
  parked: [],
  inFlight: 0,
  pollAt: 0,
  quietUntil: 0,
  attemptAt: 0,
  largest: Infinity,
  streak: 0,
  throttled: 0,
  tokenRenewed: false,
  progressed: false,
  closed: false,
  waitsUntil: -Infinity,
};

/**
 * The run as a state machine: takes events and the time, returns the next command. Pure; the order
 * below is the whole policy (protocol X14): first open tasks, then one attempt, then sleep, then
 * another reading of the fleet if a task was accepted or has ended, then waiting for a change that can start in
 * time, which restarts the run, then the end.
 */
export function advance(
  state: RunState,
  event: RunEvent,
  now: Instant,
): { readonly state: RunState; readonly command: Command } {
  const next = happened(state, event, now);
  const command = decide(next, now);
  if (command.do === 'recover') return { state: anew(next), command };
  if (command.do === 'survey') return { state: { ...next, phase: 'surveying' }, command };
  return { state: command.do === 'finish' ? { ...next, phase: 'finished' } : next, command };
}

/** The state at the start of a run: without any earlier reading. */
function anew({ waitsUntil }: RunState): RunState {
  return { ...START, waitsUntil };
}

/** The first command of every run. */
export const FIRST_COMMAND: Command = { do: 'recover' };

function happened(state: RunState, event: RunEvent, now: Instant): RunState {
  switch (event.is) {
    case 'recovered':
      return { ...state, phase: 'surveying', inFlight: event.inFlight, pollAt: event.pollAt };
    case 'unrecovered':
      return { ...state, pollAt: event.pollAt };
    case 'surveyed':
      return surveyed(state, event);
    case 'attempted':
      return attempted(state, event, now);
    case 'polled':
      return polled(state, event);
    case 'wakeFound':
      return { ...state, nextWake: event };
    case 'slept':
      return event.anew && state.phase === 'working' && !state.closed ? anew(state) : state;
    case 'stopped':
      return { ...state, phase: 'finished', closed: true, ended: event.ended };
  }
}

function surveyed(state: RunState, event: RunEvent & { is: 'surveyed' }): RunState {
  const { queue, ended } = event;
  const fresh = { ...state, phase: 'working' as const, queue, parked: [], progressed: false };
  return ended ? { ...fresh, closed: true, ended } : fresh;
}

function attempted(state: RunState, event: RunEvent & { is: 'attempted' }, now: Instant): RunState {
  if (event.end === 'nothing' && event.done.size + event.parked.size === 0)
    throw new Bug('an attempt that came to nothing leaves its candidates in the queue');
  const reaction = REACTIONS[event.end];
  const { streak, throttled } = counted(state, reaction.counts);
  const refusedAgain = event.end === 'renewToken' && state.tokenRenewed;
  const exhausted = streak >= TRIES || throttled >= PATIENCE || refusedAgain;
  const parked = state.queue.filter(({ change }) => event.parked.has(change.id));
  return {
    ...state,
    queue: state.queue.filter(
      ({ change }) => !event.done.has(change.id) && !event.parked.has(change.id),
    ),
    parked: [...state.parked, ...parked],
    inFlight: event.inFlight,
    pollAt: state.inFlight > 0 ? state.pollAt : event.pollAt,
    quietUntil: state.inFlight > 0 ? Math.min(state.quietUntil, event.pollAt) : event.pollAt,
    attemptAt: now + pauseAfter(event, streak),
    largest: event.end === 'tooSlow' ? Math.max(1, event.size >> 1) : state.largest,
    streak,
    throttled,
    tokenRenewed: event.end === 'renewToken' || (state.tokenRenewed && event.end !== 'poll'),
    progressed: state.progressed || event.end === 'poll',
    ...after(state, reaction, exhausted),
  };
}

/** Whether a run continues after an attempt, and with what. */
function after(
  { phase, closed }: RunState,
  { closes, reads, ends, exhausted: exhaustedBy }: Reaction,
  exhausted: boolean,
): Pick<RunState, 'phase' | 'closed' | 'ended'> {
  const ended = exhausted ? exhaustedBy : ends;
  const isOver = closed || exhausted || closes;
  return {
    phase: reads && !isOver ? 'surveying' : phase,
    closed: isOver,
    ...(ended && { ended }),
  };
}

function counted(
  { streak, throttled }: RunState,
  counts: Reaction['counts'],
): Pick<RunState, 'streak' | 'throttled'> {
  if (counts === 'success') return { streak: 0, throttled: 0 };
  if (counts === 'throttle') return { streak, throttled: throttled + 1 };
  return { streak: counts === 'failure' ? streak + 1 : streak, throttled };
}

function polled(state: RunState, event: RunEvent & { is: 'polled' }): RunState {
  const freed = event.ended > 0 ? state.parked : [];
  return {
    ...state,
    queue: [...state.queue, ...freed].sort((a, b) => a.order - b.order),
    parked: event.ended > 0 ? [] : state.parked,
    inFlight: event.inFlight,
    pollAt: event.pollAt,
    quietUntil: event.quietUntil,
    progressed: state.progressed || event.ended > 0,
    closed: state.closed || event.halt,
    ...(event.halt && { ended: 'unfit' as const }),
  };
}

function decide(state: RunState, now: Instant): Command {
  if (state.phase === 'finished') return { do: 'finish' };
  if (state.phase === 'recovering')
    return now >= state.pollAt ? { do: 'recover' } : { do: 'sleep', until: state.pollAt };
  if (state.phase === 'surveying') return { do: 'survey' };
  const all = state.parked.length > 0;
  const soonest = Math.max(state.pollAt, all ? 0 : state.quietUntil);
  const pollAt = state.inFlight > 0 ? soonest : Infinity;
  if (now >= pollAt) return { do: 'poll', all };
  const [first] = state.closed ? [] : state.queue;
  if (first && now >= state.attemptAt) return attemptCommand(first, state);
  const until = Math.min(pollAt, first ? state.attemptAt : Infinity);
  if (until < Infinity) return { do: 'sleep', until };
  if (state.closed) return { do: 'finish' };
  return state.progressed ? { do: 'survey', tasksEnded: true } : wait(state, now);
}

/** Nothing may start now: the run waits for a change that can start in time, and then restarts. */
function wait({ waitsUntil, nextWake }: RunState, now: Instant): Command {
  if (now >= waitsUntil) return { do: 'finish' };
  if (!nextWake) return { do: 'findWake' };
  const { at, why } = nextWake;
  if (at > waitsUntil) return { do: 'finish' };
  return now < at ? { do: 'sleep', until: at, why } : { do: 'recover' };
}

function attemptCommand(first: Candidate, state: RunState): Command {
  const group = batchGroup(first);
  return {
    do: 'attempt',
    task: first.change.task,
    candidates: state.queue.filter((candidate) => batchGroup(candidate) === group),
    most: state.largest,
    renewToken: state.tokenRenewed,
  };
}
