import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { unreadableFile, WorldError } from '../../model/error.ts';
import type { RehearsalReport } from '../../model/report/rehearsal.ts';
import type { FaultScript } from '../../rehearse/simulator.ts';
import type { Shell } from '../../shell/shell.ts';
import { requireValid, loadDocuments } from '../documents.ts';
import { surveyOrRecall, type RecallFlags } from '../recall.ts';
import { resolveTarget } from '../target.ts';
import { USUAL_SPAN, usualCourses } from './usual-courses.ts';

/** The inputs of a rehearsal: documents, fleet, start, and number of courses. */
export interface RehearsalFlags extends RecallFlags {
  /** Absent: now. */
  readonly from?: Instant;
  readonly until?: Instant;
  readonly horizon?: Milliseconds;
  /** Courses; absent: as many as the size of the fleet allows. */
  readonly runs?: number;
  readonly seed: number;
  /** A file with a script of faults. */
  readonly faults?: string;
}

/**
 * Reads the fleet, or a snapshot, and runs apply on a simulator of it in virtual time. Throws `usage`
 * for flags that contradict each other, `InvalidDocuments`, and what reading the fleet throws.
 */
export async function rehearseDocuments(
  shell: Shell,
  flags: RehearsalFlags,
  onProgress: (done: number, all: number) => void = () => undefined,
): Promise<RehearsalReport> {
  const faults = await readFaults(flags.faults, shell);
  const from = flags.from ?? shell.clock.now();
  const until = rehearsalEnd(flags, from);
  const { documents } = await loadDocuments(shell, flags.fleet);
  const parts = { documents, commit: undefined, expiresAfter: 0 };
  const { surveyed, memory, records } = await surveyOrRecall(shell, flags, parts, { at: from });
  requireValid(surveyed, documents);
  const { snapshot } = surveyed;
  const target = resolveTarget(documents.service.value, flags.service, shell.env);
  const courses = flags.runs ?? usualCourses(snapshot.devices.length);
  const { rehearse } = await import('./run-rehearsal.ts');
  const { cwd, stop } = shell;
  const input = { documents, target, snapshot, memory, records, from, until, cwd, stop };
  return rehearse({ ...input, courses, seed: flags.seed, faults, onProgress });
}

function rehearsalEnd({ until, horizon, runs }: RehearsalFlags, from: Instant): Instant {
  const message =
    until !== undefined && horizon !== undefined
      ? 'Use --until or --horizon, not both'
      : until !== undefined && until <= from
        ? '--until must be later than the start of the rehearsal'
        : runs !== undefined && (runs < 1 || runs > MOST_RUNS)
          ? `--runs must be from 1 to ${MOST_RUNS}`
          : undefined;
  if (message !== undefined) throw new WorldError('usage', { message });
  return until ?? from + (horizon ?? USUAL_SPAN);
}

const MOST_RUNS = 1_000;

async function readFaults(file: string | undefined, { cwd }: Shell): Promise<FaultScript> {
  if (file === undefined) return [];
  const { readFaultScript } = await import('../../rehearse/simulator.ts');
  let text: string;
  try {
    text = readFileSync(resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw unreadableFile(file, cause);
  }
  return readFaultScript(text);
}
