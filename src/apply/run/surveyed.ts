import { findRefusing } from '../../model/documents/diagnostic.ts';
import type { Ending, Surveyed } from '../../model/ledger/run-report.ts';
import { findColumn, isDecided } from '../../model/plan/actor.ts';
import { coverageOnRecord } from '../../plan/coverage-record.ts';
import type { Run } from './run.ts';

/** What the last reading covers; undefined before the first, and in a run that only finishes tasks. */
export function describeSurvey(run: Run, endings: readonly Ending[]): Surveyed | undefined {
  const { survey } = run.reading;
  const { plan } = survey ?? {};
  if (!survey || !plan?.coverage) return undefined;
  const { coverage, timeZone } = plan;
  const told = new Map(endings.map(({ change, ...ending }) => [change.id, ending]));
  const beyond = [...plan.changes].filter(
    ({ action, id }) => action === 'run' && isBeyond(told.get(id)),
  ).length;
  const left = endings.filter(needsPerson).map(({ change }) => change.id);
  const onRecord = coverageOnRecord(survey, { before: run.personBefore, left });
  const person = onRecord?.person ?? [...coverage.person, ...left];
  return {
    coverage,
    ...(timeZone !== undefined && { timeZone }),
    isTorn: plan.inputs.snapshot.confidence === 'torn',
    refusing: findRefusing(plan.warnings),
    overdue: plan.warnings
      .filter(({ code }) => code === 'pastDeadline')
      .map(({ params }) => String(params['policy'])),
    beyond,
    news: person.filter((id) => !run.personBefore.has(id)),
    ...(plan.part && { isPart: true }),
    ...(onRecord && { onRecord }),
  };
}

/** Whether the report has no answer for a change of the last plan, or one that this plan outdates. */
function isBeyond(ending: Omit<Ending, 'change'> | undefined): boolean {
  const { code, why } = ending?.reason ?? {};
  return !ending || ending.outcome === 'verified' || code === 'stale' || why === 'takenOver';
}

function needsPerson({ outcome, reason }: Ending): boolean {
  if (!reason || outcome === 'verified') return false;
  return findColumn({ action: 'wait', reason }) === 'person' && !isDecided(reason);
}
