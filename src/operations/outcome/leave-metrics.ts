import { chmod } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { RunReport } from '../../model/ledger/run-report.ts';
import { openMetrics } from '../../render/data/open-metrics.ts';
import { metricsLostWords } from '../../render/words/last-words.ts';
import { printMessages } from '../../shell/messages.ts';
import type { Shell } from '../../shell/shell.ts';

/** A collector of metrics is another user, and the file has no names. */
const READABLE = 0o644;

/**
 * Replaces the file of metrics with those of this run. A failure is printed, and changes neither the
 * outcome nor the exit code of the run.
 */
export async function leaveMetrics(
  shell: Pick<Shell, 'cwd' | 'env' | 'err' | 'clock'>,
  file: string,
  run: { readonly report: RunReport; readonly exit: number },
): Promise<void> {
  const path = resolve(shell.cwd, file);
  try {
    const { replaceFile } = await import('../../store/local-file.ts');
    await replaceFile(path, openMetrics(run.report, { exit: run.exit, now: shell.clock.now() }));
    await chmod(path, READABLE);
  } catch (error) {
    printMessages(shell, [metricsLostWords(file, error)]);
  }
}
