import type { Changes } from '../model/change.ts';
import type { PlanWave } from '../model/plan.ts';
import { formatDuration } from '../model/time.ts';
import type { Followed } from '../rollout/followed.ts';
import { isWanted } from './identify.ts';

/**
 * The waves of each rollout in their order, with how many changes are wanted in each; a wave in
 * which nothing is wanted is left out.
 */
export function wavesOf(
  changes: Changes,
  followed: ReadonlyMap<string, Followed>,
): readonly PlanWave[] {
  const wanted = new Map<string, Map<string, number>>();
  for (const change of changes) {
    if (!isWanted(change) || change.wave === undefined) continue;
    const counts = wanted.get(change.at.policy) ?? new Map<string, number>();
    counts.set(change.wave, (counts.get(change.wave) ?? 0) + 1);
    wanted.set(change.at.policy, counts);
  }
  return [...wanted].flatMap(([policy, counts]) =>
    (followed.get(policy)?.input.spec.waves ?? []).flatMap(({ name, soak }, index, waves) => {
      const count = counts.get(name);
      if (count === undefined) return [];
      const isLast = index === waves.length - 1;
      return [{ policy, name, changes: count, ...(!isLast && { soak: formatDuration(soak) }) }];
    }),
  );
}
