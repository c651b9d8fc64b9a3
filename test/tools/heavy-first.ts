import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest first, so that no core waits for one of them at the end. */
const HEAVY = [
  'test/package/readme',
  'test/earlier/',
  'test/package/node-versions',
  'test/unit/operations/ground/move',
  'test/unit/operations/ledger-heads',
  'test/doctor/dialects',
  'test/unit/operations/ground/',
  'test/chaos/',
  'test/simulation/simulation.',
  'test/mutants/',
  'test/crash/',
  'test/blackbox/shared-ledger',
  'test/blackbox/trouble',
  'test/blackbox/audit',
  'test/workflows/',
  'test/replays/',
  'test/faults/',
  'test/blackbox/road',
  'test/blackbox/json',
  'test/blackbox/service',
  'test/blackbox/',
  'test/unit/store/',
  'test/unit/git/',
];

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
