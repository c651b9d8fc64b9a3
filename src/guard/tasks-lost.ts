import { listPolicies } from '../model/documents/policies.ts';
import type { Documents } from '../model/documents/policy.ts';
import { countDevices, countMissing, recentRecords, type Sighted } from '../model/plan/coverage.ts';
import type { GuardrailVerdict } from '../model/plan/plan.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { Instant } from '../lib/time.ts';
import type { Recount } from './recount.ts';

/**
 * The verdict on each task of the documents that the service offers for fewer devices than in the last
 * record, beside those that are not returned. Rights of the user that are gone look like devices that
 * cannot be changed: as many may lose a task as may vanish (semantics M31).
 * @param visible the verdict on devices that vanished, whose limit counts here, too
 */
export function lostTaskVerdicts(
  { documents, memory, now }: LostInput,
  { seen, offered }: Sighted,
  visible: GuardrailVerdict | undefined,
): readonly GuardrailVerdict[] {
  const last = recentRecords(memory.coverage, now).at(-1);
  if (!last || !visible) return [];
  const missing = countMissing(last.seen, seen);
  const { guardrail, value, allowed, at, raisedBy } = visible;
  const tasks = new Set(listPolicies(documents).map((policy) => policy.value.task));
  return [...tasks].sort().flatMap((task): readonly GuardrailVerdict[] => {
    const before = last.offered[task] ?? 0;
    const number = before - missing - (offered[task] ?? 0);
    if (number <= 0) return [];
    const counts = { value, number, allowed, of: countDevices(seen), before };
    const verdict = { guardrail, limit: 'tasksLost', ...counts, scope: task } as const;
    const passed = number <= allowed;
    return [{ ...verdict, passed, ...(raisedBy && { raisedBy }), ...(at && { at }) }];
  });
}

interface LostInput {
  readonly documents: Documents;
  readonly memory: Pick<Memory, 'coverage'>;
  readonly now: Instant;
}

/** Whether the verdict on a lost task follows from its own numbers. */
export function followsLostTask(
  { number, allowed, value, of: total, before = 0, passed }: GuardrailVerdict,
  { shown }: Recount,
): boolean {
  const isNumber = total === shown && number <= before && allowed === value;
  return isNumber && passed === number <= allowed;
}
