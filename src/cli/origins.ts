import { basename, dirname } from 'node:path';
import type { Plan, PlanOrigin } from '../model/plan.ts';
import type { Place } from '../model/source.ts';
import { compareTexts } from '../model/text.ts';
import { fleetFolder } from './documents.ts';
import type { Shell } from './shell.ts';

/**
 * The plan with the commits of the lines that its changes point at; as it is outside a repository.
 * Each line is asked for once, whatever the number of changes: as it is in the work tree, or at a commit.
 */
export async function withOrigins(
  shell: Shell,
  fleet: string,
  plan: Plan,
  ref?: string,
): Promise<Plan> {
  const folder = fleetFolder(shell, fleet);
  const { openRepository } = await import('../git/repo.ts');
  const repository = openRepository(dirname(folder), shell.env);
  const found = await repository.blame(linesOf(plan), {
    folder: basename(folder),
    ...(ref !== undefined && { ref }),
  });
  if (!found) return plan;
  const origins = [...found].flatMap(([file, lines]) =>
    [...lines].map(([line, origin]): PlanOrigin => ({ file, line, ...origin })),
  );
  return { ...plan, origins: origins.sort(byPlace) };
}

function linesOf({ changes, notes }: Plan): ReadonlyMap<string, ReadonlySet<number>> {
  const lines = new Map<string, Set<number>>();
  const add = ({ file, line }: Place): void =>
    void lines.set(file, (lines.get(file) ?? new Set()).add(line));
  for (const { at } of changes) add(at);
  for (const { at } of notes) add(at);
  return lines;
}

function byPlace(a: PlanOrigin, b: PlanOrigin): number {
  return compareTexts(a.file, b.file) || a.line - b.line;
}
