import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest first, so that no core waits for one of them at the end. */
const { heavy, heavyFolders } = JSON.parse(
  readFileSync(new URL('heavy.json', import.meta.url), 'utf8'),
) as { readonly heavy: readonly string[]; readonly heavyFolders: readonly string[] };
const HEAVY = [...heavy, ...heavyFolders];

/** Heavy files in the order of the list, then all others by name: the same order on every machine. */
export class HeavyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const at = HEAVY.findIndex((part) => moduleId.includes(part));
  return at < 0 ? HEAVY.length : at;
}
