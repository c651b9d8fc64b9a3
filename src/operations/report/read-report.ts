import type { Loaded } from '../../config/load.ts';
import type { WrittenSelector } from '../../config/selector-flag.ts';
import { compileSelector } from '../../desired/select.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type {
  AlertName,
  FleetReport,
  ReportLimits,
  ReportNotice,
} from '../../model/report/fleet-report.ts';
import type { Situation } from '../../model/report/all-clear.ts';
import { situationOfPlan } from '../../model/report/plan-situation.ts';
import { sampleAvailability, sumAvailability } from '../../report/fleet/availability.ts';
import { reportDevices, type RowsInput } from '../../report/fleet/device-rows.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';
import { withConnection, offline, type ConnectFlags } from '../connect.ts';
import { requireValid, loadDocuments } from '../documents.ts';
import { pickLimits, type ReadingLimits } from '../facts/reading-limits.ts';
import { remembered } from '../ledger.ts';
import { planRecorded, withLedger } from '../recall.ts';
import { keepFirst } from '../snapshot-file.ts';
import { survey } from '../survey.ts';
import { readPolicyResults, type PolicyResults } from './policy-results.ts';
import { readFlaws, type ReadFlaws } from './read-flaws.ts';
import { describeSource, readHistory, sourceNotices, type ReadHistory } from './sources.ts';
import { recordedOf } from '../plan.ts';
import { usage } from '../../model/error.ts';

export interface ReportFlags extends ConnectFlags, ReadingLimits {
  /** Only availability is asked for, of which documents and ledger say nothing: nothing is planned on snapshots. */
  readonly isUnplanned?: boolean;
  readonly select?: string;
  /** Files of readings; none: the service is read. */
  readonly snapshot: readonly string[];
  readonly limits: ReportLimits;
  readonly alerts: readonly AlertName[];
  /** How many devices are read for their CVEs. */
  readonly maxCveReads: number;
  readonly saveSnapshot?: string;
}

/**
 * Computes every report of a fleet: from snapshot files, or from a reading of the service, which is
 * only read. Throws `InvalidDocuments` for a selector, and where the service is read without valid
 * documents; `usage` for flags that do not fit; and what reading throws.
 */
export async function reportFleet(shell: Shell, flags: ReportFlags): Promise<FleetReport> {
  const { snapshot, trace, maxReads, maxAge, saveSnapshot } = flags;
  const isIdle = [trace, maxReads, maxAge, saveSnapshot].some((flag) => flag !== undefined);
  if (snapshot.length > 0 && isIdle)
    throw usage(
      'With --snapshot nothing is read; omit --trace, --max-reads, --max-age and --save-snapshot',
    );
  return flags.snapshot.length > 0 ? reportRecorded(shell, flags) : reportLive(shell, flags);
}

type Parts = Omit<RowsInput, 'selects' | 'limits' | 'alerts'> & {
  readonly history: Pick<ReadHistory, 'samples' | 'sources' | 'notices'>;
  readonly situation?: Situation;
  readonly select: (snapshot: Snapshot) => (row: number) => boolean;
};

function compose({ history, select, situation, ...parts }: Parts, flags: ReportFlags): FleetReport {
  const { limits, alerts } = flags;
  const { samples, sources, notices } = history;
  return {
    evaluatedAt: parts.now,
    organization:
      sources.findLast(({ organization }) => organization !== null)?.organization ?? null,
    sources,
    notices: [...notices, ...(samples.length === 1 ? [{ code: 'oneSnapshot' } as const] : [])],
    ...(situation && { situation }),
    limits,
    availability: sumAvailability(samples, limits.maxGap),
    ...reportDevices({ ...parts, selects: select(parts.snapshot), limits, alerts }),
  };
}

