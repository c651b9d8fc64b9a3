import type { Change } from '../plan/change.ts';
import type { IntentState, Memory, ActiveStop } from './memory.ts';
import type { ResultVerdict } from './record.ts';
import type { StopEffects, StopReport, StoppedBy } from '../report/output.gen.ts';
import { FLEET, policyOfScope, stopScopes } from './scopes.ts';

export type { StopEffects, StoppedBy, StopReport } from '../report/output.gen.ts';

/** What a stop is described from. */
export interface StopContext {
  readonly memory: Memory;
  /** A plan made since the stop; absent where there is none. */
  readonly changes?: Iterable<Change>;
}

/** How an attempt fails. What is in doubt or overdue may still end well, and is counted by itself. */
export const FAILED_VERDICTS = ['failed', 'rolledBack', 'aborted', 'unverified'] as const;

const FAILED: ReadonlySet<ResultVerdict> = new Set(FAILED_VERDICTS);

/**
 * A stop with the attempts of the running rollout that ended badly in its scope, and what it holds.
 * Pure; for `status` and for the report of a run alike.
 */
export function reportStop(stop: ActiveStop, { memory, changes }: StopContext): StopReport {
  const bad = [...memory.intents.values()].filter((intent) => isCounted(intent, stop, memory));
  const ids = new Set(bad.map(({ task, device }) => `${task}/${device}`));
  return {
    ...stop,
    bad: bad.toSorted((a, b) => a.attemptedAt - b.attemptedAt).map(toStoppedBy),
    ...(changes && { effects: countEffects(stop, changes, ids) }),
  };
}

function isCounted(intent: IntentState, { scope }: ActiveStop, { rollouts }: Memory): boolean {
  const { policy, verdict, rollout } = intent;
  if (verdict === undefined || !FAILED.has(verdict) || !stopScopes(intent).includes(scope))
    return false;
  return rollout !== undefined && rollouts.get(policy)?.seq === rollout;
}

function toStoppedBy({ device, verdict = 'failed', why, taskId }: IntentState): StoppedBy {
  return {
    device,
    verdict,
    ...(why !== undefined && { step: why }),
    ...(taskId !== undefined && { taskId }),
  };
}

function countEffects(
  { scope }: ActiveStop,
  changes: Iterable<Change>,
  bad: ReadonlySet<string>,
): StopEffects {
  let [held, again, setAside, againFrom] = [0, 0, 0, Infinity];
  for (const { id, policy, reason } of changes) {
    if (![FLEET, policy].includes(policyOfScope(scope))) continue;
    const { code, params = {}, next } = reason;
    const isOver = code === 'quarantined' || params['incidentEnds'] !== undefined;
    if (isOver && bad.has(id)) setAside += 1;
    else if (code === 'notDue' && reason.why === 'backoff' && bad.has(id)) {
      again += 1;
      if (typeof next === 'number') againFrom = Math.min(againFrom, next);
    } else if (STOPPED.has(code) && params['scope'] === scope) {
      if (bad.has(id)) again += 1;
      else held += 1;
    }
  }
  return { held, again, setAside, ...(againFrom < Infinity && { againFrom }) };
}

const STOPPED: ReadonlySet<string> = new Set(['rolloutPaused', 'rolloutAborted']);
