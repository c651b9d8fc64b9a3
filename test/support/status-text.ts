import type { StatusView } from '../../src/model/report/status.ts';
import { statusBlocks } from '../../src/render/outputs/status.ts';
import { printTerminal } from '../../src/render/print/terminal.ts';
import { buildPlanView } from '../../src/render/view/view.ts';
import { planOf } from './render-plan.ts';
import type { TextStyle } from '../../src/render/sinks/snippet.ts';

/** A status in a terminal. */
export function statusText(
  view: StatusView,
  style: TextStyle & Partial<Parameters<typeof statusBlocks>[1]>,
) {
  const { plan = buildPlanView(planOf([])) } = style;
  return printTerminal(statusBlocks(view, { ...style, plan }), style);
}
