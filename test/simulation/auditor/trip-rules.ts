import type { Wishes } from '../wishes.ts';
import type { AttemptFile, Body, CaseFile, IntentFile, ProcessFile } from './case-file.ts';
import { rolloutOf } from './selecting.ts';
import { badCanary } from './wave-rules.ts';

/** The rollout of a policy as the ledger began it, and since when its evidence counts. */
export interface RolloutFile {
  readonly targetDigest: string;
  readonly begunAt: number;
  since: number;
}

/** A wish that begins anew counts from nothing; what joins it later changes nothing. */
export function onRollout({ rollouts, scene }: CaseFile, body: Body<'ROLLOUT'>): void {
  const { policy, targetDigest } = body;
  if (rollouts.get(policy)?.targetDigest === targetDigest) return;
  const now = scene.clock.now();
  rollouts.set(policy, { targetDigest, begunAt: now, since: now });
}

/** What a person, or a commit, has seen and let pass is spent. */
export function onLift({ rollouts, scene }: CaseFile, { scope }: Body<'LIFT'>): void {
  for (const [policy, rollout] of rollouts)
    if (scope === 'fleet' || scope.split('/', 1)[0] === policy) rollout.since = scene.clock.now();
}

/**
 * I17, without asking what was recorded: where so many outcomes of a rollout are bad that its documents
 * stop it, nothing is attempted in it. Only what is bad by now is counted.
 */
export function onAttemptTripped(file: CaseFile, { body }: AttemptFile, by: ProcessFile): void {
  for (const policy of new Set(body.intents.map((intent) => intent.policy))) {
    const trip = tripOf(file, by, policy);
    if (trip !== undefined) file.violate('I17', `${policy}: attempted with ${trip}`);
  }
}

/**
 * I17, the other half: before a run attempts anything else, what it has tripped is written down, for
 * whoever comes later.
 */
export function onAttemptUnstopped(file: CaseFile, { body }: AttemptFile, by: ProcessFile): void {
  const scopes = [...file.stops.keys()];
  for (const { policy } of body.intents) by.policies.add(policy);
  for (const policy of by.policies) {
    const isStopped = scopes.some((scope) => scope === 'fleet' || scope.startsWith(policy));
    const trip = isStopped ? undefined : tripOf(file, by, policy);
    if (trip !== undefined) file.violate('I17', `${policy}: no STOP is written, with ${trip}`);
  }
}

function tripOf(file: CaseFile, by: ProcessFile, policy: string): string | undefined {
  const rollout = file.rollouts.get(policy);
  for (const { classes, max } of rollout ? rulesOf(by.wishes, policy) : []) {
    const bad = new Set(
      [...file.intents.values()]
        .filter((intent) => intent.policy === policy && isBad(intent, classes))
        .filter(({ settledAt }) => settledAt > (rollout?.since ?? 0))
        .map(({ device }) => device),
    );
    if (bad.size > max) return `${bad.size} bad of ${max} (${classes.join()})`;
  }
  return badCanary(file, by, policy);
}

interface Rule {
  readonly classes: readonly string[];
  readonly max: number;
}

function rulesOf(wishes: Wishes, policy: string): readonly Rule[] {
  const rollout = rolloutOf(wishes, policy);
  const rules: unknown = rollout?.['stopOn'];
  if (!Array.isArray(rules)) return [];
  return rules.map(({ class: classes, max }: { class: readonly string[]; max: number }) => {
    return { classes, max };
  });
}

function isBad({ standing }: IntentFile, classes: readonly string[]): boolean {
  return classes.includes(standing === 'doubt' ? 'inDoubt' : standing);
}
