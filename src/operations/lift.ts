import { policyOfScope } from '../model/ledger/scopes.ts';
import { WorldError } from '../model/error.ts';
import type { Memory, ActiveStop } from '../model/ledger/memory.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { Journal } from '../model/ports.ts';
import type { RecordBody } from '../model/ledger/record.ts';
import { policyDigest } from '../model/plan/policy-digest.ts';
import { policiesOf } from '../model/documents/policies.ts';
import type { ApplyParts } from './apply.ts';
import { takeLease } from './lease.ts';
import { openJournalFor } from './ledger.ts';
import { print } from '../cli/shell/output.ts';

/** The flags to resume a paused rollout, with a reason and a ticket. */
export interface LiftFlags {
  readonly ticket?: string;
  readonly reason?: string;
  /** Name of a rollout, or address of a policy; without it, everything that is paused. */
  readonly rollout?: string;
}

/** Whether the flags ask to lift a pause. Throws `usage` if they are incomplete. */
export function asksToLift({ ticket, reason, rollout }: LiftFlags): boolean {
  if (ticket === undefined && reason === undefined && rollout === undefined) return false;
  if (!ticket?.trim() || !reason?.trim())
    throw usage('to let a paused rollout go on, say both --ticket and --reason');
  return true;
}

/**
 * Lifts pauses under a lease of its own, and prints them and the next step. Throws the errors of
 * `liftOn`.
 */
export async function liftStops(
  { shell, documents, connection, waitMs, takeOver }: ApplyParts,
  flags: LiftFlags,
): Promise<void> {
  const who = shell.identity.label;
  const journal = await openJournalFor(shell, documents, connection.target);
  await takeLease(journal, { waitMs, takeOver, label: who }, shell);
  try {
    const lifted = await liftOn(journal, documents, { ...flags, who });
    const scopes = new Set(lifted.map(({ scope }) => scope));
    const held = stopsOf(journal.memory, documents).filter(({ scope }) => !scopes.has(scope));
    const { liftedWords } = await import('../render/words/record-words.ts');
    print(shell.err, liftedWords(lifted, held));
  } finally {
    await journal.release();
  }
}

/**
 * Lifts pauses with one LIFT record each: person, reason and ticket (semantics H4). The earlier
 * evidence stays on record and trips no rule again. Returns the lifted stops. Throws `usage` with
 * the current pauses if none matches, and for an aborted rollout, which only another target
 * restarts.
 */
export async function liftOn(
  journal: Pick<Journal, 'memory' | 'append'>,
  documents: Documents,
  { ticket = '', reason = '', rollout, who }: LiftFlags & { readonly who: string },
): Promise<readonly ActiveStop[]> {
  const stops = meant(stopsOf(journal.memory, documents), documents, rollout);
  const bodies = stops.map(({ scope }): RecordBody => {
    return { type: 'LIFT', scope, who, why: reason, ticket };
  });
  if ((await journal.append(bodies)) === 'lost')
    throw new WorldError('locked', { cause: 'appends lost' });
  return stops;
}

function meant(
  stops: readonly ActiveStop[],
  documents: Documents,
  rollout: string | undefined,
): readonly ActiveStop[] {
  const policies = rollout === undefined ? undefined : policiesIn(documents, rollout);
  const chosen = stops.filter(({ scope }) => policies?.has(policyOfScope(scope)) ?? true);
  const paused = chosen.filter(({ action }) => action !== 'abort');
  if (paused.length > 0) return paused;
  const [aborted] = chosen;
  if (!aborted) throw usage(`nothing is paused that this would lift${besideText(stops)}`);
  const { scope, rule } = aborted;
  throw usage(
    `${scope} was aborted by rule ${rule}; only another version or generation, or no rollout, begins anew`,
  );
}

/** The stops that another name would lift. */
function besideText(stops: readonly ActiveStop[]): string {
  const others = stops.map(({ scope, rule, action }) => {
    const how = action === 'abort' ? 'aborted' : 'paused';
    return `${scope} (${how} by rule ${rule})`;
  });
  return others.length === 0 ? '' : `; what is: ${others.join(', ')}`;
}

/** The stops in force: an abort of a target that the documents no longer contain stops nothing. */
function stopsOf({ stops }: Memory, documents: Documents): readonly ActiveStop[] {
  const digests = new Map(
    policiesOf(documents).map(({ value }) => [value.address, policyDigest(value)]),
  );
  return [...(stops?.values() ?? [])].filter(
    ({ scope, wish }) => wish === undefined || digests.get(policyOfScope(scope)) === wish,
  );
}

/** The policies of a rollout; `fleet` stands for the stops on all rollouts together. */
function policiesIn(documents: Documents, rollout: string): ReadonlySet<string> {
  const named = policiesOf(documents).filter(({ value }) => value.rollout === rollout);
  return new Set([rollout, ...named.map(({ value }) => value.address)]);
}

function usage(message: string): WorldError {
  return new WorldError('usage', { message });
}
