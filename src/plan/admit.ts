import { KINDS } from '../kinds/index.ts';
import { mayHaveRun } from '../kinds/past.ts';
import { Bug } from '../model/bug.ts';
import type { Change } from '../model/change.ts';
import type { Documents, Policy, Selector } from '../model/policy.ts';
import type { Memory } from '../model/memory.ts';
import type { Reason } from '../model/reason.ts';
import type { TaskType } from '../model/task.ts';
import type { Instant, Milliseconds } from '../model/time.ts';
import { openBook } from '../rollout/budgets.ts';
import { reasonOf } from '../rollout/refusal.ts';
import { canaryPace } from './canary-pace.ts';
import type { ChangeColumns } from './columns.ts';
import { credentialsClash } from './credential-gap.ts';
import type { PlannerInput } from './input.ts';
import { policiesOf } from './policies.ts';
import { ours } from './steps.ts';

/**
 * Gives out what is scarce, in this order: one change a device, a policy's onboardings in 24 hours,
 * the canary pace of what is of unknown age, budgets and `maxInFlight`. What was to run and gets no
 * share waits, with the reason (semantics 4.5, steps 8, 10, 13 and 17).
 */
export function admit(
  columns: ChangeColumns,
  order: Uint32Array,
  input: PlannerInput & Members,
): void {
  const counters: readonly Counter[] = [
    onePerDevice(input.now),
    onboardingsPerDay(input),
    canaryPace(input.memory),
    budgets(input),
  ];
  for (const index of order) {
    const change = columns.at(index);
    if (change.action !== 'run') continue;
    const reason = firstRefusal(counters, change);
    if (reason) columns.decide(index, { action: 'wait', reason });
  }
}

/** How selectors of budgets are evaluated. */
interface Members {
  readonly members: (selector: Selector) => (row: number) => boolean;
}

/**
 * Something scarce. Asked last, the book of budgets takes its share as it answers; the others when
 * all agree.
 */
interface Counter {
  refuses(change: Change): Reason | undefined;
  count?(change: Change): void;
}

function firstRefusal(counters: readonly Counter[], change: Change): Reason | undefined {
  for (const counter of counters) {
    const reason = counter.refuses(change);
    if (reason) return reason;
  }
  for (const counter of counters) counter.count?.(change);
  return undefined;
}

function onePerDevice(now: Instant): Counter {
  const taskByDevice = new Map<string, TaskType>();
  return {
    refuses({ device, task }) {
      const first = taskByDevice.get(device.id);
      return first && (credentialsClash(task, first, now) ?? ours(first));
    },
    count: ({ device, task }) => void taskByDevice.set(device.id, task),
  };
}

const DAY: Milliseconds = 24 * 3_600_000;

/** Onboardings of each policy in the last 24 hours, oldest first, those of this plan included. */
function onboardingsPerDay({ documents, memory, now }: PlannerInput): Counter {
  const accounts = new Map(
    [...documents.onboarding.values()].map(({ value: { address, maxPerDay } }) => [
      address,
      { maxPerDay, taken: onboardedSince(memory, address, now - DAY) },
    ]),
  );
  return {
    refuses({ at }) {
      const account = accounts.get(at.policy);
      if (!account || account.taken.length < account.maxPerDay) return undefined;
      const { maxPerDay, taken } = account;
      const next = maxPerDay === 0 ? 'never' : (taken.at(-maxPerDay) ?? now) + DAY;
      return { code: 'notDue', why: 'maxPerDay', next, params: { maxPerDay } };
    },
    count: ({ at }) => void accounts.get(at.policy)?.taken.push(now),
  };
}

/** When a policy set onboardings going that may have had their effect. */
function onboardedSince(memory: Memory, address: string, since: Instant): Instant[] {
  const times: Instant[] = [];
  for (const intent of memory.intents.values())
    if (
      intent.task === 'onboardDevice' &&
      intent.policy === address &&
      intent.attemptedAt > since &&
      mayHaveRun(intent)
    )
      times.push(intent.attemptedAt);
  return times.sort((a, b) => a - b);
}

function budgets(input: PlannerInput & Members): Counter {
  const book = openBook(input);
  const policies = policiesByAddress(input.documents);
  return {
    refuses({ task, device, at }) {
      const policy = policies.get(at.policy);
      if (!policy) throw new Bug(`a change of no policy: ${at.policy}`);
      const { rollout: name } = policy;
      const refusal = book.take({
        task,
        deviceId: device.id,
        policy,
        rollout: name === undefined ? undefined : input.documents.rollouts.get(name)?.value,
        disruptive: KINDS[task].disruptive,
      });
      return refusal && reasonOf(refusal);
    },
  };
}

function policiesByAddress(documents: Documents): ReadonlyMap<string, Policy> {
  return new Map(policiesOf(documents).map(({ value }) => [value.address, value]));
}
