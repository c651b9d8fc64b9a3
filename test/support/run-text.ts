import type { RunReport } from '../../src/model/ledger/run-report.ts';
import { reportBlocks, type RunOptions } from '../../src/render/outputs/run.ts';
import { printTerminal } from '../../src/render/print/terminal.ts';
import type { TextStyle } from '../../src/render/sinks/snippet.ts';

/** The report of a run in a terminal. */
export function runText(report: RunReport, style: RunOptions & TextStyle) {
  return printTerminal(reportBlocks(report, style), style);
}
