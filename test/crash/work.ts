import { readRehearsal } from '../support/rehearsal-world.ts';
import { enumerate, type Ledger, type Part, type Row } from './enumerate.ts';
import type { Heir } from './life.ts';
import { shareOf } from './points.ts';

/** What one thread is given to do: a part of one rehearsal. */
export interface Task {
  readonly rehearsal: string;
  readonly part: Part;
  readonly heirs: readonly Heir[];
  readonly ledger: Ledger;
  /** Effects fail, where otherwise a process dies. */
  readonly errors: boolean;
  /** Of the points every nth alone, beginning with one that the seed chooses. */
  readonly every: number;
  readonly seed: number;
}

/** Lives through a part of a rehearsal. */
export function work(task: Task): Promise<Row> {
  const { errors, every, seed } = task;
  return enumerate(readRehearsal(task.rehearsal), {
    ...task,
    choose: ({ deaths, failures }) => shareOf(errors ? failures : deaths, every, seed),
  });
}
