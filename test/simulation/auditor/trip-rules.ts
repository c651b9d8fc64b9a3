import type { WishedPolicy, Wishes } from '../wishes.ts';
import type { AttemptFile, Body, CaseFile, IntentFile, ProcessFile } from './case-file.ts';

/** The rollout of a policy as the ledger began it, and since when its evidence counts. */
export interface RolloutFile {
  readonly targetDigest: string;
  since: number;
}

/** A wish that begins anew counts from nothing; what joins it later changes nothing. */
export function onRollout({ rollouts, scene }: CaseFile, body: Body<'ROLLOUT'>): void {
  const { policy, targetDigest } = body;
  if (rollouts.get(policy)?.targetDigest === targetDigest) return;
  rollouts.set(policy, { targetDigest, since: scene.clock.now() });
}

/** What a person, or a commit, has seen and let pass is spent. */
export function onLift({ rollouts, scene }: CaseFile, { scope }: Body<'LIFT'>): void {
  for (const [policy, rollout] of rollouts)
    if (scope === 'fleet' || scope.split('/', 1)[0] === policy) rollout.since = scene.clock.now();
}

/**
 * I17, without asking what was recorded: where the documents say how many bad outcomes a whole
 * rollout may have, nothing is attempted in it once it has more. Only what is bad by now is counted.
 */
export function onAttemptTripped(file: CaseFile, { body }: AttemptFile, by: ProcessFile): void {
  for (const policy of new Set(body.intents.map((intent) => intent.policy))) {
    const rollout = file.rollouts.get(policy);
    for (const { classes, max } of rollout ? rulesOf(by.wishes, policy) : []) {
      const bad = new Set(
        [...file.intents.values()]
          .filter((intent) => intent.policy === policy && isBad(intent, classes))
          .filter(({ settledAt }) => settledAt > (rollout?.since ?? 0))
          .map(({ device }) => device),
      );
      if (bad.size > max)
        file.violate(
          'I17',
          `${policy}: attempted with ${bad.size} bad of ${max} (${classes.join()})`,
        );
    }
  }
}

interface Rule {
  readonly classes: readonly string[];
  readonly max: number;
}

function rulesOf(wishes: Wishes, address: string): readonly Rule[] {
  const [section = '', name = ''] = address.split('.');
  const sections: Readonly<Record<string, Record<string, WishedPolicy>>> = {
    firmware: wishes.firmware,
    rotations: wishes.rotations,
  };
  const rollout = wishes.rollouts[sections[section]?.[name]?.rollout ?? ''];
  const rules: unknown = rollout?.['stopOn'];
  if (!Array.isArray(rules)) return [];
  return rules.map(({ class: classes, max }: { class: readonly string[]; max: number }) => {
    return { classes, max };
  });
}

function isBad({ standing }: IntentFile, classes: readonly string[]): boolean {
  return classes.includes(standing === 'doubt' ? 'inDoubt' : standing);
}
