import type { RecordBody } from '../model/record.ts';
import { rolloutRecord } from '../rollout/rollout-records.ts';
import type { Member } from './request.ts';
import { followNow } from './rollouts.ts';
import type { Run } from './run.ts';

/**
 * The PLAN record, before the first attempt of a run: a run that attempts nothing leaves nothing.
 */
export function planRecords(run: Run): readonly RecordBody[] {
  const { answersFor, survey, approved } = run;
  if (!answersFor || !survey || run.recordedPlan === answersFor.id) return [];
  const { commit = '', snapshot } = survey.plan.inputs;
  const { devices, sites, confidence } = snapshot;
  return [
    {
      type: 'PLAN',
      planId: answersFor.id,
      commit,
      fromFile: approved !== undefined,
      counts: { devices, sites, changes: answersFor.changes.length },
      confidence,
    },
  ];
}

/**
 * The ROLLOUT record, before the first attempt of a policy with a rollout: it freezes who is in
 * which wave, and guardrails no longer count these devices. Later ones add who came since.
 */
export function rolloutRecords(run: Run, members: readonly Member[]): readonly RecordBody[] {
  const [first] = members;
  const followed = first && followNow(run).get(first.change.at.policy);
  const ids = members.map(({ change }) => change.device.id);
  const body = followed && rolloutRecord(followed, ids);
  return body ? [body] : [];
}
