import { openRepository } from '../../git/repo.ts';
import type { Shell } from '../../shell/shell.ts';

/** An account on a machine, which cannot answer later questions; any other label is of a job. */
const ACCOUNT = /^[^/@]*@[^/@]*$/;

/**
 * The author of a record: the name of the flag, in a job the URL of its run, else `user.name` of git,
 * else the account and the machine. It never fails, because a pause must not fail for a name; records
 * that need a person who can answer later use `resolvePerson`.
 */
export async function findAuthor(
  { cwd, env, identity: { label } }: Pick<Shell, 'cwd' | 'env' | 'identity'>,
  name?: string,
): Promise<string> {
  const given = name?.trim();
  if (given) return given;
  if (!ACCOUNT.test(label)) return label;
  return (await openRepository(cwd, env).user()) ?? label;
}
