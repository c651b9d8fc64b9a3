import type { LedgerRecord } from '../../src/model/ledger/record.ts';
import { chanceOf } from '../simulation/chance.ts';
import { phaseOne } from '../simulation/phase-one.ts';
import type { PlannedFrom } from '../simulation/process.ts';
import { setScene, type Scene } from '../simulation/scene.ts';
import { stageOf, type Stage } from '../simulation/stage.ts';
import type { Wishes } from '../simulation/wishes.ts';

/** What a process plans from at one moment of a history, and what is on record by then. */
export interface Moment extends Omit<PlannedFrom, 'documents'> {
  readonly records: readonly LedgerRecord[];
  /** The documents that it plans, last, and before them those that were in force earlier. */
  readonly commits: readonly Wishes[];
}

/**
 * Lives through the world of a seed up to one of its first moments at which a process plans, whichever chance picks;
 * undefined where none ever does.
 */
export async function momentOf(seed: number): Promise<Moment | undefined> {
  const wanted = chanceOf(seed, 'moment').int(1, 12);
  const scene = setScene(seed);
  const moments: Moment[] = [];
  let reach = (): void => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const stage = watched(stageOf(scene), (from) => {
    if (moments.length < wanted) moments.push(recordedBy(scene, from));
    if (moments.length === wanted) reach();
  });
  await scene.clock.run(Promise.race([phaseOne(stage), reached]));
  return moments.at(-1);
}

function recordedBy({ ledger, commits }: Scene, { documents, ...from }: PlannedFrom): Moment {
  const at = commits.findIndex((commit) => commit.documents === documents);
  return {
    ...from,
    records: ledger.records.slice(0, from.memory.head.seq),
    commits: commits.slice(0, at + 1).map(({ wishes }) => wishes),
  };
}

/** The same stage, on which somebody hears what every plan is made from. */
function watched(stage: Stage, hear: (from: PlannedFrom) => void): Stage {
  const { witness } = stage.around;
  const planned: typeof witness.planned = (id, plan, from) => {
    witness.planned(id, plan, from);
    hear(from);
  };
  return { ...stage, around: { ...stage.around, witness: { ...witness, planned } } };
}
