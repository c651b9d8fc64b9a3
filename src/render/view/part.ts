import { matchesAny } from '../../lib/glob.ts';
import { sumCounts } from '../../lib/group-by.ts';
import type { Change, Changes } from '../../model/plan/change.ts';
import type { Plan } from '../../model/plan/plan.ts';

/** What of a plan is shown: policies and sites, each by name or glob; an empty list is all. */
interface ShownPart {
  readonly policies: readonly string[];
  readonly sites: readonly string[];
}

/** What of a saved plan is shown, and how many changes the whole has. */
export interface ShownOf extends ShownPart {
  readonly of: number;
}

/**
 * The same plan with fewer changes: those of these policies at these sites. Its ID, its verdicts and
 * its inputs stay, since they are of the whole plan. Notes have no site, so that they are shown by
 * policy alone, and not where sites are named. Undefined if nothing fits.
 */
export function showPart(plan: Plan, part: ShownPart): Plan | undefined {
  const isMeant = (policy: string): boolean => isShown(part, policy);
  const fits = ({ at, device }: Change): boolean =>
    isMeant(at.policy) && (part.sites.length === 0 || isAt(device.site, part.sites));
  const counts = { run: 0, wait: 0, skip: 0, note: 0 };
  for (const { action } of fitting(plan.changes, fits)) counts[action] += 1;
  const notes = part.sites.length === 0 ? plan.notes.filter(({ at }) => isMeant(at.policy)) : [];
  const noted = sumCounts(notes);
  const length = counts.run + counts.wait + counts.skip + counts.note;
  if (length + noted === 0) return undefined;
  const { base: _base, hours: _hours, ...whole } = plan;
  return {
    ...whole,
    changes: { length, [Symbol.iterator]: () => fitting(plan.changes, fits) },
    counts: { ...counts, note: counts.note + noted },
    notes,
    waves: plan.waves.filter(({ policy }) => isMeant(policy)),
    ...(plan.dates && { dates: plan.dates.filter(({ policy }) => isMeant(policy)) }),
  };
}

/** Whether a part names a policy, or none. */
export function isShown({ policies }: Pick<ShownPart, 'policies'>, policy: string): boolean {
  return policies.length === 0 || matchesAny(policies, policy);
}

/** A device may be at several sites, joined with a comma. */
function isAt(site: string | undefined, sites: readonly string[]): boolean {
  if (site === undefined) return false;
  return matchesAny(sites, site) || site.split(', ').some((name) => matchesAny(sites, name));
}

function* fitting(changes: Changes, fits: (change: Change) => boolean): Generator<Change> {
  for (const change of changes) if (fits(change)) yield change;
}
