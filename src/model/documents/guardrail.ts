export const GUARDRAIL_LIMITS = [
  'maxPercentOfFleet',
  'maxChanges',
  'maxPercentOfSite',
  'maxSitesAtOnce',
  'maxVanished',
] as const;
export type GuardrailLimit = (typeof GUARDRAIL_LIMITS)[number];

/** A limit of a verdict: one of a guardrail, or the `expect` of an incident. */
export type VerdictLimit = GuardrailLimit | 'expect' | 'tasksLost';

/** The limits of one guardrail entry; percents as numbers (30 means 30 %). */
export type Guardrail = Readonly<Partial<Record<GuardrailLimit, number>>>;

/** How many of `total` a percent allows: rounded up, to at least 1 unless it is written 0. */
export function countAtPercent(total: number, percent: number): number {
  if (percent === 0) return 0;
  return Math.max(1, Math.ceil(Math.round(total * percent * 100) / 10_000));
}
