import { countPlanColumns } from '../../model/plan/actor.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { exitOfReading } from '../../model/report/all-clear.ts';
import { outcomeOfPlan } from '../../model/report/plan-situation.ts';
import type { PlanOptions } from '../../render/outputs/plan.ts';
import type { PlanView, ViewOptions } from '../../render/view/view.ts';
import { EXIT } from '../../shell/exit.ts';
import { print, textStyle } from '../../shell/output.ts';
import type { Output, Shell } from '../../shell/shell.ts';
import { applySaved } from '../process/apply-line.ts';
import { pick } from '../../lib/objects.ts';
import { usage } from '../../model/error.ts';
import { command, type FlagsOf } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import { collectNames } from '../program/flags.ts';

/** The formats of a plan. */
export const planFormat = flag.formats('text', 'json', 'md', 'html', 'ci');
type PlanFormat = FlagsOf<{ format: typeof planFormat }>['format'];

const NAMES = { default: [], group: flag.OUTPUT };

/**
 * Renders a saved plan, or the changes of some policies and sites with every device; refuses an edited
 * or truncated file. Throws `usage` for a part that has nothing.
 */
export const show = command({
  name: 'show',
  summary: 'Show a saved plan',
  more: 'Prints text, JSON, Markdown or HTML. Refuses a file that was edited or truncated.',
  examples: ['show plan.json', 'show plan.json --format html'],
  flags: {
    file: flag.argument('FILE', 'Plan that `plan -o FILE` saved'),
    format: planFormat,
    policy: flag.option('POLICY', 'Only these policies, by address or glob', collectNames, NAMES),
    site: flag.option('SITE', 'Only these sites, by name or glob', collectNames, NAMES),
    all: flag.all,
    limit: flag.limit,
    detailedExitcode: flag.detailedExitcode,
  },
  async run(flags, shell) {
    const { file, policy: policies, site: sites } = flags;
    const isPart = policies.length + sites.length > 0;
    checkFormat({ ...flags, isPart });
    const { readApprovedFile } = await import('../../operations/plan-file.ts');
    const { checkOwnWords } = await import('../../operations/approval.ts');
    const { plan, digest } = await readApprovedFile(shell, file);
    checkOwnWords(plan);
    if (isPart) {
      const { showPart } = await import('../../render/view/part.ts');
      const part = showPart(plan, { policies, sites });
      if (!part) throw usage(NOTHING);
      const { now, later, person } = countPlanColumns(plan);
      const shown = { policies, sites, of: now + later + person };
      await printPlan(shell, part, { ...flags, all: flags.format === 'text', shown });
    } else {
      const next = applySaved({ file, plan, digest });
      await printPlan(shell, plan, { ...flags, command: next, shownAt: shell.clock.now() });
    }
    // A digest without an approval protects against accidents alone, and a reviewer has to know.
    if (flags.format === 'text') {
      const { printMessages } = await import('../../shell/messages.ts');
      const { UNPROTECTED_WORDS } = await import('../../render/words/approval-words.ts');
      printMessages(shell, [UNPROTECTED_WORDS]);
    }
    return exitOfPlan(plan, flags.detailedExitcode === true);
  },
});

const NOTHING =
  'The plan has no change of that policy or site; `fleetform show FILE` lists the policies';

/** Returns the code of a plan: that of its outcome where nothing can be relied on, 1 where its request refuses a policy (semantics K27), 2 on request if anything is left, else 0. */
export function exitOfPlan(plan: Plan, detailed: boolean): number {
  if (plan.base?.refuses) return EXIT.error;
  const outcome = outcomeOfPlan(plan);
  const exit = exitOfReading({ exit: outcome });
  const { now, running, later, person } = countPlanColumns(plan);
  const isLeft = now + running + later + person > 0 || outcome !== EXIT.done;
  return exit === EXIT.done && detailed && isLeft ? EXIT.changes : exit;
}

