import { WorldError } from '../../model/error.ts';
import type { Instant } from '../../lib/time.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { textStyle, print } from '../../shell/output.ts';
import type { ShownOf } from '../../render/view/part.ts';
import type { Output, Shell } from '../../shell/shell.ts';

export const PLAN_FORMATS = ['text', 'json', 'md', 'html', 'ci'] as const;
export type PlanFormat = (typeof PLAN_FORMATS)[number];

interface ShowOptions {
  readonly format: PlanFormat;
  /** Names every device instead of a few of each class. */
  readonly all?: boolean;
  /** Maximum length of markdown in characters. */
  readonly limit?: number;
  /** The command that applies the plan, with its arguments. */
  readonly command?: string;
  /** The time now, for a saved plan, which may have expired. */
  readonly shownAt?: Instant;
  /** The plan is a part of one: what is shown, and how many changes and notes the whole has. */
  readonly shown?: ShownOf;
}

/**
 * Prints a plan on stdout: text, the lines of a saved plan, markdown for a pull request comment, an
 * HTML page, or workflow commands that annotate the documents. Throws `usage` for a limit below the
 * length of the totals.
 */
export async function printPlan(shell: Shell, plan: Plan, options: ShowOptions): Promise<void> {
  const { format, all = false, limit, command, shown, shownAt } = options;
  switch (format) {
    case 'json': {
      const { planLines } = await import('../../plan/saved/save.ts');
      return print(shell.out, planLines(plan));
    }
    case 'md': {
      const markdown = await import('../../render/markdown/plan-markdown.ts');
      const view = await viewed(plan, shown);
      const { COMMENT_LIMIT, leastMarkdown, planMarkdown } = markdown;
      const text = planMarkdown(view, { limit: limit ?? COMMENT_LIMIT });
      if (limit !== undefined && text.length > limit)
        throw new WorldError('usage', { message: tooShort(limit, leastMarkdown(view)) });
      return void shell.out.write(text);
    }
    case 'html': {
      const { planHtml } = await import('../../render/html/report.ts');
      return print(shell.out, planHtml(await viewed(plan, shown), plan.changes));
    }
    case 'ci': {
      const { planAnnotations } = await import('../../render/data/annotations.ts');
      return print(shell.out, planAnnotations(await viewed(plan)));
    }
    case 'text':
      return print(
        shell.out,
        await planTexts(shell, plan, { to: shell.out, all, command, shown, shownAt }),
      );
  }
}

/** Formats for people; a part of a saved plan in another is no plan that a machine may use. */
const PARTIAL: readonly PlanFormat[] = ['text', 'md', 'html'];

/** Throws `usage` for flags that the format would ignore. */
export function checkFormat(flags: {
  readonly format: PlanFormat;
  readonly limit?: number;
  readonly all?: boolean;
  readonly horizon?: number;
  readonly isPart?: boolean;
}): void {
  const { format, limit, all, horizon, isPart } = flags;
  const isForText = format === 'text' || format === 'json';
  const message = [
    ...(limit !== undefined && format !== 'md' ? ['--limit requires --format md'] : []),
    ...(all === true && !isForText ? ['--all requires --format text'] : []),
    ...(isPart === true && !PARTIAL.includes(format)
      ? ['--policy and --site require --format text, md or html']
      : []),
    ...(horizon !== undefined && !isForText ? ['--horizon requires --format text or json'] : []),
  ].join('; ');
  if (message !== '') throw new WorldError('usage', { message });
}

function tooShort(limit: number, least: number): string {
  return `--limit ${limit} cannot be kept: this plan takes ${least} characters at the least`;
}

async function viewed(
  plan: Plan,
  shown?: ShownOf,
): Promise<import('../../render/view/view.ts').PlanView> {
  const { buildPlanView } = await import('../../render/view/view.ts');
  return buildPlanView(plan, { shown });
}

/** A plan as text lines for one stream. */
export async function planTexts(
  shell: Shell,
  plan: Plan,
  options: {
    readonly to: Output;
    readonly all?: boolean;
    readonly command?: string | undefined;
    /** A question follows: no next step. */
    readonly isPrompted?: boolean;
    readonly shown?: ShownOf | undefined;
    readonly shownAt?: Instant | undefined;
  },
): Promise<Iterable<string>> {
  const [{ planText }, { buildPlanView }] = await Promise.all([
    import('../../render/text/terminal.ts'),
    import('../../render/view/view.ts'),
  ]);
  const { command, isPrompted = false, all = false, to, shown, shownAt } = options;
  const style = { ...textStyle(to, shell.env), all, isPrompted };
  return planText(buildPlanView(plan, { all, shown }), {
    ...style,
    ...(command !== undefined && { command }),
    ...(shownAt !== undefined && { shownAt }),
  });
}
