import type { Instant } from '../../lib/time.ts';
import { WorldError, usage } from '../../model/error.ts';
import type { Site } from '../../model/fleet/device.ts';
import type { Journal } from '../../model/ports.ts';
import { printBlocks, printJson, sayBlocks } from '../../shell/output.ts';
import type { Shell } from '../../shell/shell.ts';
import { command, type FlagsOf } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import type { LedgerHere, Here } from '../../operations/here.ts';

const FLAGS = {
  ...flag.CONNECTION,
  scope: flag.optionalArgument('SCOPE', flag.SCOPE),
  reason: flag.reason('Reason for the pause', { must: true }),
  by: flag.by,
  site: flag.site,
  ticket: flag.text('TICKET', 'Ticket, which `unpause` then requires'),
  until: flag.until('Date or time at which the pause ends automatically'),
  format: flag.format,
};

type PauseFlags = FlagsOf<typeof FLAGS>;

/**
 * Holds a policy or the whole fleet, with a reason on record, also while another run is at work
 * (protocol N64, N67). It sends nothing to the service, and reads its sites only to find one by its
 * name. Throws `usage`, `policyUnknown`.
 */
export const pause = command({
  name: 'pause',
  summary: 'Stop a policy, a site or the fleet',
  more: 'Records the reason. A run in progress starts nothing more in SCOPE; tasks in flight finish.',
  examples: [
    'pause firmware.axis --reason "black picture" --ticket OPS-7',
    'pause --site "HQ Berlin" --reason "network work"',
  ],
  acts: true,
  flags: FLAGS,
  async run(flags, shell) {
    const order = checked(flags, shell.clock.now());
    const { loadWithTarget } = await import('../../operations/documents.ts');
    const { checkScope, pauseOn } = await import('../../operations/intervene/pause.ts');
    const { findAuthor } = await import('../../operations/intervene/author.ts');
    const here = await loadWithTarget(shell, flags);
    checkScope(order, here.documents);
    const sites = await sitesOf(flags, here);
    const { journal, lost } = await openForPause(here);
    const who = await findAuthor(shell, flags.by);
    const held = { ...order, who, ...(sites && { sites }) };
    const paused = await pauseOn(journal, held, shell.clock.now());
    const { pausedBlocks, pausedJson } = await import('../../render/outputs/decisions.ts');
    const done = { ...paused, service: here.target };
    if (flags.format === 'json') await printJson(shell.out, pausedJson(done));
    else await printBlocks(shell, pausedBlocks(done));
    if (lost) await sayLost(shell, lost);
  },
});

/**
 * A pause only makes less happen, so it is also recorded in a ledger that lacks records (decision
 * 0061): there it holds runs that have not seen them. What refuses that ledger goes on refusing it.
 */
async function openForPause(
  here: LedgerHere,
): Promise<{ readonly journal: Journal; readonly lost?: WorldError }> {
  const { openJournalFor, openUnchecked } = await import('../../operations/ledger.ts');
  try {
    return { journal: await openJournalFor(here) };
  } catch (error) {
    if (!(error instanceof WorldError) || error.code !== 'ledgerRolledBack') throw error;
    const { journal } = await openUnchecked(here);
    return { journal, lost: error };
  }
}

async function sayLost(shell: Shell, { params }: WorldError): Promise<void> {
  const { lossMessage, PAUSED_REST } = await import('../../render/outputs/decisions.ts');
  await sayBlocks(shell, [...lossMessage(params), ...PAUSED_REST]);
}

function checked({ scope, site, reason, ticket, until: end }: PauseFlags, now: Instant) {
  if (scope === undefined && site === undefined)
    throw usage('SCOPE is required: a policy, or fleet, or --site with a site');
  if (end !== undefined && end <= now) throw usage('--until is past: it would pause nothing');
  return {
    scope: scope ?? 'fleet',
    why: reason,
    // A workflow hands on an empty input.
    ...(ticket?.trim() && { ticket: ticket.trim() }),
    ...(end !== undefined && { until: end }),
  };
}

/** The sites that the flags name; the service is asked for its list. Undefined: all. */
async function sitesOf(
  flags: PauseFlags,
  { shell, documents }: Here,
): Promise<readonly Site[] | undefined> {
  const { site } = flags;
  if (site === undefined) return undefined;
  const { withConnection } = await import('../../operations/connect.ts');
  const { readSites, sitesNamed } = await import('../../operations/intervene/pause.ts');
  const options = { ...flags, readOnly: true };
  const read = () => withConnection(shell, documents.service.value, options, readSites);
  return sitesNamed(site, await read());
}
