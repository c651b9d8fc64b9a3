import type { GuardrailLimit } from './guardrail.ts';
import type { Selector } from './selector.ts';
import type { TaskType } from './task.ts';
import type { Instant, Milliseconds } from './time.ts';

interface ExceptionBase {
  readonly select?: Selector;
  readonly tasks: readonly TaskType[];
  readonly until: Instant;
  readonly notice: Milliseconds;
  readonly reason: string;
  readonly owner: string;
  readonly ticket: string;
}
export type Exception =
  | (ExceptionBase & { readonly type: 'hold' | 'exclude' })
  | (ExceptionBase & {
      readonly type: 'pin';
      readonly version: string;
      readonly acceptsRisk: boolean;
    })
  | (ExceptionBase & {
      readonly type: 'allow';
      readonly guardrail: GuardrailLimit;
      readonly value: number;
    });
