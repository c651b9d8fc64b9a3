import type { Verdict } from '../../model/plan/plan.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import { basisOf } from '../../plan/compare/evidence.ts';
import { rolloutRecord } from '../../rollout/progress/rollout-records.ts';
import { intentOfChange, type Member } from './request.ts';
import type { Rollouts } from '../run/rollouts.ts';
import type { Run } from '../run/run.ts';

/**
 * The PLAN record, before the first attempt of a run: a run that attempts nothing leaves nothing. It
 * names by digests what the approved plan rests on, and what the run itself read.
 */
export function planRecords(run: Run): readonly RecordBody[] {
  const { answersFor, survey, approved } = run;
  if (!answersFor || !survey || run.recordedPlan === answersFor.id) return [];
  const { commit = '', dirty, documents, snapshot } = survey.plan.inputs;
  const { devices, sites, confidence } = snapshot;
  const approval = run.approval ?? { by: approved ? 'file' : 'commit', named: false };
  const basis = basisOf(answersFor, { isFile: approval.by === 'file' });
  const isOwn =
    basis.snapshot === snapshot.digest &&
    basis.documents === documents &&
    (basis.commit ?? '') === commit &&
    basis.dirty === dirty;
  const changed = dirty === undefined ? {} : { dirty };
  const raised = raisedIn([...answersFor.verdicts, ...survey.plan.verdicts]);
  return [
    {
      type: 'PLAN',
      planId: answersFor.id,
      commit,
      fromFile: approved !== undefined,
      counts: { devices, sites, changes: answersFor.changes.length },
      confidence,
      approvedBy: approval.by,
      named: approval.named,
      ...(raised.length > 0 && { raisedBy: raised }),
      basis,
      ...(!isOwn && { reading: { documents, ...changed, snapshot: snapshot.digest } }),
    },
  ];
}

/** The exceptions that raised a limit, each once. */
function raisedIn(verdicts: readonly Verdict[]): readonly string[] {
  const raised = verdicts.flatMap(({ raisedBy }) => (raisedBy ? [raisedBy.policy] : []));
  return [...new Set(raised)].sort();
}

/**
 * The ROLLOUT record, before the first attempt of a policy with a rollout: it freezes who is in
 * which wave, and guardrails no longer count these devices. Later ones add who came since.
 */
export function rolloutRecords(
  rollouts: Rollouts,
  members: readonly Member[],
): readonly RecordBody[] {
  const [first] = members;
  const followed = first && rollouts.get(first.change.at.policy);
  const ids = members.map(({ change }) => change.device.id);
  const body = followed && rolloutRecord(followed, ids);
  return body ? [body] : [];
}

/** What was said of them while they waited is over: from here on the ledger tells, whoever closes it. */
export function setOut(run: Run, members: readonly Member[]): void {
  for (const { change } of members) {
    run.said.delete(change.id);
    run.touched.add(intentOfChange(change, run.journal.memory.ledgerId));
  }
}
