import { FLEET, policyOfScope } from '../../model/ledger/scopes.ts';
import { nearest } from '../../lib/nearest-name.ts';
import type { Instant } from '../../lib/time.ts';
import { type Params, WorldError } from '../../model/error.ts';
import type { Memory, ActiveStop } from '../../model/ledger/memory.ts';
import { type PersonPause, pausesAt } from '../../model/ledger/pauses.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Journal } from '../../model/ports.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import { policyDigest } from '../../model/plan/policy-digest.ts';
import { listPolicies } from '../../model/documents/policies.ts';
import type { ApplyParts } from '../apply.ts';
import { takeLease } from '../take-lease.ts';
import { openJournalFor, remembered } from '../ledger.ts';
import { InvalidDocuments } from '../../model/documents/quoted.ts';
import { print, textStyle } from '../../shell/output.ts';

/** The flags that lift what is paused. */
export interface LiftFlags {
  /** A policy, a rollout, `fleet`, or a scope as `status` shows it. */
  readonly scope?: string;
  readonly reason?: string;
  readonly ticket?: string;
}

/** Something that holds a scope: the pause of a person, or the stop of a rule. */
export type Held =
  ({ readonly what: 'pause' } & PersonPause) | ({ readonly what: 'stop' } & ActiveStop);

/**
 * What the flags ask beside finishing open work (protocol N65): to lift, or only to list what is
 * paused. Throws `usage` for a scope without a reason.
 */
export function asksToLift({ scope, reason, ticket }: LiftFlags): 'no' | 'list' | 'lift' {
  if (scope === undefined) return reason === undefined && ticket === undefined ? 'no' : 'list';
  if (!reason?.trim()) throw usage(`--reason is required ${scope} may go on`);
  return 'lift';
}

/** Prints what is paused, for a person who has not named it. */
export async function listHeld({ shell, documents, connection }: ApplyParts): Promise<void> {
  const { memory } = await remembered(shell, documents, connection.target);
  const { heldWords, LIFT_HINT } = await import('../../render/words/record-words.ts');
  const held = heldIn(memory, documents, shell.clock.now());
  print(shell.err, [...heldWords(held), ...(held.length === 0 ? [] : [LIFT_HINT])]);
}

/**
 * Lifts what is paused under a lease of its own, prints it, and returns it. Throws the errors of
 * `liftOn`.
 */
export async function liftScope(
  { shell, documents, connection, waitMs, takeOver }: ApplyParts,
  flags: LiftFlags,
): Promise<readonly Held[]> {
  const who = shell.identity.label;
  const journal = await openJournalFor(shell, documents, connection.target);
  await takeLease(journal, { waitMs, takeOver, label: who }, shell);
  try {
    const now = shell.clock.now();
    const lifted = await liftOn(journal, documents, { ...flags, who, now });
    const held = heldIn(journal.memory, documents, now);
    const { liftedWords } = await import('../../render/words/record-words.ts');
    print(shell.err, liftedWords(lifted, held));
    return lifted;
  } finally {
    await journal.release();
  }
}

/**
 * Prints what comes next for the policies that were lifted, for all of them if nothing was lifted. A
 * fleet that cannot be read now does not undo what was done: `status` is named instead.
 */
