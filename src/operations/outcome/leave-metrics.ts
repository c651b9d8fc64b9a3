import { chmod } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { RunReport } from '../../model/ledger/run-report.ts';
import { openMetrics } from '../../render/data/open-metrics.ts';
import { metricsLostWords } from '../../render/words/last-words.ts';
import { exitOfThrown } from '../../shell/exit.ts';
import { printMessages } from '../../shell/messages.ts';
import type { Shell } from '../../shell/shell.ts';
import { replaceFile } from '../../store/local-file.ts';

/** A collector of metrics is another user, and the file has no names. */
const READABLE = 0o644;

/**
 * Runs, then replaces the file of metrics with those of this run, however it ended: with a report,
 * with nothing to do, or before it had a plan. The counts of an earlier run would hide that this
 * one failed. Returns the exit code of the run, or throws what the run threw. A failure to write is
 * printed, and changes neither.
 */
export async function measureRun(
  shell: Pick<Shell, 'cwd' | 'env' | 'err' | 'clock'>,
  file: string,
  run: (onReport: (report: RunReport) => void) => Promise<number>,
): Promise<number> {
  const ran: { report?: RunReport } = {};
  try {
    const exit = await run((report) => (ran.report = report));
    await leaveMetrics(shell, file, { ...ran, exit });
    return exit;
  } catch (error) {
    await leaveMetrics(shell, file, { ...ran, exit: exitOfThrown(error) });
    throw error;
  }
}

async function leaveMetrics(
  shell: Pick<Shell, 'cwd' | 'env' | 'err' | 'clock'>,
  file: string,
  { exit, report }: { readonly exit: number; readonly report?: RunReport },
): Promise<void> {
  const path = resolve(shell.cwd, file);
  try {
    await replaceFile(path, openMetrics(report, { exit, now: shell.clock.now() }));
    await chmod(path, READABLE);
  } catch (error) {
    printMessages(shell, [metricsLostWords(file, error)]);
  }
}