export interface ShowOptions
  extends ViewOptions, Pick<PlanOptions, 'isSummary' | 'command' | 'shownAt'> {
  readonly format: PlanFormat;
  /** Maximum length of markdown in characters. */
  readonly limit?: number;
}

/**
 * Prints a plan on stdout: text, the lines of a saved plan, markdown for a pull request comment, an
 * HTML page, or workflow commands that annotate the documents. Throws `usage` for a limit below the
 * length of the totals.
 */
export async function printPlan(shell: Shell, plan: Plan, options: ShowOptions): Promise<void> {
  const { format, limit } = options;
  switch (format) {
    case 'json': {
      const { planLines } = await import('../../plan/saved/save.ts');
      return print(shell.out, planLines(plan));
    }
    case 'md': {
      const markdown = await import('../../render/outputs/plan.ts');
      const view = await viewed(plan, options);
      const { COMMENT_LIMIT, leastMarkdown, planMarkdown } = markdown;
      const text = planMarkdown(view, { limit: limit ?? COMMENT_LIMIT });
      if (limit !== undefined && text.length > limit)
        throw usage(
          `--limit ${limit} cannot be kept: this plan takes ${leastMarkdown(view)} characters at the least`,
        );
      return void shell.out.write(text);
    }
    case 'html': {
      const { planHtml } = await import('../../render/html/pages.ts');
      return print(shell.out, planHtml(await viewed(plan, options), plan.changes));
    }
    case 'ci': {
      const { planAnnotations } = await import('../../render/data/annotations.ts');
      return print(shell.out, planAnnotations(await viewed(plan)));
    }
    case 'text':
      return print(shell.out, await planTexts(shell, plan, { ...options, to: shell.out }));
  }
}

/** Formats for people; a part of a saved plan in another is no plan that a machine may use. */
const PARTIAL: readonly PlanFormat[] = ['text', 'md', 'html'];

/** Throws `usage` for flags that the format would ignore. */
export function checkFormat(
  flags: Pick<ShowOptions, 'format' | 'limit' | 'all'> & {
    readonly diff?: boolean;
    readonly horizon?: number;
    readonly isPart?: boolean;
  },
): void {
  const { format, limit, all, diff, horizon, isPart } = flags;
  const isForText = format === 'text' || format === 'json';
  const message = [
    ...(limit !== undefined && format !== 'md' ? ['--limit requires --format md'] : []),
    ...(all === true && !isForText ? ['--all requires --format text'] : []),
    ...(diff === true && format !== 'text' ? ['--diff requires --format text'] : []),
    ...(isPart === true && !PARTIAL.includes(format)
      ? ['--policy and --site require --format text, md or html']
      : []),
    ...(horizon !== undefined && !isForText ? ['--horizon requires --format text or json'] : []),
  ].join('; ');
  if (message !== '') throw usage(message);
}

async function viewed(plan: Plan, options?: ViewOptions): Promise<PlanView> {
  const { buildPlanView } = await import('../../render/view/view.ts');
  return buildPlanView(plan, options);
}

export async function planTexts(
  shell: Shell,
  plan: Plan,
  options: Omit<ShowOptions, 'format' | 'limit'> & {
    readonly to: Output;
    /** A question follows: no next step. */
    readonly isPrompted?: boolean;
  },
): Promise<Iterable<string>> {
  const { planShown, planText } = await import('../../render/outputs/plan.ts');
  const { command: next, isPrompted = false, all = false, to, shownAt } = options;
  const style = { ...textStyle(to, shell.env), all, isPrompted, ...pick(options, 'isSummary') };
  const view = await viewed(plan, options);
  const own = {
    ...style,
    ...(next !== undefined && { command: next }),
    ...(shownAt !== undefined && { shownAt }),
  };
  if (!to.take) return planText(view, own);
  to.take(planShown(view, own));
  return [];
}
