import { errorWords } from './errors.ts';
import type { Params } from '../../model/error.ts';
import { counted, grouped } from './phrase.ts';
import { type TerminalText, say, terminal } from '../sinks/sinks.ts';

/** A warning outside of a job, where pins do not count. */
export function unpinnedWords({ variable, pinned, found }: Params): TerminalText {
  const name = terminal(String(variable));
  return say`warning: ${name} is ${terminal(String(pinned))}, but the documents say ${terminal(String(found))}. Outside of a CI job the documents count.`;
}

/** A warning about a plan on a snapshot, in a fork or another copy of the repository. */
export function copiedLedgerWords({ named, found }: Params): TerminalText {
  return say`warning: The ledger at ${terminal(String(found))} is a copy of that at ${terminal(String(named))}. The plan assumes an empty ledger.`;
}

/**
 * A warning where the place that a ledger names cannot be reached, and pin and heads vouch for the present one
 * (protocol M13).
 */
export function placeUnreachedWords({ named, found }: Params): TerminalText {
  return say`warning: The ledger belongs to ${terminal(String(named))}, which cannot be reached. FLEETFORM_LEDGER and the heads of ${terminal(String(found))} vouch for this place: the run continues. If the ledger belongs here now, run \`fleetform ledger move --adopt --reason R\`.`;
}

/** A warning of a command that reads, where it is not certain which branch counts (protocol M7). */
export function unclearBranchWords(params: Params): TerminalText {
  const { summary, next } = errorWords('branchUnclear', params, terminal);
  return say`warning: ${summary} With a ledger in git, nothing starts until it is named. ${next}`;
}

export const MOVE_WORDS = {
  nothing: 'Nothing to record: the ledger and the documents name the same ground.',
  shown: 'add `--reason R` to record it',
  ask: 'Record this? Type "yes" to continue: ',
  declined: 'Canceled: nothing was recorded.',
  copies: (records: number, present: number): string => {
    const there =
      present === 0 ? '' : `; ${grouped(present)} ${present === 1 ? 'is' : 'are'} there already`;
    return `${counted(records, 'record')} and those of the move will be copied${there}. Nothing can be added to the old ledger after that.`;
  },
  closes: 'Nothing can be added to {place} after that; its records stay there.',
  recorded: (copied: number): string =>
    copied === 0 ? 'Recorded.' : `Recorded, and ${counted(copied, 'record')} copied.`,
  begun: (copied: number): TerminalText =>
    terminal(
      `warning: ${counted(copied, 'record')} had been copied before the move failed. No run uses them; the same command completes the move.`,
    ),
  next: '`fleetform plan`',
} as const;
