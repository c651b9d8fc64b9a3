import { openRepository } from '../../git/repo.ts';
import { WorldError } from '../../model/error.ts';
import { fleetFolder, type Shell } from './shell.ts';

/**
 * Who a record names: what `--by` says, else `user.name` of git. A machine's account is nobody to ask
 * later, so it is never taken instead. Throws `personUnknown`.
 */
export async function personOf(
  shell: Shell,
  { by: name, fleet }: { readonly by?: string; readonly fleet: string },
): Promise<string> {
  const named = name?.trim() || (await openRepository(fleetFolder(shell, fleet), shell.env).user());
  if (!named) throw new WorldError('personUnknown');
  return named;
}
