import { basename, dirname } from 'node:path';
import type { PlanScope, ScopeTrailer } from '../../model/plan/scope.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';
import { commitNamed } from '../repository.ts';

/** The `Scope:` trailers of the commits since a base, oldest first (semantics G9). */
export async function scopesSince(
  shell: Shell,
  fleet: string,
  base: string,
): Promise<readonly ScopeTrailer[]> {
  const folder = fleetFolder(shell, fleet);
  const { openRepository } = await import('../../git/repo.ts');
  const repository = openRepository(dirname(folder), shell.env);
  return repository.scopeTrailers({ base, folder: basename(folder) });
}

/**
 * The scopes of a request that cannot be read, which is known without a plan. Undefined if all can be
 * read, or if the clone does not have the base.
 */
export async function malformedScope(
  shell: Shell,
  fleet: string,
  ref: string,
): Promise<PlanScope | undefined> {
  const base = await commitNamed(shell, fleet, ref);
  if (base === undefined) return undefined;
  const { parseScope } = await import('../../plan/compare/parse-scope.ts');
  const trailers = (await scopesSince(shell, fleet, base)).flatMap((trailer) => {
    const { problems } = parseScope(trailer.text);
    return problems.length > 0 ? [{ ...trailer, devices: 0, problems }] : [];
  });
  const outside = { changes: 0, devices: 0, classes: [] };
  return trailers.length > 0
    ? { trailers, changes: 0, devices: 0, outside, passed: false }
    : undefined;
}
