import type { LineOrigin } from '../documents/origin.ts';
import type { SourceLocation } from '../documents/source.ts';
import type { Changes } from './change.ts';
import type { GuardrailVerdict, PlanBase, PlanParts } from './plan.gen.ts';

export type {
  Counts,
  DroppedClass,
  FrozenDates,
  GuardrailVerdict,
  HoursSpan,
  PauseNote,
  PlanBase,
  PlanDates,
  PlanHours,
  PlanInputs,
  PlanWave,
  UndatedChanges,
  WindowHours,
} from './plan.gen.ts';

/** Version of the plan format; a reader refuses another. */
export const PLAN_VERSION: PlanParts['version'] = 1;

/** How much one policy counts in a refused plan. */
export type PolicyShare = NonNullable<GuardrailVerdict['policies']>[number];

/** A branch that lacks commits of its base. */
export type Behind = NonNullable<PlanBase['behind']>;

/** The changes that apply makes, with reasons. The same input gives the same bytes. */
export interface Plan extends PlanParts {
  readonly changes: Changes;
  /** The commits that the lines of the changes come from; absent outside a repository. */
  readonly origins?: readonly PlanOrigin[];
  /** Who wrote the entries that the changes come from; absent outside a repository. */
  readonly authors?: readonly EntryAuthors[];
}

/** An entry, or one device of a list, from its first line to its last, and who wrote any line of it. */
export interface EntryAuthors extends Pick<SourceLocation, 'file' | 'line'> {
  readonly last: number;
  /** The first few commits, each once, newest first. */
  readonly by: readonly LineOrigin[];
  /** The number of further commits. */
  readonly more?: number;
}

/** Who wrote a line that a change refers to. */
export type PlanOrigin = LineOrigin & Pick<SourceLocation, 'file' | 'line'>;
