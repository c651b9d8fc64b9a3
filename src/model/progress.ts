import type { WorldError } from './error.ts';
import type { Outcome } from './ledger/outcome.ts';
import type { PostOutcome } from './ledger/record.ts';
import type { FilterProblem } from './fleet/filter-trial.ts';
import type { TaskType } from './fleet/task.ts';
import type { Instant } from '../lib/time.ts';

/**
 * What a long command is doing, as it happens; a terminal draws bars from it, elsewhere each is a
 * line.
 */
export type ProgressEvent =
  | {
      readonly kind: 'reading';
      readonly what: string;
      readonly rows: number;
      readonly total?: number;
    }
  | { readonly kind: 'facts'; readonly done: number; readonly total: number }
  | {
      readonly kind: 'planned';
      readonly run: number;
      readonly wait: number;
      readonly skip: number;
      readonly note: number;
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
      readonly outcome: PostOutcome;
      readonly row: string;
      readonly taskId?: string;
    }
  | {
      /** An accepted task that the ledger cannot take for now; kept in a file until it can. */
      readonly kind: 'unrecorded';
      readonly attemptId: string;
      readonly taskId: string;
      readonly place?: string;
    }
  | {
      readonly kind: 'polled';
      readonly taskId: string;
      readonly completed: number;
      readonly total: number;
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
      /** Nothing of use comes from the service, or from the store of the ledger. */
      readonly kind: 'away';
      readonly failure: Pick<WorldError, 'code' | 'params'>;
      /** When it is asked again, and when the run ends if that comes to nothing either. */
      readonly until: Instant;
      readonly givenUpAt: Instant;
    }
  | {
      readonly kind: 'retrying';
      /** Tries that came to nothing, and how many there are at the most. */
      readonly tried: number;
      readonly most: number;
      readonly until: Instant;
    }
  | {
      /** A filter is no help, so that all rows are read and looked at. */
      readonly kind: 'unfiltered';
      readonly filter: string;
      readonly why: FilterProblem;
    }
  | {
      /** The list of upgrade paths is no help, so that each kind of device is asked for. */
      readonly kind: 'pathsUnread';
      readonly failure: Pick<WorldError, 'code' | 'params'>;
    }
  | { readonly kind: 'stopping' };

/** What has to come before anything of a run may start. */
export type StartWait = 'window' | 'freeze' | 'hold' | 'soak' | 'rest' | 'room' | 'due';

export type OnProgress = (progress: ProgressEvent) => void;

/**
 * An observer that cannot steer: whatever it throws, now or later, changes nothing for what it
 * watches. Who is to hear of such a failure is told by the observer itself.
 */
export function harmless<T>(observe: (what: T) => void): (what: T) => void {
  return (what) => {
    try {
      const result: unknown = observe(what);
      if (result instanceof Promise) result.catch(() => undefined);
    } catch {
      // The work that is watched matters more than the watching.
    }
  };
}
