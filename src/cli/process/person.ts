import { WorldError } from '../../model/error.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';

/** Where the name comes from. `flag` is named in the error. */
interface PersonFlags {
  readonly by?: string;
  readonly fleet: string;
  readonly flag?: string;
}

/**
 * The name for a record: the one of a flag (`--by` by default), else `user.name` of git. A machine
 * account cannot answer later questions, so it is never used. Throws `personUnknown`.
 */
export async function resolvePerson(
  shell: Shell,
  { by: name, fleet, flag }: PersonFlags,
): Promise<string> {
  const { openRepository } = await import('../../git/repo.ts');
  const named = name?.trim() || (await openRepository(fleetFolder(shell, fleet), shell.env).user());
  if (!named) throw new WorldError('personUnknown', { ...(flag && { flag }) });
  return named;
}

/**
 * Asks once for confirmation. Returns true only for a complete `yes`, so that a stray key starts
 * nothing. Throws `confirmationMissing` without a terminal: silence is not consent.
 */
export async function confirm(shell: Shell, question: string): Promise<boolean> {
  if (!shell.ask) throw new WorldError('confirmationMissing');
  const answer = await shell.ask(question);
  return answer.trim().toLowerCase() === 'yes';
}
