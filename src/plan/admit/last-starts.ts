import { growingInstants } from '../../lib/growing-array.ts';
import type { Instant } from '../../lib/time.ts';
import { togetherIn } from '../decide/decide.ts';
import type { Evaluation } from '../decide/decision-input.ts';
import { lastStartOf } from '../decide/timing.ts';

/** From when on it is too late for each change in its window, by the place of the change. */
export interface LastStarts {
  /** Undefined where no window is asked. */
  at(index: number): Instant | undefined;
  /** How many starts in a row have to fit. */
  together(index: number): number;
  /** Of the next change; one that cannot run, whatever its window says, needs none. */
  push(evaluation?: Evaluation): void;
}

/** Starts without a change; a few bytes for each. */
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
      instants.push((evaluation && lastStartOf(evaluation)) ?? Number.NaN);
    },
  };
}
