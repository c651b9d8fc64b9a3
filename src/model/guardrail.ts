export const GUARDRAIL_LIMITS = [
  'maxPercentOfFleet',
  'maxChanges',
  'maxPercentOfSite',
  'maxSitesAtOnce',
  'maxVanished',
] as const;
export type GuardrailLimit = (typeof GUARDRAIL_LIMITS)[number];

/** The limits of one guardrail entry; percents as numbers (30 means 30 %). */
export type Guardrail = Readonly<Partial<Record<GuardrailLimit, number>>>;
