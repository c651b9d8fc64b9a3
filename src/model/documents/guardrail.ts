import type { MeantGuardrail } from './meant.gen.ts';

/** The limits of one guardrail entry; percents as numbers (30 means 30 %). */
export type Guardrail = MeantGuardrail;
export type GuardrailLimit = keyof Guardrail;

/** A limit of a verdict: one of a guardrail, what an incident expects, or a task that devices have lost. */
export type VerdictLimit = GuardrailLimit | 'expect' | 'tasksLost';

/** How many of `total` a percent allows: rounded up, to at least 1 unless it is written 0. */
export function countAtPercent(total: number, percent: number): number {
  if (percent === 0) return 0;
  return Math.max(1, Math.ceil(Math.round(total * percent * 100) / 10_000));
}
