import { pick } from '../lib/objects.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { Shell } from '../shell/shell.ts';
import { type Connection, withConnection, offline, type ConnectFlags } from './connect.ts';
import { pickLimits, type ReadingLimits } from './facts/reading-limits.ts';
import { remembered, type Remembered } from './ledger.ts';
import { type DecideParts, type PlannedSurvey, type Recorded, decidePlan } from './plan.ts';
import { keepFirst, readSnapshotFile } from './snapshot-file.ts';
import { survey, type SurveyParts, judgeApprovals, partResolver } from './survey.ts';
import { withFindings } from '../plan/plan.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { Instant } from '../lib/time.ts';
import { printMessages } from '../shell/messages.ts';
import type { PartFlags } from '../plan/part/resolve-part.ts';
import { usage } from '../model/error.ts';

/** Flags of every command that plans on a new reading, or on a saved snapshot. */
export interface RecallFlags extends ConnectFlags, ReadingLimits, PartFlags {
  readonly snapshot?: string;
  readonly saveSnapshot?: string;
}

export interface RecalledPlan extends Remembered {
  readonly surveyed: PlannedSurvey;
}

/** How a command plans; `isShown`: the command itself shows that the ledger lacks records. */
type RecallOptions = Partial<Pick<SurveyParts, 'at' | 'only'>> & {
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
  parts: Omit<DecideParts, keyof Connection>,
  options: RecallOptions = {},
): Promise<RecalledPlan> {
  checkSnapshotFlags(flags);
  const { documents } = parts;
  const resolvePart = partResolver(flags);
  const settings = documents.service.value;
  if (flags.snapshot !== undefined) {
    const here = { ...parts, shell, ...(await offline(shell, settings, flags.service)) };
    const ledger = await remembered(here, { ...options, isRecorded: true });
    const recorded = await readSnapshotFile(shell, flags.snapshot);
    options.only?.(recorded.snapshot);
    const now = options.at ?? shell.clock.now();
    const sides = [documents, ...(parts.base?.documents ? [parts.base.documents] : [])];
    const part = resolvePart?.(recorded.snapshot, sides);
    const all = { ...here, ...(part && { part }) };
    return withLedger(await planRecorded(all, ledger.memory, recorded, now), ledger, documents);
  }
  return withConnection(shell, settings, { ...flags, readOnly: true }, async (connection) => {
    const here = { ...parts, shell, ...connection };
    const ledger = await remembered(here, options);
    const limits = pickLimits(flags);
    const { isShown: _isShown, ...how } = options;
    const part = resolvePart ? { resolvePart } : {};
    const all = { ...here, limits, ...keepFirst(shell, flags.saveSnapshot), ...how, ...part };
    const surveyed = await survey(all, ledger.memory);
    shell.measure?.({ requests: connection.client.requests() });
    return withLedger(surveyed, ledger, documents);
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
  const { at } = service;
  const { found, seen } = unfit.params;
  const params = Number(found) < Number(seen) ? pick(unfit.params, 'found', 'seen') : {};
  const finding: Diagnostic = { code: 'ledgerLost', severity: 'warning', at, params };
  return { surveyed: { ...surveyed, ...withFindings(surveyed, [finding]) }, ...ledger };
}

/**
 * Plans on a saved snapshot and requests nothing from the service. Reads that these documents need
 * and that are missing cannot be made: stderr shows how many changes they leave undecided.
 */
export async function planRecorded(
  parts: DecideParts & { readonly shell: Shell },
  memory: Memory,
  recorded: Recorded,
  now: Instant,
): Promise<PlannedSurvey> {
  const judged = await judgeApprovals(parts, memory, { recorded, at: now });
  const { unwanted: _unwanted, ...rules } = judged;
  const planned = await decidePlan({ ...parts, ...rules }, memory, recorded, now);
  const unread = planned.plan.inputs.facts?.notRead ?? 0;
  if (unread > 0) {
    const { missingReadsWords } = await import('../render/words/record-words.ts');
    printMessages(parts.shell, [missingReadsWords(unread)]);
  }
  return planned;
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
  if (message !== '') throw usage(message);
}
