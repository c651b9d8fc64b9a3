import { WorldError } from '../model/error.ts';
import type { Stop } from '../model/memory.ts';
import type { Documents } from '../model/policy.ts';
import type { Journal } from '../model/ports.ts';
import type { RecordBody } from '../model/record.ts';
import type { ApplyParts } from './apply-run.ts';
import { openJournalFor } from './ledger.ts';

/** Who lets a paused rollout go on says why, and under which ticket. */
export interface LiftFlags {
  readonly ticket?: string;
  readonly reason?: string;
  /** Name of a rollout, or the address of a policy; all that is paused without it. */
  readonly rollout?: string;
}

/** Whether anything is to be lifted. Throws `usage` where only a part of what that needs is given. */
export function asksToLift({ ticket, reason, rollout }: LiftFlags): boolean {
  if (ticket === undefined && reason === undefined && rollout === undefined) return false;
  if (!ticket?.trim() || !reason?.trim())
    throw usage('to let a paused rollout go on, say both --ticket and --reason');
  return true;
}

/** Lifts pauses under a lease of its own. Throws what `liftOn` throws. */
export async function liftStops(
  { shell, documents, connection, waitMs, takeOver }: ApplyParts,
  flags: LiftFlags,
): Promise<void> {
  const who = shell.identity.label;
  const journal = await openJournalFor(shell, documents, connection.target);
  await journal.take({ waitMs, takeOver, label: who });
  try {
    await liftOn(journal, documents, { ...flags, who });
  } finally {
    await journal.release();
  }
}

/**
 * Lifts pauses with one LIFT record each: who, why and the ticket (semantics 4.7). What has tripped
 * them stays in the record and trips no more. Throws `usage` where nothing is paused, and for a
 * rollout that was aborted: that one only ends with other documents.
 */
export async function liftOn(
  journal: Pick<Journal, 'memory' | 'append'>,
  documents: Documents,
  { ticket = '', reason = '', rollout, who }: LiftFlags & { readonly who: string },
): Promise<void> {
  const stops = meant([...(journal.memory.stops?.values() ?? [])], documents, rollout);
  const bodies = stops.map(({ scope }): RecordBody => {
    return { type: 'LIFT', scope, who, why: reason, ticket };
  });
  if ((await journal.append(bodies)) === 'lost')
    throw new WorldError('locked', { cause: 'appends lost' });
}

function meant(
  stops: readonly Stop[],
  documents: Documents,
  rollout: string | undefined,
): readonly Stop[] {
  const policies = rollout === undefined ? undefined : policiesIn(documents, rollout);
  const chosen = stops.filter(({ scope }) => policies?.has(scope.split('/', 1)[0] ?? '') ?? true);
  const aborted = chosen.find(({ action }) => action === 'abort');
  if (aborted)
    throw usage(
      `${aborted.scope} was aborted by rule ${aborted.rule}; only a change of its documents begins anew`,
    );
  if (chosen.length === 0) throw usage('nothing is paused that this would lift');
  return chosen;
}

/** `fleet` names the stops of all rollouts together. */
function policiesIn(documents: Documents, rollout: string): ReadonlySet<string> {
  const { firmware, rotations, onboarding, restarts } = documents;
  const policies = [firmware, rotations, onboarding, restarts].flatMap((section) =>
    [...section.values()].map(({ value }) => value),
  );
  const named = policies.filter((policy) => policy.rollout === rollout);
  return new Set([rollout, ...named.map(({ address }) => address)]);
}

function usage(message: string): WorldError {
  return new WorldError('usage', { message });
}
