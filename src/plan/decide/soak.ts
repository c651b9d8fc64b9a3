import type { Reason } from '../../model/plan/reason.ts';
import type { Evaluation } from './question.ts';

/**
 * No restart and no rotation while the firmware of a device soaks: from its own verification for as
 * long as its wave says, and until the wave as a whole has soaked (semantics F1). Break glass
 * passes (semantics K23).
 */
export function soaking({ kind, rollouts, memory, case: theCase }: Evaluation): Reason | undefined {
  const { device, expedited, now } = theCase;
  if (expedited === true || !kind.disturbsSoak) return undefined;
  const upgraded = memory
    .intentsOf(device.id, 'upgradeFirmware')
    .findLast(({ verdict }) => verdict === 'done');
  const rollout = upgraded && rollouts?.get(upgraded.policy);
  if (upgraded?.settledAt === undefined || !rollout) return undefined;
  const { wave } = rollout.assignment.assignmentOf(device.id);
  const state = rollout.states[wave];
  const own = upgraded.settledAt + (rollout.input.spec.waves[wave]?.soak ?? 0);
  const isWaited = rollout.progress.accounts[wave]?.gated.includes(device.id) === true;
  const next = state?.is === 'soaking' && isWaited ? Math.max(own, state.until) : own;
  return now < next
    ? {
        code: 'busy',
        why: 'soak',
        since: upgraded.settledAt,
        next,
        params: { task: upgraded.task },
      }
    : undefined;
}
