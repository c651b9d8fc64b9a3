import type { Policy } from '../model/policy.ts';
import type { RecordBody } from '../model/record.ts';
import { wishDigest } from '../model/wish-digest.ts';
import { isWanted } from '../plan/identify.ts';
import type { Member } from './request.ts';
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
 * The ROLLOUT record, before the first attempt of a campaign that the ledger does not cover yet:
 * from then on guardrails no longer count its devices. A wish that falls due again by itself (an
 * age, a version that moves with what is approved) is no campaign: covered once, it would never be
 * counted again.
 */
export function rolloutRecords(run: Run, members: readonly Member[]): readonly RecordBody[] {
  const [first] = members;
  if (!first || !isCampaign(first.candidate.policy.value)) return [];
  const policy = first.candidate.policy.value;
  const targetDigest = wishDigest(policy);
  const covered = run.journal.memory.covered(policy.address, targetDigest);
  if (members.every(({ change }) => covered.has(change.device.id))) return [];
  const base = run.work
    .filter((change) => isWanted(change) && change.at.policy === policy.address)
    .map(({ device }) => device.id);
  return [{ type: 'ROLLOUT', policy: policy.address, targetDigest, base }];
}

function isCampaign(policy: Policy): boolean {
  if (policy.section === 'firmware') return policy.version.is === 'exact';
  return policy.section === 'rotations' && policy.due.is === 'never';
}
