import type { Plan } from '../../model/plan/plan.ts';
import { textStyle, print, printJson } from '../../shell/output.ts';
import type { DriftView } from '../../render/view/drift-view.ts';
import type { Shell } from '../../shell/shell.ts';

export const DRIFT_FORMATS = ['text', 'json', 'md'] as const;
export type DriftFormat = (typeof DRIFT_FORMATS)[number];

interface DriftOptions {
  readonly format: DriftFormat;
  readonly all?: boolean;
}

export async function printDrift(
  shell: Shell,
  plan: Plan,
  { format, all = false }: DriftOptions,
): Promise<DriftView> {
  const { driftView } = await import('../../render/view/drift-view.ts');
  const view = driftView(plan, { all });
  if (format === 'md') {
    const [{ driftMarkdown }, { COMMENT_LIMIT }] = await Promise.all([
      import('../../render/outputs/drift.ts'),
      import('../../render/markdown/plan-markdown.ts'),
    ]);
    shell.out.write(driftMarkdown(view, { limit: COMMENT_LIMIT }));
  } else if (format === 'json') {
    const { driftJson } = await import('../../render/data/drift-json.ts');
    await printJson(shell.out, driftJson(plan, view));
  } else {
    const [{ driftBlocks }, { printTerminal }] = await Promise.all([
      import('../../render/outputs/drift.ts'),
      import('../../render/print/terminal.ts'),
    ]);
    const style = { ...textStyle(shell.out, shell.env), all, allBy: ' (--all lists them)' };
    print(shell.out, printTerminal(driftBlocks(view, { all }), style));
  }
  return view;
}
