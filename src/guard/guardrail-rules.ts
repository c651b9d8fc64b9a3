import type { GuardrailLimit } from '../model/documents/policy.ts';
import { maxChanges } from './max-changes.ts';
import { maxPercentOfFleet } from './max-percent-of-fleet.ts';
import { maxPercentOfSite } from './max-percent-of-site.ts';
import { maxSitesAtOnce } from './max-sites-at-once.ts';
import { maxVanished } from './max-vanished.ts';
import type { LimitRule } from './rule.ts';

/** The rule of each limit. A further guardrail is one file and one line here. */
export const LIMIT_RULES: Readonly<Record<GuardrailLimit, LimitRule>> = {
  maxPercentOfFleet,
  maxChanges,
  maxPercentOfSite,
  maxSitesAtOnce,
  maxVanished,
};
