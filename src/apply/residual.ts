import type { Change } from '../model/change.ts';
import type { RunReport } from '../model/outcome.ts';

/**
 * What remains of a plan after a run: the changes that were wanted and not started, in the plan's
 * order. What was found stale needs a new plan, and what is in flight or in doubt is the ledger's
 * (apply protocol 3.16).
 */
export function residual(report: Pick<RunReport, 'endings'>): readonly Change[] {
  return report.endings
    .filter(({ outcome }) => outcome === 'notStarted')
    .map(({ change }) => change);
}