export async function printNext(parts: ApplyParts, lifted: readonly Held[]): Promise<void> {
  const { shell, documents, connection } = parts;
  const [{ readStatus }, { survey }, { nextsText, unreadNextText }] = await Promise.all([
    import('../status.ts'),
    import('../survey.ts'),
    import('../../render/text/status-text.ts'),
  ]);
  const read = async () => {
    const { memory } = await remembered(shell, documents, connection.target);
    return readStatus(parts, await survey(parts, memory), memory);
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
 * Lifts what holds a scope with one LIFT record each: person, reason and ticket (semantics H4,
 * protocol N65). The evidence of a rule stays on record and trips no rule again. Returns what was
 * lifted; nothing if nothing is paused. Throws `policyUnknown` for a name that is not in the
 * documents, `nothingLifted` with what is paused if only others are, or if all are aborted, and
 * `usage` where a ticket is needed.
 */
export async function liftOn(
  journal: Pick<Journal, 'memory' | 'append'>,
  documents: Documents,
  flags: LiftFlags & { readonly who: string; readonly now: Instant },
): Promise<readonly Held[]> {
  const { ticket = '', reason = '', scope, who, now } = flags;
  for (;;) {
    const found = chosenBy(scope, heldIn(journal.memory, documents, now), documents);
    if (found.length === 0) return found;
    const wanting = ticket.trim() === '' && found.find(needsTicket);
    if (wanting) throw usage(ticketMissing(wanting));
    const bodies = found.map((held): RecordBody => {
      return { type: 'LIFT', scope: held.scope, what: held.what, who, why: reason, ticket };
    });
    if ((await journal.append(bodies)) === 'acknowledged') return found;
  }
}

/** A rule has evidence that a person must have looked at; a pause has the rule of its person. */
function needsTicket(held: Held): boolean {
  return held.what === 'stop' || held.ticket !== undefined;
}

function ticketMissing(held: Held): string {
  const why =
    held.what === 'stop'
      ? `was stopped by rule ${held.rule}`
      : `was paused by ${held.who} under ${held.ticket ?? ''}`;
  return `${held.scope} ${why}: say with --ticket under which it may go on`;
}

function chosenBy(
  scope: string | undefined,
  held: readonly Held[],
  documents: Documents,
): readonly Held[] {
  const meant = scope === undefined ? undefined : scopesMeant(documents, scope, held);
  const chosen = held.filter((one) => meant?.(one.scope) ?? true);
  const paused = chosen.filter((one) => !isAborted(one));
  if (paused.length > 0 || held.length === 0) return paused;
  throw new WorldError('nothingLifted', {
    ...(scope !== undefined && { rollout: scope }),
    ...listed(
      'paused',
      held.filter((one) => !isAborted(one)),
    ),
    ...listed('aborted', held.filter(isAborted)),
  });
}

function isAborted(held: Held): boolean {
  return held.what === 'stop' && held.action === 'abort';
}

function listed(name: string, held: readonly Held[]): Params {
  const named = held.map((one) =>
    one.what === 'stop' ? `${one.scope} (rule ${one.rule})` : `${one.scope} (by ${one.who})`,
  );
  return named.length === 0 ? {} : { [name]: named.join(', ') };
}

/** What is paused now: an abort of a target that the documents no longer contain stops nothing. */
function heldIn(memory: Memory, documents: Documents, now: Instant): readonly Held[] {
  const digests = new Map(
    listPolicies(documents).map(({ value }) => [value.address, policyDigest(value)]),
  );
  const stops = [...(memory.stops?.values() ?? [])].filter(
    ({ scope, wish }) => wish === undefined || digests.get(policyOfScope(scope)) === wish,
  );
  return [
    ...pausesAt(memory, now).map((pause) => ({ what: 'pause', ...pause }) as const),
    ...stops.map((stop) => ({ what: 'stop', ...stop }) as const),
  ];
}

/**
 * The scopes that a name stands for: itself, the parts of a policy, and the policies of a rollout;
 * `fleet` stands for what holds all of them.
 */
function scopesMeant(
  documents: Documents,
  named: string,
  held: readonly Held[],
): (scope: string) => boolean {
  const policies = listPolicies(documents).map(({ value }) => value);
  const scopes = held.map(({ scope }) => scope);
  const names = policies.flatMap((policy) => [policy.address, policy.rollout ?? []].flat());
  const known = [FLEET, ...names, ...scopes, ...scopes.map(policyOfScope)];
  if (!known.includes(named)) {
    const near = nearest(named, known);
    throw new WorldError('policyUnknown', { policy: named, ...(near !== undefined && { near }) });
  }
  const ofRollout = policies.filter((policy) => policy.rollout === named);
  const whole = new Set([named, ...ofRollout.map(({ address }) => address)]);
  return (scope) => scope === named || whole.has(policyOfScope(scope));
}

function usage(message: string): WorldError {
  return new WorldError('usage', { message });
}
