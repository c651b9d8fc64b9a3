import type { Plan } from '../model/plan.ts';
import { lookOf, print, printJson } from './output.ts';
import type { Shell } from './shell.ts';

export const DRIFT_FORMATS = ['text', 'json', 'md'] as const;
export type DriftFormat = (typeof DRIFT_FORMATS)[number];

export interface DriftOptions {
  readonly format: DriftFormat;
  readonly all?: boolean;
}

/** Prints what drifted; returns how many changes that is. */
export async function printDrift(
  shell: Shell,
  plan: Plan,
  { format, all = false }: DriftOptions,
): Promise<number> {
  const { driftView } = await import('../render/drift-view.ts');
  const view = driftView(plan, { all });
  if (format === 'md') {
    const [{ driftMarkdown }, { COMMENT_LIMIT }] = await Promise.all([
      import('../render/drift-markdown.ts'),
      import('../render/plan-markdown.ts'),
    ]);
    shell.out.write(driftMarkdown(view, { limit: COMMENT_LIMIT }));
  } else if (format === 'json') {
    const { driftJson } = await import('../render/drift-json.ts');
    await printJson(shell.out, driftJson(plan, view));
  } else {
    const { driftText } = await import('../render/drift-text.ts');
    print(shell.out, driftText(view, { ...lookOf(shell.out, shell.env), all }));
  }
  return view.drifted;
}
