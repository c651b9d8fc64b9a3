import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What starts many processes before all else: a worker grows with each file, and starting one costs as much as its memory.
 * Then the longest, so that no core waits for one of them at the end.
 */
const { processes, heavy, heavyFolders } = JSON.parse(
  readFileSync(new URL('heavy.json', import.meta.url), 'utf8'),
) as Readonly<Record<'processes' | 'heavy' | 'heavyFolders', readonly string[]>>;
const HEAVY = [...processes, ...heavy, ...heavyFolders];

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
