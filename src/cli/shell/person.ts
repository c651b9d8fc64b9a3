import { openRepository } from '../../git/repo.ts';
import { WorldError } from '../../model/error.ts';
import { fleetFolder, type Shell } from './shell.ts';

/**
 * The name for a record: `--by`, else `user.name` of git. A machine account cannot answer later
 * questions, so it is never used. Throws `personUnknown`.
 */
export async function resolvePerson(
  shell: Shell,
  { by: name, fleet }: { readonly by?: string; readonly fleet: string },
): Promise<string> {
  const named = name?.trim() || (await openRepository(fleetFolder(shell, fleet), shell.env).user());
  if (!named) throw new WorldError('personUnknown');
  return named;
}
