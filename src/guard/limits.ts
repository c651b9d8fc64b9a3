import type { GuardrailLimit } from '../model/documents/policy.ts';
import { maxChanges } from './max-changes.ts';
import { maxPercentOfFleet } from './max-percent-of-fleet.ts';
import { maxPercentOfSite } from './max-percent-of-site.ts';
import { maxSitesAtOnce } from './max-sites-at-once.ts';
import { maxVanished } from './max-vanished.ts';
import type { Limit } from './limit.ts';

/** What each limit counts. */
export const LIMITS: Readonly<Record<GuardrailLimit, Limit>> = {
  maxPercentOfFleet,
  maxChanges,
  maxPercentOfSite,
  maxSitesAtOnce,
  maxVanished,
};

export const LIMIT_NAMES = Object.keys(LIMITS) as readonly GuardrailLimit[];
