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
