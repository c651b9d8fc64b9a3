import { FAILED_VERDICTS } from '../model/ledger/stopped.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { WaveStatus } from '../model/report/status.ts';
import type { Followed } from '../rollout/progress/followed.ts';
import type { WaveState } from '../rollout/progress/gates.ts';

/**
 * The waves of a policy, in order: from its rollout if it is followed, else from the plan, with the
 * numbers still missing. Empty for a policy without waves.
 */
export function waveStatuses(
  policy: string,
  {
    plan,
    followed,
  }: {
    readonly plan: Pick<Plan, 'waves'>;
    readonly followed?: ReadonlyMap<string, Followed> | undefined;
  },
): readonly WaveStatus[] {
  const rollout = followed?.get(policy);
  if (rollout) return followedWaves(rollout);
  return plan.waves
    .filter((wave) => wave.policy === policy)
    .map(({ name, changes }) => ({ name, is: 'plain', devices: changes }));
}

/** A rollout that has not begun and has no eligible device lists no waves. */
function followedWaves({ input, started, states, progress }: Followed): readonly WaveStatus[] {
  if (!started && progress.waves.every(({ eligible }) => eligible === 0)) return [];
  return input.spec.waves.flatMap(({ name }, index) => {
    const [state, wave] = [states[index], progress.waves[index]];
    if (!state || !wave) return [];
    const { devices, attempted, verified } = wave;
    // A wave without devices is left out, except an empty first wave, which blocks all others.
    if (index > 0 && devices === 0 && attempted === 0) return [];
    const bad = Object.values(wave.bad).reduce((sum, count) => sum + count, 0);
    const failed = FAILED_VERDICTS.reduce((sum, verdict) => sum + wave.bad[verdict], 0);
    return [{ name, devices, attempted, verified, bad, failed, ...waveStatus(state) }];
  });
}

function waveStatus(state: WaveState): Pick<WaveStatus, 'is' | 'since' | 'until' | 'why'> {
  switch (state.is) {
    case 'waiting':
    case 'open':
      return { is: state.is };
    case 'soaking':
      return { is: state.is, since: state.since, until: state.until };
    case 'gated':
      return { is: state.is, since: state.since, why: state.why };
    case 'passed':
      return { is: state.is, since: state.at };
    case 'paused':
    case 'aborted':
      return { is: state.is, why: state.rule };
  }
}
