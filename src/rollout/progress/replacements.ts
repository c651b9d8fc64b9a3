import type { Memory, StartedRollout } from '../../model/ledger/memory.ts';
import { isFirstOfAll } from '../../model/documents/rollout-defaults.ts';
import { memberSubject, findSighting } from '../../model/ledger/sightings.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Assignment } from '../waves/assignment.ts';
import type { RolloutInput } from './followed.ts';
import { rolloutKey } from './tally.ts';

/** How long a device of a canary may be unable to start before another one takes its place. */
const PATIENCE: Milliseconds = 24 * 3_600_000;

interface Situation {
  readonly started: StartedRollout | undefined;
  readonly assignment: Assignment;
  readonly memory: Memory;
  readonly now: Instant;
}

/**
 * The devices of a canary that another one replaces now, each with that one (semantics C12): it was never attempted and
 * could not start for 24 hours. The first device of the last wave that can start takes its place. Judged over the whole
 * fleet, and in force before apply records it.
 */
export function findReplaced(
  input: RolloutInput,
  { started, assignment, memory, now }: Situation,
): ReadonlyMap<string, string> {
  const replaced = new Map<string, string>();
  const { spec, task, policy, seed = policy, cannotStart = () => undefined } = input;
  const [canary] = spec.waves;
  const last = spec.waves.length - 1;
  if (!started || !canary || last === 0 || !isFirstOfAll(canary, 0)) return replaced;
  if (spec.assignment === 'site' || canary.slice.is === 'select') return replaced;
  if (hasPassed(canary.name)) return replaced;
  const isUntouched = (id: string): boolean =>
    input.aside(id) === undefined &&
    memory.intentsOf(id, task).every(({ rollout }) => rollout !== started.seq);
  const unable = (assignment.waves[0] ?? []).filter((id) => {
    const cannot = cannotStart(id);
    return cannot && now - (cannot.since ?? started.startedAt) >= PATIENCE && isUntouched(id);
  });
  if (unable.length === 0) return replaced;
  const able = (assignment.waves[last] ?? []).filter(
    (id) => isUntouched(id) && cannotStart(id) === undefined,
  );
  for (const [index, id] of unable.entries()) {
    const substitute = able[index];
    if (substitute !== undefined) replaced.set(id, substitute);
  }
  return replaced;

  function hasPassed(name: string): boolean {
    const key = started && rolloutKey({ policy, seed }, started);
    return (
      key !== undefined &&
      findSighting(memory, 'wavePassed', memberSubject(key, name)) !== undefined
    );
  }
}
