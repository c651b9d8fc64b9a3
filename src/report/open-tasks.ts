import { pick } from '../lib/objects.ts';
import { compareTexts } from '../lib/text-order.ts';
import type { IntentState, Memory } from '../model/ledger/memory.ts';
import type { OpenStatus, StatusView } from '../model/report/status.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';

export interface OpenTasksInput {
  readonly memory: Memory;
  /** Whether an intent belongs to the part that the plan is of; all do if absent. */
  readonly isInPart?: (policy: string, deviceId: string) => boolean;
  /** Whether the service lists a device, managed or discovered; if absent, it lists all. */
  readonly isListed?: (deviceId: string) => boolean;
  /** How long after its attempt an intent needs a person; never if absent. */
  readonly lostAfter?: (intent: IntentState) => Milliseconds;
  readonly now: Instant;
}

export function openTasks(
  input: OpenTasksInput,
): Pick<StatusView, 'inDoubt' | 'inFlight' | 'unseen'> {
  const { memory, now, isInPart = () => true, lostAfter } = input;
  const isOurs = ({ policy, device }: IntentState): boolean => isInPart(policy, device);
  const open = memory.open().filter(isOurs);
  const isDoubt = ({ phase }: IntentState): boolean => phase === 'inDoubt';
  const unseen = findUnseen(input).filter(isOurs);
  return {
    inDoubt: toStatuses(open.filter(isDoubt)),
    ...(unseen.length > 0 && { unseen: toStatuses(unseen) }),
    inFlight: toStatuses(
      open.filter((intent) => !isDoubt(intent)),
      (intent) => now - intent.attemptedAt > (lostAfter?.(intent) ?? Infinity),
    ),
  };
}

/**
 * The last intent of each device that ended unverified and that no plan can show: the service lists the
 * device neither as managed nor as discovered, as after an onboarding that it reported as successful.
 */
function findUnseen({ memory, isListed = () => true }: OpenTasksInput): readonly IntentState[] {
  const last = new Map<string, IntentState>();
  for (const intent of memory.intents.values())
    if (!isListed(intent.device)) last.set(`${intent.task}/${intent.device}`, intent);
  return [...last.values()].filter(
    ({ phase, verdict }) => phase === 'closed' && verdict === 'unverified',
  );
}

/** Oldest first. */
function toStatuses(
  intents: readonly IntentState[],
  isLost: (intent: IntentState) => boolean = () => false,
): readonly OpenStatus[] {
  return intents
    .map((intent) => {
      const { id, attemptedAt, doubtSince } = intent;
      return {
        intentId: id,
        ...pick(intent, 'attemptId', 'taskId', 'task', 'device', 'policy'),
        since: doubtSince ?? attemptedAt,
        ...(isLost(intent) && { lost: true }),
      };
    })
    .sort((a, b) => a.since - b.since || compareTexts(a.intentId, b.intentId));
}
