import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { readNamed, usage } from '../../model/error.ts';
import type { RehearsalReport } from '../../model/report/output.gen.ts';
import type { FaultScript } from '../../rehearse/simulator.ts';
import type { Shell } from '../../shell/shell.ts';
import { requireValid, loadDocuments } from '../documents.ts';
import { surveyOrRecall, type RecallFlags } from '../recall.ts';
import { resolveTarget } from '../target.ts';

export interface RehearsalFlags extends RecallFlags {
  /** Absent: now. */
  readonly from?: Instant;
  readonly until?: Instant;
  readonly horizon?: Milliseconds;
  /** Courses; absent: as many as the size of the fleet allows. */
  readonly runs?: number;
  readonly seed: number;
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
  const here = await loadDocuments(shell, flags.fleet);
  const { documents } = here;
  const { surveyed, memory } = await surveyOrRecall(shell, flags, here, { at: from });
  requireValid(surveyed, documents);
  const { snapshot } = surveyed;
  const target = resolveTarget(documents.service.value, flags.service, shell.env);
  const courses = flags.runs ?? usualCourses(snapshot.devices.length);
  const { runRehearsal } = await import('./run-rehearsal.ts');
  const { cwd, stop } = shell;
  const input = { documents, target, snapshot, memory, from, until, cwd, stop };
  return runRehearsal({ ...input, courses, seed: flags.seed, faults, onProgress });
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
  if (message !== undefined) throw usage(message);
  return until ?? from + (horizon ?? USUAL_SPAN);
}

const MOST_RUNS = 1_000;

async function readFaults(file: string | undefined, { cwd }: Shell): Promise<FaultScript> {
  if (file === undefined) return [];
  const { readFaultScript } = await import('../../rehearse/simulator.ts');
  return readFaultScript(readNamed(file, () => readFileSync(resolve(cwd, file), 'utf8')));
}

/** How long a rehearsal lasts without a flag. */
export const USUAL_SPAN: Milliseconds = 14 * 86_400_000;

/** Fewer courses of a large fleet, so that a rehearsal takes about a minute. */
export function usualCourses(devices: number): number {
  if (devices > 5_000) return 1;
  return devices > 2_000 ? 3 : 5;
}
