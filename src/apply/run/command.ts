import type { PlainWait } from '../../model/progress.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Instant } from '../../lib/time.ts';
import type { Candidate } from '../send/candidate.ts';

/** The event that a run waits for. */
export type Awaited = PlainWait['reason'];

/** The next command for the interpreter. */
export type Command =
  | { readonly do: 'recover' }
  /** `tasksEnded`: where all went well, the last reading will do. */
  | { readonly do: 'survey'; readonly tasksEnded?: true }
  | {
      readonly do: 'attempt';
      readonly task: TaskType;
      /** All candidates that may share the POST, in the plan's order. */
      readonly candidates: readonly Candidate[];
      readonly most: number;
      readonly renewToken: boolean;
    }
  /** `all`: also tasks that are not due yet, because a change waits for their headroom. */
  | { readonly do: 'poll'; readonly all: boolean }
  /**
   * Finds out when something may start, if nothing is in progress and nothing is left to attempt.
   */
  | { readonly do: 'findWake' }
  | { readonly do: 'sleep'; readonly until: Instant; readonly why?: Awaited }
  | { readonly do: 'finish' };
