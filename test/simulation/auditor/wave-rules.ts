import type { AttemptFile, CaseFile, IntentFile, ProcessFile } from './case-file.ts';
import { rolloutOf } from './selecting.ts';

/** What a canary must not have, where the documents say nothing else (semantics H1). */
const BAD = ['failed', 'rolledBack', 'unverified', 'doubt'];

/** I17 for the first wave: until one of its devices is done, so many are attempted and no more. */
export function onAttemptWave(file: CaseFile, { body }: AttemptFile, by: ProcessFile): void {
  for (const policy of new Set(body.intents.map((intent) => intent.policy))) {
    const canary = canaryOf(by, policy);
    if (!canary) continue;
    const devices = new Set(canaries(file, policy).map(({ device }) => device));
    if (devices.size > canary.size)
      file.violate('I17', `${policy}: ${devices.size} attempted, a canary of ${canary.size} none`);
  }
}

/** Where the documents leave the stop rules as they are, a canary that came out badly stops the rest. */
export function badCanary(file: CaseFile, by: ProcessFile, policy: string): string | undefined {
  const { since } = file.rollouts.get(policy) ?? { since: Infinity };
  if (canaryOf(by, policy)?.isStrict !== true) return undefined;
  const bad = canaries(file, policy).find(
    ({ standing, settledAt }) => BAD.includes(standing) && settledAt > since,
  );
  return bad && `the canary ${bad.device} is ${bad.standing}`;
}

interface Canary {
  readonly size: number;
  /** No device of it may come out badly. */
  readonly isStrict: boolean;
}

function canaryOf({ wishes }: ProcessFile, policy: string): Canary | undefined {
  const rollout = rolloutOf(wishes, policy);
  const [first] = (rollout?.['waves'] ?? []) as readonly { name: string; size?: number }[];
  if (first?.name !== 'canary' || first.size === undefined) return undefined;
  return { size: first.size, isStrict: rollout?.['stopOn'] === undefined };
}

/** Intents of its rollout that were begun before anything in it was done: those of its first wave. */
function canaries({ intents, rollouts }: CaseFile, policy: string): readonly IntentFile[] {
  const { begunAt } = rollouts.get(policy) ?? { begunAt: Infinity };
  const all = [...intents.values()].filter(
    (one) => one.policy === policy && begunOf(one) >= begunAt,
  );
  const done = all.filter(({ standing }) => standing === 'done').map((one) => one.settledAt);
  const first = Math.min(...done);
  return all.filter((one) => begunOf(one) <= first);
}

function begunOf({ attempts }: IntentFile): number {
  return attempts[0]?.at ?? 0;
}
