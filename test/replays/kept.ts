import { loadTexts } from '../../src/config/load.ts';
import { createSnapshot } from '../../src/live/snapshot.ts';
import { readSnapshot, snapshotLines } from '../../src/live/snapshot-lines.ts';
import type { Documents } from '../../src/model/documents/policy.ts';
import type { LedgerRecord } from '../../src/model/ledger/record.ts';
import type { Snapshot } from '../../src/model/fleet/snapshot.ts';
import type { Chance } from '../simulation/chance.ts';
import type { Wishes } from '../simulation/wishes.ts';
import type { Moment } from './moment.ts';

/** What outlives the process that planned. */
export interface Kept {
  /** Oldest first. */
  readonly commits: readonly Documents[];
  readonly records: readonly LedgerRecord[];
  readonly snapshot: Snapshot;
}

/** What is left of a moment once all of it has been written and read; what has no order comes in another one. */
export async function leftBehind(moment: Moment, chance: Chance): Promise<Kept> {
  const { commits, records, snapshot } = moment;
  const read = await readSnapshot([...snapshotLines(snapshot)]);
  return {
    commits: commits.map((wishes) =>
      otherMaps(documentsIn(shuffled(filesOf(wishes), chance)), chance),
    ),
    records: records.map((record) => otherOrder(record, chance)),
    snapshot: createSnapshot({
      ...read,
      devices: shuffled(
        Array.from({ length: read.devices.length }, (_, row) => read.devices.at(row)),
        chance,
      ),
      sites: shuffled(read.sites, chance),
      sources: shuffled(read.sources, chance),
      discovered: shuffled(read.discovered, chance),
    }),
  };
}

interface File {
  readonly path: string;
  readonly text: string;
}

/** Documents as files of one entry each, so that entries follow each other as files do. */
export function filesOf({ service, ...sections }: Wishes): readonly File[] {
  return [
    { path: 'fleet/service.yaml', text: JSON.stringify({ service }) },
    ...Object.entries(sections).flatMap(([section, entries]) =>
      Object.entries(entries).map(([name, entry]) => ({
        path: `fleet/${section}-${name.replace(/\W/g, '-')}.yaml`,
        text: JSON.stringify({ [section]: { [name]: entry } }, null, 1),
      })),
    ),
  ];
}

/** Documents from files in any order; throws where they have findings. */
export function documentsIn(files: readonly File[]): Documents {
  const { documents, diagnostics } = loadTexts(files);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  return documents;
}

function shuffled<T>(list: readonly T[], chance: Chance): readonly T[] {
  return chance.some(list, list.length);
}

/** The same documents, the entries of each section in another order. */
function otherMaps(documents: Documents, chance: Chance): Documents {
  const sections = Object.entries(documents).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Map
      ? new Map(shuffled([...(value as ReadonlyMap<string, unknown>)], chance))
      : value,
  ]);
  return Object.fromEntries(sections) as Documents;
}

/** The same value as text would bring it back, the fields of every object in another order. */
function otherOrder<T>(value: T, chance: Chance): T {
  const reordered = (_: string, each: unknown): unknown =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(shuffled(Object.entries(each), chance))
      : each;
  return JSON.parse(JSON.stringify(value, reordered)) as T;
}
