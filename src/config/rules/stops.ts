import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import { CANARY } from '../../model/documents/rollout-defaults.ts';
import { placeIn, type AuthoredEntry, type AuthoredFleet, type Authored } from '../authored.ts';
import { error, warning } from '../findings.ts';

/**
 * A stop rule needs something to count: a canary rule without a canary wave never triggers. An
 * empty list is allowed but seldom intended (semantics H5).
 */
export function* stopsCount(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('rollouts')) {
    const { stopOn, waves } = entry.value;
    if (stopOn === undefined) continue;
    if (isList(stopOn) && stopOn.length === 0)
      yield warning('noStopRule', placeIn(entry, '/stopOn'), { rollout: entry.address });
    const hasCanary = waves?.some(({ name }) => name === CANARY) ?? true;
    if (!hasCanary) yield* canaryRules(entry, stopOn);
  }
}

type StopOn = NonNullable<Authored['rollout']['stopOn']>;

function* canaryRules(entry: AuthoredEntry<'rollouts'>, stopOn: StopOn): Generator<Diagnostic> {
  const params = { rollout: entry.address };
  if (!isList(stopOn)) {
    if (stopOn.canary !== undefined)
      yield error('stopWithoutCanary', placeIn(entry, '/stopOn/canary', 'key'), params);
    return;
  }
  for (const [index, { scope }] of stopOn.entries())
    if (scope === CANARY)
      yield error('stopWithoutCanary', placeIn(entry, `/stopOn/${index}/scope`), params);
}

function isList(stopOn: StopOn): stopOn is readonly Authored['stopRule'][] {
  return Array.isArray(stopOn);
}
