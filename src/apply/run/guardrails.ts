import { compileSelector } from '../../desired/select.ts';
import { judge } from '../../guard/guard.ts';
import type { Change } from '../../model/plan/change.ts';
import type { Verdict } from '../../model/plan/plan.ts';
import { intentOfChange } from '../send/request.ts';
import type { Run, Survey } from './run.ts';

/** The guardrails that refuse changes, on the ledger as it is now (semantics G6). */
export function refusals(run: Run, survey: Survey, changes: Iterable<Change>): readonly Verdict[] {
  const { documents, journal, clock } = run;
  const { snapshot } = survey;
  const verdicts = judge({
    documents,
    snapshot,
    memory: journal.memory,
    changes,
    now: clock.now(),
    members: (selector) => compileSelector(selector, { documents, snapshot }),
  });
  return verdicts.filter(({ passed }) => !passed);
}

/**
 * Whether a guardrail refuses what is left of the work, just before an attempt: an exception may
 * have ended since.
 */
export function isRefusedNow(run: Run): boolean {
  const { survey, work, tried, journal } = run;
  if (!survey) return false;
  const left = work.filter((change) => !tried.has(intentOfChange(change, journal.memory.ledgerId)));
  const refused = refusals(run, survey, left);
  if (refused.length > 0) run.refused = refused;
  return refused.length > 0;
}
