import { policyOfScope, siteOfScope } from '../../model/ledger/scopes.ts';
import type { Instant } from '../../lib/time.ts';
import { WorldError, usage } from '../../model/error.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Site } from '../../model/fleet/device.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { Journal } from '../../model/ports.ts';
import type { Leaseless } from '../../model/ledger/record.ts';
import { findAuthor } from './author.ts';
import { openJournalFor, remembered } from '../ledger.ts';
import { InvalidDocuments } from '../../model/documents/quoted.ts';
import { printMessages } from '../../shell/messages.ts';
import { sayBlocks } from '../../shell/output.ts';
import { type Held, heldIn, isAborted, scopeParams, scopesMeant } from './held.ts';
import type { Connection, ConnectFlags } from '../connect.ts';
import { readSites, sitesLike } from './pause.ts';
import type { LedgerHere } from '../here.ts';
import { type SurveyParts, survey } from '../survey.ts';
import { asRefused } from '../../plan/refusals.ts';
import { readStatus } from '../status.ts';

export interface LiftFlags {
  /** A policy, a rollout, `fleet`, or a scope as `status` shows it. */
  readonly scope?: string;
  /** Only at these sites, by name, glob or ID. */
  readonly site?: readonly string[];
  readonly reason?: string;
  readonly ticket?: string;
  readonly by?: string;
}

/** Prints what is paused, for a person who has not named it. */
export async function listHeld(here: LedgerHere, options: ConnectFlags): Promise<void> {
  const { shell, documents } = here;
  const { memory } = await remembered(here);
  const { heldWords, LIFT_HINT } = await import('../../render/words/record-words.ts');
  const held = heldIn(memory, documents, shell.clock.now());
  const { withConnection } = await import('../connect.ts');
  const reading = { ...options, readOnly: true };
  const read = () => withConnection(shell, documents.service.value, reading, readSites);
  const sites = await sitesOfHeld(held, read);
  printMessages(shell, [...heldWords(held, sites), ...(held.length === 0 ? [] : [LIFT_HINT])]);
}

/** The sites of the service, if a scope has one; none if they cannot be read: their IDs are shown then. */
async function sitesOfHeld(
  held: readonly Held[],
  read: () => Promise<readonly Site[]>,
): Promise<readonly Site[]> {
  if (!held.some(({ scope }) => siteOfScope(scope) !== undefined)) return [];
  return read().catch((error: unknown) => {
    if (error instanceof WorldError) return [];
    throw error;
  });
}

/** Lifts what is paused, also beside a run at work, prints it, and returns it. Throws the errors of `liftOn`. */
export async function liftScope(
  here: LedgerHere & Pick<Connection, 'client'>,
  flags: LiftFlags,
): Promise<readonly Held[]> {
  const { shell, documents } = here;
  const sites = flags.site === undefined ? undefined : await readSites(here);
  const who = await findAuthor(shell, flags.by);
  const journal = await openJournalFor(here);
  const now = shell.clock.now();
  const lifted = await liftOn(journal, documents, { ...flags, ...(sites && { sites }), who, now });
  const held = heldIn(journal.memory, documents, now);
  const { liftedWords } = await import('../../render/words/record-words.ts');
  const known = sites ?? (await sitesOfHeld([...lifted, ...held], () => readSites(here)));
  printMessages(shell, liftedWords({ lifted, held, sites: known }, flags.ticket));
  return lifted;
}

/**
 * Prints what comes next for the policies that were lifted, for all of them if nothing was lifted. A
 * fleet that cannot be read now does not undo what was done: `status` is named instead.
 */
