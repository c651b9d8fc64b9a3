import type { Diagnostic } from '../model/documents/diagnostic.ts';
import { WorldError } from '../model/error.ts';
import type { Shell } from '../shell/shell.ts';
import { withConnection, offline, type ConnectFlags } from './connect.ts';
import { pickLimits, type ReadingLimits } from './facts/reading-limits.ts';
import { remembered, type Remembered } from './ledger.ts';
import type { DecideParts, PlannedSurvey } from './plan.ts';
import { keepFirst, planRecorded, readSnapshotFile } from './snapshot-file.ts';
import { survey, type SurveyParts } from './survey.ts';

/** Flags of every command that plans on a new reading, or on a saved snapshot. */
export interface RecallFlags extends ConnectFlags, ReadingLimits {
  readonly snapshot?: string;
  readonly saveSnapshot?: string;
}

/** A plan, with the state of the ledger that it was made with. */
export interface RecalledPlan extends Remembered {
  readonly surveyed: PlannedSurvey;
}

/** How a command plans; `isShown`: the command itself shows that the ledger lacks records. */
type RecallOptions = Partial<Pick<SurveyParts, 'at' | 'only' | 'resolvePart'>> & {
  readonly isShown?: boolean;
};

/**
 * Plans on a new reading, which `saveSnapshot` saves, or on a saved snapshot without any request to the
 * service (semantics N29). Throws `usage` for flags that a saved snapshot leaves without effect, and what
 * reading throws.
 */
export async function surveyOrRecall(
  shell: Shell,
  flags: RecallFlags,
  parts: Omit<DecideParts, 'connection' | 'onProgress'>,
  options: RecallOptions = {},
): Promise<RecalledPlan> {
  checkSnapshotFlags(flags);
  const { documents } = parts;
  const settings = documents.service.value;
  if (flags.snapshot !== undefined) {
    const connection = await offline(shell, settings, flags.service);
    const { onProgress } = connection;
    const ledger = await remembered(shell, documents, connection.target, {
      ...options,
      isRecorded: true,
    });
    const recorded = await readSnapshotFile(shell, flags.snapshot);
    options.only?.(recorded.snapshot);
    const now = options.at ?? shell.clock.now();
    const sides = [documents, ...(parts.base?.documents ? [parts.base.documents] : [])];
    const part = options.resolvePart?.(recorded.snapshot, sides);
    const all = { ...parts, shell, connection, onProgress, ...(part && { part }) };
    return withLedger(await planRecorded(all, ledger.memory, recorded, now), ledger, documents);
  }
  return withConnection(shell, settings, { ...flags, readOnly: true }, async (connection) => {
    const ledger = await remembered(shell, documents, connection.target, options);
    const { onProgress } = connection;
    const limits = pickLimits(flags);
    const { isShown: _isShown, ...how } = options;
    const saves = keepFirst(shell, flags.saveSnapshot);
    const all = { ...parts, shell, connection, onProgress, limits, ...saves, ...how };
    return withLedger(await survey(all, ledger.memory), ledger, documents);
  });
}

/** The plan of a ledger that lacks records says so before all else (protocol J6). */
export async function withLedger(
  surveyed: PlannedSurvey,
  ledger: Remembered,
  { service }: DecideParts['documents'],
): Promise<RecalledPlan> {
  const { unfit } = ledger;
  if (unfit?.code !== 'ledgerRolledBack') return { surveyed, ...ledger };
  const { withFindings } = await import('../plan/plan.ts');
  const { found = 0, seen = 0 } = unfit.params;
  const { at } = service;
  const finding: Diagnostic = {
    code: 'ledgerLost',
    severity: 'warning',
    at,
    params: { found, seen },
  };
  return { surveyed: { ...surveyed, ...withFindings(surveyed, [finding]) }, ...ledger };
}

/** Throws `usage` for flags that a saved snapshot would leave without effect. */
export function checkSnapshotFlags({
  snapshot,
  saveSnapshot: saved,
  trace,
  maxReads,
  maxAge,
}: Omit<RecallFlags, 'fleet'>): void {
  if (snapshot === undefined) return;
  const reads = maxReads !== undefined || maxAge !== undefined;
  const message = [
    ...(saved !== undefined ? ['--save-snapshot cannot be combined with --snapshot'] : []),
    ...(trace !== undefined
      ? ['--trace cannot be combined with --snapshot, which sends no request']
      : []),
    ...(reads
      ? ['--max-reads and --max-age cannot be combined with --snapshot, which reads nothing']
      : []),
  ].join('; ');
  if (message !== '') throw new WorldError('usage', { message });
}
