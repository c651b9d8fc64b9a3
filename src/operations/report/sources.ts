import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { ReportNotice, ReportSource } from '../../model/report/fleet-report.ts';
import type { Milliseconds } from '../../lib/time.ts';
import { sampleAvailability, type AvailabilitySample } from '../../report/fleet/availability.ts';
import { splitLines, openTextStream } from '../../shell/plain-file.ts';
import type { Shell } from '../../shell/shell.ts';
import { readSnapshotFile } from '../snapshot-file.ts';
import { usage } from '../../model/error.ts';

/** Readings over time, as far as they are kept: the newest whole, of the others only samples. */
export interface ReadHistory {
  readonly samples: readonly AvailabilitySample[];
  readonly sources: readonly ReportSource[];
  readonly notices: readonly ReportNotice[];
  readonly newest: { readonly file: string; readonly snapshot: Snapshot };
}

export type SelectIn = (snapshot: Snapshot) => (row: number) => boolean;

interface HistoryOptions {
  readonly select: SelectIn;
  readonly maxGap: Milliseconds;
}

/**
 * Reads snapshot files in order of their time, whatever order they are given in, and keeps one whole
 * at a time. Throws `usage` where they are of different organizations, and what reading a file throws.
 */
export async function readHistory(
  shell: Shell,
  files: readonly string[],
  { select, maxGap }: HistoryOptions,
): Promise<ReadHistory> {
  const { inTime, isSorted } = await sortByTime(shell, files);
  const samples: AvailabilitySample[] = [];
  const sources: ReportSource[] = [];
  const notices: ReportNotice[] = isSorted ? [] : [{ code: 'reordered' }];
  let newest: ReadHistory['newest'] | undefined;
  for (const file of inTime) {
    const { snapshot } = await readSnapshotFile(shell, file);
    const source = describeSource(snapshot, file);
    if (newest?.snapshot.takenAt === snapshot.takenAt) {
      notices.push({ code: 'sameInstant', file });
      continue;
    }
    notices.push(...sourceNotices(source), ...stepNotices(newest, { file, snapshot }, maxGap));
    sources.push(source);
    samples.push(sampleAvailability(snapshot.takenAt, snapshot.devices, select(snapshot)));
    newest = { file, snapshot };
    checkOrganizations(sources);
  }
  if (!newest) throw usage('No snapshot file');
  return { samples, sources, notices, newest };
}

async function sortByTime(shell: Shell, files: readonly string[]) {
  const timed: { readonly file: string; readonly takenAt: number }[] = [];
  for (const file of files) timed.push({ file, takenAt: await readInstant(shell, file) });
  const inTime = timed.toSorted((a, b) => a.takenAt - b.takenAt);
  const isSorted = timed.every((each, index) => each === inTime[index]);
  return { inTime: inTime.map(({ file }) => file), isSorted };
}

/** The time in the first line; what is wrong with a file is found when it is read whole. */
async function readInstant(shell: Shell, file: string): Promise<number> {
  try {
    for await (const line of splitLines(openTextStream(shell, file)))
      return Number((JSON.parse(line) as { takenAt?: unknown }).takenAt) || 0;
  } catch {
    return 0;
  }
  return 0;
}

export function describeSource(snapshot: Snapshot, file: string | null): ReportSource {
  const { takenAt, organization, confidence, devices } = snapshot;
  return {
    file,
    takenAt,
    organization: organization ?? null,
    confidence,
    devices: devices.length,
  };
}

/** Notices about one reading. */
export function sourceNotices({
  file,
  confidence,
  devices,
}: ReportSource): readonly ReportNotice[] {
  return [
    ...(confidence === 'torn' ? [{ code: 'torn', file } as const] : []),
    ...(devices === 0 ? [{ code: 'noDevices', file } as const] : []),
  ];
}

function checkOrganizations(sources: readonly ReportSource[]): void {
  const known = sources.filter(({ organization }) => organization !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last || first.organization === last.organization) return;
  const named = [first, last].map(({ organization, file }) => `${organization} (${file})`);
  throw usage(`Snapshots of different organizations: ${named.join(', ')}`);
}

/** Notices about the step from one reading to the next. */
function stepNotices(
  before: ReadHistory['newest'] | undefined,
  { file, snapshot }: ReadHistory['newest'],
  maxGap: Milliseconds,
): readonly ReportNotice[] {
  if (!before) return [];
  const [from, to] = [before.snapshot.takenAt, snapshot.takenAt];
  return [
    ...(to - from > maxGap ? [{ code: 'gap', from, to } as const] : []),
    ...(sharesNone(before.snapshot, snapshot) ? [{ code: 'nothingInCommon', file } as const] : []),
  ];
}

/** Two fleets with devices and none in common: probably of two organizations. */
function sharesNone(before: Snapshot, { devices }: Snapshot): boolean {
  if (devices.length === 0 || before.devices.length === 0) return false;
  for (let row = 0; row < devices.length; row += 1)
    if (before.devices.rowOf(devices.at(row).id) !== undefined) return false;
  return true;
}