/** The report is of the instant of the newest reading, so the same files give the same bytes. */
async function reportRecorded(shell: Shell, flags: ReportFlags): Promise<FleetReport> {
  const { loadFleet } = await import('../../config/load.ts');
  const loaded = await loadFleet(fleetFolder(shell, flags.fleet));
  const select = await selector(flags, loaded);
  const { maxGap } = flags.limits;
  const history = await readHistory(shell, flags.snapshot, { select, maxGap });
  const { snapshot } = history.newest;
  const decided: Decided = flags.isUnplanned
    ? { notices: [] }
    : await resultsOn(shell, flags, { loaded, snapshot });
  return compose(
    {
      snapshot,
      history: { ...history, notices: [...history.notices, ...decided.notices] },
      select,
      ...(decided.results && { results: decided.results }),
      flaws: () => undefined,
      now: snapshot.takenAt,
    },
    flags,
  );
}

interface Decided {
  readonly results?: PolicyResults;
  readonly notices: readonly ReportNotice[];
}

/** The results of valid documents; a notice if they are invalid. */
async function resultsOn(
  shell: Shell,
  flags: ReportFlags,
  { loaded, snapshot }: { readonly loaded: Loaded; readonly snapshot: Snapshot },
): Promise<Decided> {
  const { documents, diagnostics } = loaded;
  const problems = diagnostics.filter(({ severity }) => severity === 'error').length;
  if (!documents) return { notices: [{ code: 'noDocuments', problems }] };
  const connection = await offline(shell, documents.service.value, flags.service);
  const parts = { shell, documents, ...connection, onProgress: () => undefined };
  const { memory } = await remembered(parts);
  const planned = await planRecorded(parts, memory, recordedOf(snapshot), snapshot.takenAt);
  return { results: readPolicyResults(planned), notices: [] };
}

async function reportLive(shell: Shell, flags: ReportFlags): Promise<FleetReport> {
  const here = await loadDocuments(shell, flags.fleet);
  const { documents } = here;
  const select = await selector(flags, { files: documents.files });
  const settings = documents.service.value;
  return withConnection(shell, settings, { ...flags, readOnly: true }, async (connection) => {
    const parts = {
      ...here,
      ...connection,
      limits: pickLimits(flags),
      ...keepFirst(shell, flags.saveSnapshot),
    };
    const ledger = await remembered(parts);
    const read = await survey(parts, ledger.memory);
    requireValid(read, documents);
    const { surveyed: planned } = await withLedger(read, ledger, documents);
    const { snapshot } = planned;
    const selects = select(snapshot);
    const flaws = await readFlaws(connection, snapshot.devices, {
      selects,
      most: flags.maxCveReads,
      perSecond: settings.pace.requestsPerSecond,
    });
    return compose(liveParts(planned, { select, read: flaws }), flags);
  });
}

function liveParts(
  planned: Awaited<ReturnType<typeof survey>>,
  { select, read }: { readonly select: Parts['select']; readonly read: ReadFlaws },
): Parts {
  const { snapshot } = planned;
  const source = describeSource(snapshot, null);
  const { takenAt, devices } = snapshot;
  return {
    snapshot,
    history: {
      samples: [sampleAvailability(takenAt, devices, select(snapshot))],
      sources: [source],
      notices: [...sourceNotices(source), ...read.notices],
    },
    situation: situationOfPlan(planned.plan),
    select,
    results: readPolicyResults(planned),
    flaws: read.flaws,
    now: takenAt,
  };
}

/** The devices that the selector of the command line selects, or may (semantics M20); without one, all. */
async function selector(
  { select }: ReportFlags,
  { files }: Pick<Loaded, 'files'>,
): Promise<Parts['select']> {
  if (select === undefined) return () => () => true;
  const { loadSelector } = await import('../../config/selector-flag.ts');
  const written: WrittenSelector = loadSelector(select, files);
  return (snapshot) => {
    const selects = compileSelector(written.selector, { documents: written.documents, snapshot });
    return (row) => selects(row) !== false;
  };
}
