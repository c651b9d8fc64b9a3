import type { CoverageTerms } from '../../model/ledger/coverage.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { Journal } from '../../model/ports.ts';
import { coverageOnRecord, isOnRecord } from '../../plan/coverage-record.ts';
import type { Planned } from '../../plan/input.ts';
import { openJournalFor } from '../ledger.ts';
import type { SurveyParts } from '../survey.ts';

/** What a run without a lease, or after it, knows of the fleet. */
export interface KnownOfFleet {
  /** Digest of the shared facts that it left. */
  readonly facts?: string;
  readonly coverage?: CoverageTerms;
}

/** Appends one FACTS record, without a lease. */
export async function recordFacts(
  journal: Pick<Journal, 'declare'>,
  known: KnownOfFleet,
): Promise<void> {
  await journal.declare(() => [{ type: 'FACTS', ...known }]);
}

/** Records what a plan shows of the fleet, where the last record says something else (semantics M30). */
export async function recordCoverage(
  { shell, documents, connection }: Pick<SurveyParts, 'shell' | 'documents' | 'connection'>,
  memory: Memory,
  planned: Pick<Planned, 'plan' | 'noted'>,
): Promise<void> {
  const last = memory.coverage?.at(-1);
  const coverage = coverageOnRecord(planned, { before: new Set(last?.person) });
  if (!coverage || isOnRecord(coverage, last, shell.clock.now())) return;
  await recordFacts(await openJournalFor(shell, documents, connection.target), { coverage });
}
