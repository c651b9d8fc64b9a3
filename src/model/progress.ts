import { pick } from '../lib/objects.ts';
import type { WorldError } from './error.ts';
import type { Ending } from './ledger/run-report.ts';
import type { RunEvent } from './report/output.gen.ts';
import type { FilterProblem } from './fleet/filter-trial.ts';
import type { Instant } from '../lib/time.ts';

/** An event as `schemas/output/event.schema.json` has it, without its head. */
export type EventBody<E = RunEvent> = E extends RunEvent
  ? Omit<E, 'v' | 'seq' | 'at' | 'organization'>
  : never;

type EventOf<T extends RunEvent['type']> = EventBody<Extract<RunEvent, { readonly type: T }>>;

/**
 * What a long command tells while it works: a terminal shows it as bars, other outputs as lines, and a receiver of
 * events gets those of the schema.
 */
export type ProgressEvent =
  | {
      readonly type: 'phase';
      readonly name: 'reading';
      readonly what: string;
      readonly rows: number;
      readonly total?: number;
    }
  | {
      /**
       * Single reads of devices; `perSecond` is the pace of the documents for them, `due` how many of all decide about
       * something due within a day.
       */
      readonly type: 'phase';
      readonly name: 'details';
      readonly done: number;
      readonly total: number;
      readonly perSecond?: number;
      readonly due?: number;
    }
  | {
      /** What became of each policy of a run so far; `perSecond` is the pace of the documents. */
      readonly type: 'phase';
      readonly name: 'applying';
      readonly policies: readonly PolicyProgress[];
      readonly perSecond: number;
      /** The run is over. */
      readonly isLast?: boolean;
    }
  | {
      /** How many courses of a rehearsal are done, parts of one included. */
      readonly type: 'phase';
      readonly name: 'rehearsing';
      readonly done: number;
      readonly of: number;
    }
  | {
      readonly type: 'phase';
      readonly name: 'recovering';
      readonly open: number;
      readonly inDoubt: number;
    }
  /** `unrecorded`: outcomes that the ledger does not have yet. */
  | { readonly type: 'phase'; readonly name: 'stopping'; readonly unrecorded: number }
  | EventOf<'plan.made' | 'attempt.sent' | 'task.progress' | 'change.ended' | 'stop.tripped'>
  | (EventOf<'attempt.answered'> & {
      /** The waves that it has devices of. */
      readonly waves: readonly StartedWave[];
      readonly row: string;
      readonly taskId?: string;
    })
  | (EventOf<'ledger.lost'> & { readonly failure: Failure })
  | EventOf<'ledger.back'>
  | PlainWait
  | {
      /** The service, or the store of the ledger, does not answer usefully. */
      readonly type: 'waiting';
      readonly reason: 'away';
      readonly failure: Failure;
      /** When the next try is, and when the run ends if no try succeeds. */
      readonly until: Instant;
      readonly givenUpAt: Instant;
    }
  | {
      readonly type: 'waiting';
      readonly reason: 'retrying';
      /** Failed tries, and their limit. */
      readonly tried: number;
      readonly most: number;
      readonly until: Instant;
      /** The status of the answer; absent if there was none. */
      readonly status?: number;
    }
  | ({ readonly type: 'warning' } & Warning);

/** What a person may want to mend, and a run goes on without. */
export type Warning =
  /** A filter does not work, so all rows are read. */
  | {
      readonly code: 'unfiltered';
      readonly parameters: { readonly filter: string; readonly why: FilterProblem };
    }
  /** The list of upgrade paths is unusable, so each kind of device is read separately. */
  | { readonly code: 'pathsUnread'; readonly parameters: Failure }
  /** The service does not show a task; the first one with this failure in a run. */
  | { readonly code: 'taskUnread'; readonly parameters: Failure & { readonly taskId: string } }
  /** An accepted task that the ledger cannot record at present; a file keeps it until it can. */
  | {
      readonly code: 'unrecorded';
      readonly parameters: {
        readonly attemptId: string;
        readonly taskId: string;
        readonly place?: string;
      };
    };

/** A wait that time alone ends. */
export interface PlainWait {
  readonly type: 'waiting';
  readonly until: Instant;
  readonly reason: 'poll' | 'verify' | 'pace' | 'lock' | StartWait;
}

export type WarningOf<C extends Warning['code']> = Extract<Warning, { code: C }>['parameters'];

type Failure = Pick<WorldError, 'code' | 'params'>;

/** Waits of every run, between its requests and for its tasks. */
export const BRIEF: ReadonlySet<string> = new Set(['poll', 'verify', 'pace']);

export function isPlainWait(event: ProgressEvent): event is PlainWait {
  return event.type === 'waiting' && event.reason !== 'away' && event.reason !== 'retrying';
}

type Phase = Extract<ProgressEvent, { readonly type: 'phase' }>;

/** Whether an event tells how far a command is in this phase. */
export function isPhase<N extends Phase['name']>(
  event: ProgressEvent,
  name: N,
): event is Extract<Phase, { readonly name: N }> {
  return event.type === 'phase' && event.name === name;
}

/** A wave of a policy, or a policy without waves, of which a run starts devices. */
export interface StartedWave {
  readonly policy: string;
  readonly wave?: string;
}

/** The changes of one policy in a run, by what became of them so far. */
export interface PolicyProgress {
  readonly policy: string;
  readonly done: number;
  /** With the service, or in doubt. */
  readonly running: number;
  readonly failed: number;
  /** Not started: time alone, or what is running, lets them start. */
  readonly later: number;
  /** Not started until a person acts. */
  readonly person: number;
  /** Those that may start in this run, as capacity frees. */
  readonly startable: number;
  /** The fewest requests that `running` and `startable` take, without polls. */
  readonly requests: number;
}

/** Why nothing of a run can start yet. */
export type StartWait = 'window' | 'freeze' | 'hold' | 'soak' | 'gate' | 'rest' | 'room' | 'due';

/** How a change ended, as it is told; `evidence` says what verified it. */
export function toEnded(
  ending: Omit<EndedEvent, 'type' | 'evidence'> & Pick<Ending, 'resultOnly'>,
): EndedEvent {
  const evidence = ending.resultOnly === true ? 'resultOnly' : 'device';
  return {
    type: 'change.ended',
    ...pick(ending, 'change', 'policy', 'device', 'outcome'),
    ...(ending.outcome === 'verified' && { evidence }),
  };
}

type EndedEvent = EventOf<'change.ended'>;

export type OnProgress = (progress: ProgressEvent) => void;

/** Reports as progress that the ledger cannot be written, and that it can be again. */
export function reportOutage(onProgress: OnProgress): (failure: WorldError | undefined) => void {
  const notify = harmless(onProgress);
  let place = '';
  return (failure) => {
    if (!failure) return notify({ type: 'ledger.back', place });
    const { code, params } = failure;
    place = String(params['place'] ?? '');
    notify({ type: 'ledger.lost', place, failure: { code, params } });
  };
}

/**
 * Wraps an observer so that its errors, immediate or later, do not affect the caller. The observer
 * must report its own errors.
 */
export function harmless<T>(observe: (what: T) => void): (what: T) => void {
  return (what) => {
    try {
      const result: unknown = observe(what);
      if (result instanceof Promise) result.catch(() => undefined);
    } catch {
      // The observed work must not fail because of its observer.
    }
  };
}
