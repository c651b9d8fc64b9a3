import { applySaved } from '../process/apply-line.ts';
import { checkOwnWords } from '../../operations/approval.ts';
import { printMessages } from '../../shell/messages.ts';
import { readApprovedFile } from '../../operations/plan-file.ts';
import { checkFormat, printPlan, type PlanFormat } from './show-plan.ts';
import { WorldError } from '../../model/error.ts';
import { countPlanColumns } from '../../model/plan/actor.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Shell } from '../../shell/shell.ts';
import { exitOfPlan } from './plan.ts';

interface ShowFlags {
  readonly file: string;
  readonly all?: boolean;
  readonly detailedExitcode?: boolean;
  readonly limit?: number;
  readonly policy?: readonly string[];
  readonly site?: readonly string[];
  readonly format: PlanFormat;
}

/**
 * `fleetform show FILE`: renders a saved plan, or the changes of some policies and sites with every
 * device; refuses an edited or truncated file. Throws `usage` for a part that has nothing.
 */
export async function showCommand(flags: ShowFlags, shell: Shell): Promise<number> {
  checkFormat({ ...flags, isPart: isPart(flags) });
  const { plan, digest } = await readApprovedFile(shell, flags.file);
  checkOwnWords(plan);
  const { policy: policies = [], site: sites = [] } = flags;
  const command = applySaved({ file: flags.file, plan, digest });
  if (isPart(flags)) {
    const { showPart } = await import('../../render/view/part.ts');
    const part = showPart(plan, { policies, sites });
    if (!part) throw new WorldError('usage', { message: NOTHING });
    const shown = { policies, sites, of: countChanges(plan) };
    await printPlan(shell, part, { ...flags, all: flags.format === 'text', shown });
  } else await printPlan(shell, plan, { ...flags, command, shownAt: shell.clock.now() });
  if (flags.format === 'text') await sayUnprotected(shell);
  return exitOfPlan(plan, flags.detailedExitcode === true);
}

/** A digest without an approval protects against accidents alone, and a reviewer has to know. */
async function sayUnprotected(shell: Shell): Promise<void> {
  const { UNPROTECTED_WORDS } = await import('../../render/words/approval-words.ts');
  printMessages(shell, [UNPROTECTED_WORDS]);
}

const NOTHING =
  'The plan has no change of that policy or site; `fleetform show FILE` lists the policies';

function countChanges(plan: Plan): number {
  const { now, later, person } = countPlanColumns(plan);
  return now + later + person;
}

function isPart({ policy = [], site = [] }: ShowFlags): boolean {
  return policy.length + site.length > 0;
}
