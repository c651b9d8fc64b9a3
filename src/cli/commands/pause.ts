import { WorldError } from '../../model/error.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Site } from '../../model/fleet/device.ts';
import type { Instant } from '../../lib/time.ts';
import { findAuthor } from '../../operations/intervene/author.ts';
import { connect, type ConnectFlags } from '../../operations/connect.ts';
import { loadDocuments } from '../../operations/documents.ts';
import { checkScope, pauseOn, sitesNamed } from '../../operations/intervene/pause.ts';
import { openJournalFor, openUnchecked } from '../../operations/ledger.ts';
import { resolveTarget, type ServiceTarget } from '../../operations/target.ts';
import type { Journal } from '../../model/ports.ts';
import { EXIT } from '../../shell/exit.ts';
import { printMessages } from '../../shell/messages.ts';
import { print, printJson, textStyle } from '../../shell/output.ts';
import type { Shell } from '../../shell/shell.ts';

interface PauseFlags extends ConnectFlags {
  readonly scope: string;
  readonly site?: string;
  readonly reason: string;
  readonly ticket?: string;
  readonly by?: string;
  readonly until?: Instant;
  readonly format: 'text' | 'json';
}

/**
 * `fleetform pause SCOPE`: holds a policy or the whole fleet, with a reason on record, also while
 * another run is at work (protocol N64, N67). It sends nothing to the service, and reads its sites
 * only to find one by its name. Throws `usage`, `policyUnknown`.
 */
export async function pauseCommand(flags: PauseFlags, shell: Shell): Promise<number> {
  const order = checked(flags, shell.clock.now());
  const { documents } = await loadDocuments(shell, flags.fleet);
  checkScope(flags.scope, documents);
  const sites = await readSiteIds(flags, { documents, shell });
  const target = resolveTarget(documents.service.value, flags.service, shell.env);
  const { journal, lost } = await openForPause(shell, documents, target);
  const who = await findAuthor(shell, flags.by);
  const paused = await pauseOn(
    journal,
    { ...order, who, ...(sites && { sites }) },
    shell.clock.now(),
  );
  const { pauseText, pauseJson } = await import('../../render/text/ledger/pause-text.ts');
  const done = { ...paused, service: target };
  if (flags.format === 'json') await printJson(shell.out, pauseJson(done));
  else print(shell.out, pauseText(done, textStyle(shell.out, shell.env)));
  if (lost) await sayLost(shell, lost);
  return EXIT.done;
}

/**
 * A pause only makes less happen, so it is also recorded in a ledger that lacks records (decision
 * 0061): there it holds runs that have not seen them. What refuses that ledger goes on refusing it.
 */
async function openForPause(
  shell: Shell,
  documents: Documents,
  target: ServiceTarget,
): Promise<{ readonly journal: Journal; readonly lost?: WorldError }> {
  try {
    return { journal: await openJournalFor(shell, documents, target) };
  } catch (error) {
    if (!(error instanceof WorldError) || error.code !== 'ledgerRolledBack') throw error;
    const { journal } = await openUnchecked(shell, documents, target);
    return { journal, lost: error };
  }
}

async function sayLost(shell: Shell, { params }: WorldError): Promise<void> {
  const { ledgerLostText, pausedRestLines } = await import('../../render/text/ledger/lost-text.ts');
  const style = textStyle(shell.err, shell.env);
  printMessages(shell, ledgerLostText(params, style));
  printMessages(shell, pausedRestLines(style));
}

function checked({ scope, reason, ticket, until }: PauseFlags, now: Instant) {
  const why = reason.trim();
  if (why === '') throw usage('--reason is required: say why it is paused');
  if (ticket?.trim() === '') throw usage('write a ticket after --ticket, or leave it out');
  if (until !== undefined && until <= now) throw usage('--until is past: it would pause nothing');
  return {
    scope,
    why,
    ...(ticket !== undefined && { ticket: ticket.trim() }),
    ...(until !== undefined && { until }),
  };
}

/** The IDs of the sites that the flags name; the service is asked for its list. Undefined: all. */
async function readSiteIds(
  flags: PauseFlags,
  { documents, shell }: { readonly documents: Documents; readonly shell: Shell },
): Promise<readonly string[] | undefined> {
  const named = flags.site;
  if (named === undefined) return undefined;
  const connection = await connect(shell, documents.service.value, { ...flags, readOnly: true });
  try {
    const rows: Site[] = [];
    for await (const page of connection.client.list('sites')) rows.push(...page);
    const found = sitesNamed(named, rows);
    if (found.length === 0) throw usage(`The service does not return a site "${named}"`);
    return found;
  } finally {
    await connection.close();
  }
}

function usage(message: string): WorldError {
  return new WorldError('usage', { message });
}