export async function printNext(parts: SurveyParts, lifted: readonly Held[]): Promise<void> {
  const { shell } = parts;
  const { nextBlocks, UNREAD_NEXT } = await import('../../render/outputs/status.ts');
  const read = async () => {
    const { memory } = await remembered(parts);
    return readStatus(parts, asRefused(await survey(parts, memory), parts.documents));
  };
  const view = await read().catch((error: unknown) => {
    if (error instanceof WorldError || error instanceof InvalidDocuments) return undefined;
    throw error;
  });
  const policies = lifted.map(({ scope }) => policyOfScope(scope));
  const shown = new Set(view?.policies.map(({ at }) => at.policy));
  // What was lifted of the fleet, or of an address that no policy has, may let any of them go on.
  const isOfAll = policies.length === 0 || policies.some((policy) => !shown.has(policy));
  const named = isOfAll ? undefined : new Set(policies);
  await sayBlocks(shell, view ? nextBlocks(view, {}, named) : UNREAD_NEXT);
}

/**
 * Lifts what holds a scope with one LIFT record each: person, reason and ticket (semantics H4,
 * protocol N65). The evidence of a rule stays on record and trips no rule again. Returns what was
 * lifted; nothing if nothing is paused. Throws `policyUnknown` for a name that is not in the
 * documents, `nothingLifted` with what is paused if only others are, or if all are aborted, and
 * `usage` where a ticket is needed.
 */
export async function liftOn(
  journal: Pick<Journal, 'declare'>,
  documents: Documents,
  flags: LiftFlags & {
    /** The sites of the service, where `site` names some. */
    readonly sites?: readonly Site[];
    readonly who: string;
    readonly now: Instant;
  },
): Promise<readonly Held[]> {
  const { ticket = '', reason = '', who, now } = flags;
  let found: readonly Held[] = [];
  await journal.declare((memory) => {
    found = chosenBy(flags, heldIn(memory, documents, now), { documents, memory });
    const wanting = ticket.trim() === '' && found.find(needsTicket);
    if (wanting) throw usage(ticketMissing(wanting));
    return found.map((held): Leaseless => {
      const { scope, what } = held;
      const wish = what === 'stop' && held.wish !== undefined ? { wish: held.wish } : {};
      return { type: 'LIFT', scope, what, who, why: reason, ticket, ...wish };
    });
  });
  return found;
}

/** A rule has evidence that a person must have looked at; a pause has the rule of its person. */
function needsTicket(held: Held): held is Exclude<Held, { readonly what: 'rollout' }> {
  return held.what === 'stop' || (held.what === 'pause' && held.ticket !== undefined);
}

function ticketMissing(held: Exclude<Held, { readonly what: 'rollout' }>): string {
  const why =
    held.what === 'stop'
      ? `was stopped by rule ${held.rule}`
      : `was paused by ${held.who} under ${held.ticket ?? ''}`;
  return `${held.scope} ${why}. To end that, add --ticket`;
}

function chosenBy(
  { scope, site, sites = [] }: LiftFlags & { readonly sites?: readonly Site[] },
  held: readonly Held[],
  known: { readonly documents: Documents; readonly memory: Memory },
): readonly Held[] {
  const meant = scope === undefined ? undefined : scopesMeant(known, scope, held);
  const inScope = held.filter((one) => meant?.(one.scope) ?? true);
  const chosenAt = (named?: string): readonly Held[] => {
    // A site that is gone goes by its ID, which the scope has (semantics N66).
    const ids = named === undefined ? [] : [named, ...sitesLike(named, sites).map(({ id }) => id)];
    return inScope.filter(
      (one) =>
        !isAborted(one) && (named === undefined || ids.includes(siteOfScope(one.scope) ?? '')),
    );
  };
  const names = site ?? [undefined];
  const idle = names.findIndex((named) => chosenAt(named).length === 0);
  if (idle < 0 || held.length === 0) return [...new Set(names.flatMap(chosenAt))];
  const named = names[idle];
  const rollout = named === undefined ? scope : `${scope ?? 'the fleet'} at site "${named}"`;
  throw new WorldError('nothingLifted', {
    ...(rollout !== undefined && { rollout }),
    ...scopeParams(
      'paused',
      held.filter((one) => !isAborted(one)),
    ),
    ...scopeParams('aborted', held.filter(isAborted)),
  });
}
