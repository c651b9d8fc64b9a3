import type { RehearsalReport } from '../../../model/report/rehearsal.ts';
import {
  rehearseDocuments,
  type RehearsalFlags,
} from '../../../operations/rehearse/rehearse-documents.ts';
import { EXIT } from '../../../shell/exit.ts';
import { print, printJson, textStyle } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';
import { showProgress } from '../../../shell/show-progress.ts';

interface RehearseFlags extends RehearsalFlags {
  readonly format: 'text' | 'json' | 'html';
}

/** `fleetform rehearse`: prints what the documents would do to a simulated copy of the fleet. */
export async function rehearseCommand(flags: RehearseFlags, shell: Shell): Promise<number> {
  const onProgress = showProgress(shell);
  const report = await rehearseDocuments(shell, flags, (done, all) =>
    onProgress({ kind: 'rehearsing', done, of: all }),
  );
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
  const [{ rehearsalBlocks }, { printTerminal }] = await Promise.all([
    import('../../../render/outputs/rehearsal.ts'),
    import('../../../render/print/terminal.ts'),
  ]);
  print(shell.out, printTerminal(rehearsalBlocks(report), textStyle(shell.out, shell.env)));
}
