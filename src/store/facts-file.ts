import { join } from 'node:path';
import { readFile, stat } from 'node:fs/promises';
import type { Fact } from '../facts/fact.ts';
import {
  factLines,
  mergeFacts,
  readFactLines,
  type FactsOwner,
  type FactsRead,
} from '../facts/fact-lines.ts';
import { asStoreFailure, fileErrorCode } from './files.ts';
import { writeStream } from './local-file.ts';

/** What is dropped when a store of facts is written: what is too old, and the oldest of too many. */
export type Compact = (facts: Iterable<Fact>) => Iterable<Fact>;

/** Where facts are between two runs. Losing it costs requests and nothing else (semantics N14). */
export interface FactStore {
  readonly place: string;
  /** Never fails for what a file holds; throws where it cannot be read at all. */
  read(): Promise<FactsRead>;
  /**
   * Adds the facts of a run to what is there; `isWhole`: and goes through all of it. Returns the digest that a record
   * must name, or other machines do not believe the facts (semantics M24); undefined for a store of this machine.
   */
  write(facts: Iterable<Fact>, compact: Compact, isWhole: boolean): Promise<string | undefined>;
}

const NOTHING: FactsRead = { facts: new Map(), dropped: 0 };

/** No file of ours is larger; what is may not fit into memory. */
const LARGEST: number = 256 * 1_048_576;

/**
 * Facts in one file beside the records of a directory (semantics N16), replaced as a whole. Of two runs that
 * write at once one may lose its lines, which a later run reads again.
 */
export function factsFile(folder: string, owner: FactsOwner): FactStore {
  const place = join(folder, 'facts.jsonl');
  const read = async (): Promise<FactsRead> => {
    const text = await readSmall(place);
    return text === undefined ? NOTHING : readFactLines(text.split('\n'), owner.tenant);
  };
  return {
    place,
    read,
    async write(facts, compact) {
      const before = await read().catch(() => NOTHING);
      const merged = mergeFacts(before.facts.values(), facts);
      await writeStream(place, factLines(owner, compact(merged.values())));
      return undefined;
    },
  };
}

async function readSmall(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    return size > LARGEST ? undefined : await readFile(path, 'utf8');
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return undefined;
    throw asStoreFailure(error, path);
  }
}
