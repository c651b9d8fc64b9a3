import type { Changes } from '../model/change.ts';
import type { PlanWave } from '../model/plan.ts';
import { formatDuration, formatInstant, type Instant } from '../model/time.ts';
import type { Followed } from '../rollout/followed.ts';
import { isWanted } from './identify.ts';

/**
 * The waves of each rollout in their order, with how many changes are wanted in each and when it
 * may open; a wave in which nothing is wanted is left out.
 */
export function wavesOf(
  changes: Changes,
  followed: ReadonlyMap<string, Followed>,
  now: Instant,
): readonly PlanWave[] {
  const wanted = new Map<string, Map<string, number>>();
  for (const change of changes) {
    if (!isWanted(change) || change.wave === undefined) continue;
    const counts = wanted.get(change.at.policy) ?? new Map<string, number>();
    counts.set(change.wave, (counts.get(change.wave) ?? 0) + 1);
    wanted.set(change.at.policy, counts);
  }
  return [...wanted].flatMap(([policy, counts]) => {
    const rollout = followed.get(policy);
    return (rollout?.input.spec.waves ?? []).flatMap(({ name, soak }, index, waves) => {
      const count = counts.get(name);
      if (count === undefined || !rollout) return [];
      const isLast = index === waves.length - 1;
      const soaks = isLast ? {} : { soak: formatDuration(soak) };
      return [{ policy, name, changes: count, ...soaks, ...openingOf(index, rollout, now) }];
    });
  });
}

/**
 * What a wave waits for: the first one before it that is not passed, that one's soak, and those of
 * the waves between. Each may take longer, none less. When a gate is met that asks for more than time
 * nobody can tell, and what is stopped opens for nobody.
 */
function openingOf(wave: number, rollout: Followed, now: Instant): Partial<PlanWave> {
  const { states, progress, input } = rollout;
  const first = states.findIndex(({ is }) => is !== 'passed');
  const state = states[first];
  if (state?.is === 'paused' || state?.is === 'aborted') return { stopped: state.is };
  if (!state || first >= wave) return {};
  const soakOf = (index: number): number => input.spec.waves[index]?.soak ?? 0;
  let opens = state.is === 'soaking' ? state.until : now + soakOf(first);
  let last = first;
  for (let between = first + 1; between < wave; between += 1) {
    if ((progress.accounts[between]?.eligible ?? 0) === 0) continue;
    opens += soakOf(between);
    last = between;
  }
  const after = input.spec.waves[last]?.name;
  const isKnown = state.is !== 'gated';
  return { ...(after !== undefined && { after }), ...(isKnown && { opens: formatInstant(opens) }) };
}
