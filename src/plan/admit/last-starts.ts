import { growingInstants } from '../../lib/growing-array.ts';
import type { Instant } from '../../lib/time.ts';
import { togetherIn } from '../decide/decide.ts';
import type { Evaluation } from '../decide/decision-input.ts';
import { findLastStart } from '../decide/timing.ts';

/** The last start of each change in its window, by the change's position. */
export interface LastStarts {
  /** Undefined where no window applies. */
  at(index: number): Instant | undefined;
  /** The number of consecutive starts that must fit. */
  together(index: number): number;
  /** Adds the next change; without an evaluation for one that cannot run in any window. */
  push(evaluation?: Evaluation): void;
}

/** Starts empty; each change takes a few bytes. */
export function createLastStarts(): LastStarts {
  const instants = growingInstants();
  const several = new Map<number, number>();
  return {
    at(index) {
      const instant = instants.at(index);
      return Number.isNaN(instant) ? undefined : instant;
    },
    together: (index) => several.get(index) ?? 1,
    push(evaluation) {
      const { together = 1 } = evaluation ? togetherIn(evaluation.judgement) : {};
      if (together > 1) several.set(instants.length, together);
      instants.push((evaluation && findLastStart(evaluation)) ?? Number.NaN);
    },
  };
}
