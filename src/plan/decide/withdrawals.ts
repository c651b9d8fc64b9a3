import type { PlanApproval } from '../../model/ledger/approval.ts';
import type { UnwantedOutcome } from '../../model/plan/approval-rules.ts';
import { type Change, isWanted } from '../../model/plan/change.ts';
import { parseOutcome } from '../../model/plan/outcome.ts';
import type { ReasonCode } from '../../model/plan/reason.ts';
import { compareTexts } from '../../lib/text-order.ts';
import type { PlannerInput } from '../input.ts';
import type { Evaluation } from './decision-input.ts';

type Decided = Pick<Change, 'id' | 'action' | 'reason'>;

/** Finds the approved outcomes that the current documents no longer require (semantics N77). */
export interface Withdrawals {
  observe(change: Decided, evaluation: Evaluation | undefined): void;
  /** After all decisions were observed, sorted. */
  unwanted(): readonly UnwantedOutcome[];
}

/**
 * An outcome is taken back when the documents require another outcome of its device, or none. One that
 * is done, that waits, or whose device another client changed stays approved, and so does one whose
 * device is not shown: absence never acts.
 */
export function createWithdrawals(input: PlannerInput): Withdrawals {
  const live = liveOutcomes(input);
  const found: UnwantedOutcome[] = [];
  const withdraw = (id: string, { planId }: PlanApproval): void => void found.push({ id, planId });
  return {
    observe(change, evaluation) {
      for (const [outcome, approval] of live.get(change.id) ?? [])
        if (evaluation && isUnwanted(outcome, change, evaluation)) withdraw(change.id, approval);
      live.delete(change.id);
    },
    unwanted() {
      for (const [id, outcomes] of live)
        if (isShown(id, input)) for (const approval of outcomes.values()) withdraw(id, approval);
      live.clear();
      return found.sort((a, b) => compareTexts(a.planId, b.planId) || compareTexts(a.id, b.id));
    },
  };
}

/** The approved outcomes that have not expired, by change. */
function liveOutcomes({
  memory,
  now,
  approvals,
}: PlannerInput): Map<string, Map<string, PlanApproval>> {
  const live = new Map<string, Map<string, PlanApproval>>();
  for (const id of memory.approvals?.ids() ?? []) {
    const outcomes = [...(memory.approvals?.of(id, undefined, approvals?.isEnded) ?? [])].filter(
      ([, { expires }]) => now < expires,
    );
    if (outcomes.length > 0) live.set(id, new Map(outcomes));
  }
  return live;
}

/** Why a due change is not required, where the documents are the reason. */
const BY_DOCUMENTS: ReadonlySet<ReasonCode> = new Set([
  'alreadyConverged',
  'blockedVendor',
  'exclude',
  'notDue',
  'pinned',
]);

function isUnwanted(approved: string, change: Decided, { outcome }: Evaluation): boolean {
  const before = parseOutcome(approved);
  const now = outcome === undefined ? undefined : parseOutcome(outcome);
  if (!before || !now) return change.reason.code === 'exclude';
  if (before.desired !== now.desired) return true;
  if (isWanted(change) || before.observed !== now.observed) return false;
  return BY_DOCUMENTS.has(change.reason.code);
}

function isShown(id: string, { snapshot }: PlannerInput): boolean {
  const deviceId = id.slice(id.indexOf('/') + 1);
  return (
    snapshot.devices.rowOf(deviceId) !== undefined ||
    snapshot.discovered.some((device) => device.id === deviceId)
  );
}
