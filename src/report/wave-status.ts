import type { Plan } from '../model/plan/plan.ts';
import type { WaveStatus } from '../model/plan/status.ts';
import type { Followed } from '../rollout/progress/followed.ts';
import type { WaveState } from '../rollout/progress/gates.ts';

/**
 * The waves of a policy, in order: as its rollout is followed, else as the plan has them, with what
 * each still wants. Empty for a policy without waves.
 */
export function wavesOf(
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

/** Before it has begun, and with nobody to begin with, a rollout has no waves to speak of. */
function followedWaves({ input, started, states, progress }: Followed): readonly WaveStatus[] {
  if (!started && progress.accounts.every(({ eligible }) => eligible === 0)) return [];
  return input.spec.waves.flatMap(({ name }, index) => {
    const [state, account] = [states[index], progress.accounts[index]];
    if (!state || !account) return [];
    const { devices, attempted, verified } = account;
    // Without a device there is nothing to tell, but that an empty first wave holds all others.
    if (index > 0 && devices === 0 && attempted === 0) return [];
    const bad = Object.values(account.bad).reduce((sum, count) => sum + count, 0);
    return [{ name, devices, attempted, verified, bad, ...standing(state) }];
  });
}

function standing(state: WaveState): Pick<WaveStatus, 'is' | 'since' | 'until' | 'why'> {
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
