import { approvedCommand, readApprovedFile } from '../../operations/plan-file.ts';
import { checkFormat, printPlan, type PlanFormat } from './show-plan.ts';
import type { Shell } from '../shell/shell.ts';
import { exitOfPlan } from './plan.ts';

export interface ShowFlags {
  readonly file: string;
  readonly all?: boolean;
  readonly detailedExitcode?: boolean;
  readonly limit?: number;
  readonly format: PlanFormat;
}

/** `fleetform show FILE`: renders a saved plan; refuses an edited or truncated one. */
export async function showCommand(flags: ShowFlags, shell: Shell): Promise<number> {
  checkFormat(flags);
  const { plan, digest } = await readApprovedFile(shell, flags.file);
  await printPlan(shell, plan, { ...flags, command: approvedCommand(flags.file, plan, digest) });
  return flags.detailedExitcode === true ? exitOfPlan(plan, true) : 0;
}
