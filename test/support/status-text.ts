import type { StatusView } from '../../src/model/report/status.ts';
import { statusBlocks } from '../../src/render/outputs/status.ts';
import { printTerminal } from '../../src/render/print/terminal.ts';
import type { TextStyle } from '../../src/render/sinks/snippet.ts';

/** A status in a terminal. */
export function statusText(
  view: StatusView,
  style: TextStyle & { readonly all?: boolean } & Parameters<typeof statusBlocks>[1],
) {
  return printTerminal(statusBlocks(view, style), style);
}
