import type { GuardrailLimit } from './guardrail.ts';
import type { MeantException } from './meant.gen.ts';
import type { Sourced } from './source.ts';
import type { BudgetLimit } from './values.ts';
import type { TaskType } from '../fleet/task.ts';

interface ExceptionBase extends Pick<
  MeantException,
  'select' | 'until' | 'notice' | 'reason' | 'owner' | 'ticket'
> {
  readonly tasks: readonly TaskType[];
}

/** The closed list of limits that an exception of type `allow` can open (semantics E6). */
export type Allowed =
  | {
      readonly allow: 'guardrail';
      readonly guardrail: GuardrailLimit;
      /** The limit while the exception is in force; percentages as numbers. */
      readonly value: number;
    }
  | {
      /** The approval that a wave waits for. */
      readonly allow: 'gate';
      readonly rollout: string;
      readonly wave: string;
    }
  | {
      /** A budget whose limit is at least `value` for the selected devices (semantics N47). */
      readonly allow: 'budget';
      readonly budget: string;
      readonly value: BudgetLimit;
    }
  /** `singleton`: the approval that sets of one require. `skipCanary`: no canary wave is needed. */
  | { readonly allow: 'singleton' | 'skipCanary' };

export type Exception =
  | (ExceptionBase & { readonly type: 'hold' })
  | (ExceptionBase & { readonly type: 'exclude' })
  | (ExceptionBase & {
      readonly type: 'acknowledge';
      /** Codes and more precise words of reasons: a change that needs a person for another one still does. */
      readonly reasons: readonly string[];
    })
  | (ExceptionBase & {
      readonly type: 'pin';
      readonly version: string;
      readonly acceptsRisk: boolean;
    })
  | (ExceptionBase & {
      /** Break glass: passes windows, soft freezes, deferral, spread and soak. */
      readonly type: 'expedite';
      readonly skipCanary: boolean;
      readonly approvers: readonly string[];
    })
  | (ExceptionBase & { readonly type: 'allow' } & Allowed);

export type ExceptionOf<T extends Exception['type']> = Extract<Exception, { readonly type: T }>;

/** Tells the exceptions of some types. */
export function isOfType<T extends Exception['type']>(...types: readonly T[]) {
  return (entry: Sourced<Exception>): entry is Sourced<ExceptionOf<T>> =>
    types.some((type) => type === entry.value.type);
}
