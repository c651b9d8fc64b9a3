import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Instant, Milliseconds } from '../../../lib/time.ts';
import { InvalidDocuments } from '../../../model/documents/quoted.ts';
import { WorldError } from '../../../model/error.ts';
import { hasError, loadDocuments } from '../../../operations/documents.ts';
import { surveyOrRecall, type RecallFlags } from '../../../operations/recall.ts';
import { USUAL_SPAN, usualCourses } from '../../../operations/rehearse/usual-courses.ts';
import { resolveTarget } from '../../../operations/target.ts';
import type { RehearsalReport } from '../../../model/report/rehearsal.ts';
import type { FaultScript } from '../../../rehearse/simulator.ts';
import { EXIT } from '../../../shell/exit.ts';
import { print, printJson, textStyle } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';
import { showProgress } from '../../../shell/show-progress.ts';

export interface RehearseFlags extends RecallFlags {
  readonly from?: Instant;
  readonly until?: Instant;
  readonly horizon?: Milliseconds;
  readonly runs?: number;
  readonly seed: number;
  readonly faults?: string;
  readonly trials?: number;
  readonly format: 'text' | 'json' | 'html';
}

/**
 * `fleetform rehearse`: reads the fleet, or a snapshot, and runs apply on a simulator of it in virtual
 * time. Throws `usage` for flags that contradict each other, and what reading the fleet throws.
 */
export async function rehearseCommand(flags: RehearseFlags, shell: Shell): Promise<number> {
  const faults = await readFaults(flags.faults, shell);
  const from = flags.from ?? shell.clock.now();
  const until = rehearsalEnd(flags, from);
  const { documents } = await loadDocuments(shell, flags.fleet);
  const parts = { documents, commit: undefined, expiresAfter: 0 };
  const { surveyed, memory, records } = await surveyOrRecall(shell, flags, parts, { at: from });
  if (hasError(surveyed.diagnostics))
    throw new InvalidDocuments(surveyed.diagnostics, documents.files);
  const target = resolveTarget(documents.service.value, flags.service, shell.env);
  const courses = flags.runs ?? usualCourses(surveyed.snapshot.devices.length);
  const { rehearse } = await import('../../../operations/rehearse/run-rehearsal.ts');
  const onProgress = showProgress(shell);
  const report = await rehearse({
    documents,
    target,
    snapshot: surveyed.snapshot,
    memory,
    records,
    from,
    until,
    courses,
    seed: flags.seed,
    faults,
    trials: flags.trials ?? courses,
    cwd: shell.cwd,
    stop: shell.stop,
    onProgress: (done, all) => onProgress({ kind: 'rehearsing', done, of: all }),
  });
  await printRehearsal(report, flags.format, shell);
  return EXIT.done;
}

async function printRehearsal(
  report: RehearsalReport,
  format: RehearseFlags['format'],
  shell: Shell,
): Promise<void> {
  if (format === 'json') return printJson(shell.out, report);
  if (format === 'html') {
    const { rehearsalHtml } = await import('../../../render/html/rehearsal-page.ts');
    return print(shell.out, [rehearsalHtml(report)]);
  }
  const { rehearsalText } = await import('../../../render/text/rehearsal-text.ts');
  print(shell.out, rehearsalText(report, textStyle(shell.out, shell.env)));
}

function rehearsalEnd({ until, horizon, runs }: RehearseFlags, from: Instant): Instant {
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
  const { readFaultScript } = await import('../../../rehearse/simulator.ts');
  let text: string;
  try {
    text = readFileSync(resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw new WorldError('fileUnreadable', { file }, { cause });
  }
  return readFaultScript(text);
}
