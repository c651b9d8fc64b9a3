import type { Plan } from '../model/plan.ts';
import { lookOf, print } from './output.ts';
import type { Output, Shell } from './shell.ts';

export type PlanFormat = 'text' | 'json';

export interface ShowOptions {
  readonly format: PlanFormat;
  /** Names every device instead of a few of each class. */
  readonly all?: boolean;
}

/** Prints a plan on stdout: text for people, or the very lines that a saved plan has. */
export async function printPlan(shell: Shell, plan: Plan, options: ShowOptions): Promise<void> {
  if (options.format === 'json') {
    const { planLines } = await import('../plan/save.ts');
    print(shell.out, planLines(plan));
    return;
  }
  print(shell.out, await planTexts(shell, plan, { to: shell.out, all: options.all === true }));
}

/** A plan as the lines that a reviewer reads, drawn for one stream. */
export async function planTexts(
  shell: Shell,
  plan: Plan,
  options: { readonly to: Output; readonly all?: boolean },
): Promise<Iterable<string>> {
  const [{ planText }, { viewOf }] = await Promise.all([
    import('../render/terminal.ts'),
    import('../render/view.ts'),
  ]);
  const all = options.all === true;
  return planText(viewOf(plan, { all }), { ...lookOf(options.to, shell.env), all });
}
