import { FLEET, policyOfScope } from '../model/ledger/scopes.ts';
import { nearest } from '../lib/nearest-name.ts';
import { type Params, WorldError } from '../model/error.ts';
import type { Memory, ActiveStop } from '../model/ledger/memory.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { Journal } from '../model/ports.ts';
import type { RecordBody } from '../model/ledger/record.ts';
import { policyDigest } from '../model/plan/policy-digest.ts';
import { listPolicies } from '../model/documents/policies.ts';
import type { ApplyParts } from './apply.ts';
import { takeLease } from './lease.ts';
import { openJournalFor, remembered } from './ledger.ts';
import { InvalidDocuments } from '../model/documents/quoted.ts';
import { print, textStyle } from '../cli/shell/output.ts';

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
 * Lifts pauses under a lease of its own, prints them, and returns them. Throws the errors of
 * `liftOn`.
 */
export async function liftStops(
  { shell, documents, connection, waitMs, takeOver }: ApplyParts,
  flags: LiftFlags,
): Promise<readonly ActiveStop[]> {
  const who = shell.identity.label;
  const journal = await openJournalFor(shell, documents, connection.target);
  await takeLease(journal, { waitMs, takeOver, label: who }, shell);
  try {
    const lifted = await liftOn(journal, documents, { ...flags, who });
    const scopes = new Set(lifted.map(({ scope }) => scope));
    const held = stopsOf(journal.memory, documents).filter(({ scope }) => !scopes.has(scope));
    const { liftedWords } = await import('../render/words/record-words.ts');
    print(shell.err, liftedWords(lifted, held));
    return lifted;
  } finally {
    await journal.release();
  }
}

/**
 * Prints what comes next for the policies of lifted stops, for all of them if nothing was lifted. A
 * fleet that cannot be read now does not undo what was done: `status` is named instead.
 */
export async function printNext(parts: ApplyParts, lifted: readonly ActiveStop[]): Promise<void> {
  const { shell, documents, connection } = parts;
  const [{ readStatus }, { nextsText, unreadNextText }] = await Promise.all([
    import('./status.ts'),
    import('../render/text/status-text.ts'),
  ]);
  const read = async () => {
    const { memory } = await remembered(shell, documents, connection.target);
    return readStatus(parts, memory);
  };
  const view = await read().catch((error: unknown) => {
    if (error instanceof WorldError || error instanceof InvalidDocuments) return undefined;
    throw error;
  });
  const policies = lifted.map(({ scope }) => policyOfScope(scope));
  const named = policies.length === 0 || policies.includes(FLEET) ? undefined : new Set(policies);
  const style = textStyle(shell.err, shell.env);
  print(shell.err, view ? nextsText(view, style, named) : unreadNextText());
}

/**
 * Lifts pauses with one LIFT record each: person, reason and ticket (semantics H4). The earlier
 * evidence stays on record and trips no rule again. Returns the lifted stops; none if nothing is
 * stopped. Throws `policyUnknown` for a name that is not in the documents, and `nothingLifted` with
 * the current stops if only others are paused, or if all are aborted.
 */
export async function liftOn(
  journal: Pick<Journal, 'memory' | 'append'>,
  documents: Documents,
  { ticket = '', reason = '', rollout, who }: LiftFlags & { readonly who: string },
): Promise<readonly ActiveStop[]> {
  const stops = meant(stopsOf(journal.memory, documents), documents, rollout);
  if (stops.length === 0) return stops;
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
  const policies = rollout === undefined ? undefined : policiesIn(documents, rollout, stops);
  const chosen = stops.filter(({ scope }) => policies?.has(policyOfScope(scope)) ?? true);
  const paused = chosen.filter(({ action }) => action !== 'abort');
  if (paused.length > 0 || stops.length === 0) return paused;
  throw new WorldError('nothingLifted', {
    ...(rollout !== undefined && { rollout }),
    ...textOf(
      'paused',
      stops.filter(({ action }) => action !== 'abort'),
    ),
    ...textOf(
      'aborted',
      stops.filter(({ action }) => action === 'abort'),
    ),
  });
}

function textOf(name: string, stops: readonly ActiveStop[]): Params {
  const named = stops.map(({ scope, rule }) => `${scope} (rule ${rule})`);
  return named.length === 0 ? {} : { [name]: named.join(', ') };
}

/** The stops in force: an abort of a target that the documents no longer contain stops nothing. */
function stopsOf({ stops }: Memory, documents: Documents): readonly ActiveStop[] {
  const digests = new Map(
    listPolicies(documents).map(({ value }) => [value.address, policyDigest(value)]),
  );
  return [...(stops?.values() ?? [])].filter(
    ({ scope, wish }) => wish === undefined || digests.get(policyOfScope(scope)) === wish,
  );
}

/** The policies of a rollout; `fleet` stands for the stops on all rollouts together. */
function policiesIn(
  documents: Documents,
  rollout: string,
  stops: readonly ActiveStop[],
): ReadonlySet<string> {
  const policies = listPolicies(documents).map(({ value }) => value);
  const stopped = stops.map(({ scope }) => policyOfScope(scope));
  const names = policies.flatMap((policy) => [policy.address, policy.rollout ?? []].flat());
  const known = [FLEET, ...names, ...stopped];
  if (!known.includes(rollout)) {
    const near = nearest(rollout, known);
    throw new WorldError('policyUnknown', { policy: rollout, ...(near !== undefined && { near }) });
  }
  const named = policies.filter((policy) => policy.rollout === rollout);
  return new Set([rollout, ...named.map(({ address }) => address)]);
}

function usage(message: string): WorldError {
  return new WorldError('usage', { message });
}
