import { formatInstant } from '../../lib/time.ts';
import type { CoverageTerms } from '../../model/ledger/coverage.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import type { Journal } from '../../model/ports.ts';
import { isOnRecord } from '../../plan/coverage-record.ts';
import { disprovedWords } from '../../render/words/commands.ts';
import { printMessages } from '../../shell/messages.ts';
import type { Shell } from '../../shell/shell.ts';
import { openJournalFor } from '../ledger.ts';
import { type Published, reportFacts } from './fact-book.ts';
import type { LedgerHere } from '../here.ts';

/** What a run without a lease, or after it, knows of the fleet. */
type KnownOfFleet = Omit<Extract<RecordBody, { readonly type: 'FACTS' }>, 'type'>;

/** Appends a FACTS record for each, without a lease; nothing without any. */
async function recordFacts(
  journal: Pick<Journal, 'declare'>,
  known: readonly KnownOfFleet[],
): Promise<void> {
  if (known.length > 0)
    await journal.declare(() => known.map((one) => ({ type: 'FACTS', ...one })));
}

/** Records what a plan shows of the fleet, where the last record says something else (semantics M30). */
export async function recordCoverage(
  here: LedgerHere,
  memory: Memory,
  coverage: CoverageTerms | undefined,
  journal?: Journal,
): Promise<void> {
  if (!coverage || isOnRecord(coverage, memory.coverage.at(-1), here.shell.clock.now())) return;
  await recordFacts(journal ?? (await openJournalFor(here)), [{ coverage }]);
}

/**
 * Records what a run left for later ones: the digest of the shared facts (semantics M24), and which earlier ones its
 * reads proved wrong (M25), of which a person is told. A ledger that takes no record fails no run: the facts are read
 * again.
 */
export async function recordPublished(
  journal: Pick<Journal, 'declare'>,
  { facts, disproved }: Published,
  shell: Shell,
): Promise<void> {
  printMessages(shell, disproved.map(disprovedWords));
  const distrusted = disproved.map(({ kind, before }) => ({
    distrust: { kind, before: formatInstant(before) },
  }));
  try {
    await recordFacts(journal, [...(facts === undefined ? [] : [{ facts }]), ...distrusted]);
  } catch (error) {
    reportFacts(shell, 'unrecorded', '', error);
  }
}
