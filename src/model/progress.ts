import type { WorldError } from './error.ts';
import type { Outcome } from './ledger/run-report.ts';
import type { PostOutcome } from './ledger/record.ts';
import type { FilterProblem } from './fleet/filter-trial.ts';
import type { TaskType } from './fleet/task.ts';
import type { Instant } from '../lib/time.ts';

/** Progress of a long command; a terminal shows it as bars, other outputs as lines. */
export type ProgressEvent =
  | {
      readonly kind: 'reading';
      readonly what: string;
      readonly rows: number;
      readonly total?: number;
    }
  | {
      /**
       * Single reads of devices; `perSecond` is the pace of the documents for them, `due` how many of all decide about
       * something due within a day.
       */
      readonly kind: 'facts';
      readonly done: number;
      readonly total: number;
      readonly perSecond?: number;
      readonly due?: number;
    }
  | {
      /** What became of each policy of a run so far; `perSecond` is the pace of the documents. */
      readonly kind: 'policies';
      readonly policies: readonly PolicyProgress[];
      readonly perSecond: number;
      /** The run is over. */
      readonly isLast?: boolean;
    }
  | {
      /** How many courses of a rehearsal are done, parts of one included. */
      readonly kind: 'rehearsing';
      readonly done: number;
      readonly of: number;
    }
  | { readonly kind: 'recovering'; readonly open: number; readonly inDoubt: number }
  | {
      readonly kind: 'attempt';
      readonly task: TaskType;
      readonly attemptId: string;
      readonly devices: readonly string[];
    }
  | {
      readonly kind: 'posted';
      readonly task: TaskType;
      readonly attemptId: string;
      /** The waves that it has devices of. */
      readonly waves: readonly StartedWave[];
      readonly outcome: PostOutcome;
      readonly row: string;
      readonly taskId?: string;
    }
  | {
      /**
       * An accepted task that the ledger cannot record at present; a file keeps it until it can.
       */
      readonly kind: 'unrecorded';
      readonly attemptId: string;
      readonly taskId: string;
      readonly place?: string;
    }
  /** The ledger does not take what the run writes; it takes it again. */
  | { readonly kind: 'unwritable'; readonly failure: Pick<WorldError, 'code' | 'params'> }
  | { readonly kind: 'writable' }
  | {
      readonly kind: 'polled';
      readonly taskId: string;
      readonly completed: number;
      readonly total: number;
    }
  | {
      /** The service does not show a task; the first one with this failure in a run. */
      readonly kind: 'taskUnread';
      readonly taskId: string;
      readonly failure: Pick<WorldError, 'code' | 'params'>;
    }
  | {
      readonly kind: 'ended';
      readonly task: TaskType;
      readonly device: string;
      readonly outcome: Outcome;
      readonly done: number;
      readonly total: number;
    }
  | {
      readonly kind: 'waiting';
      readonly until: Instant;
      readonly why: 'poll' | 'verify' | 'pace' | 'lock' | StartWait;
    }
  | {
      /** The service, or the store of the ledger, does not answer usefully. */
      readonly kind: 'away';
      readonly failure: Pick<WorldError, 'code' | 'params'>;
      /** When the next try is, and when the run ends if no try succeeds. */
      readonly until: Instant;
      readonly givenUpAt: Instant;
    }
  | {
      readonly kind: 'retrying';
      /** Failed tries, and their limit. */
      readonly tried: number;
      readonly most: number;
      readonly until: Instant;
      /** The status of the answer; absent if there was none. */
      readonly status?: number;
    }
  | {
      /** A filter does not work, so all rows are read. */
      readonly kind: 'unfiltered';
      readonly filter: string;
      readonly why: FilterProblem;
    }
  | {
      /** The list of upgrade paths is unusable, so each kind of device is read separately. */
      readonly kind: 'pathsUnread';
      readonly failure: Pick<WorldError, 'code' | 'params'>;
    }
  /** `unrecorded`: outcomes that the ledger does not have yet. */
  | { readonly kind: 'stopping'; readonly unrecorded: number };

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

export type OnProgress = (progress: ProgressEvent) => void;

/** Reports as progress that the ledger cannot be written, and that it can be again. */
export function reportOutage(onProgress: OnProgress): (failure: WorldError | undefined) => void {
  const notify = harmless(onProgress);
  return (failure) => {
    if (!failure) return notify({ kind: 'writable' });
    const { code, params } = failure;
    notify({ kind: 'unwritable', failure: { code, params } });
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
