import type { Fact } from '../facts/fact.ts';
import {
  factLines,
  mergeFacts,
  readFactLines,
  type FactsOwner,
  type FactsRead,
} from '../facts/fact-lines.ts';
import { WorldError } from '../model/error.ts';
import type { LedgerRemote } from '../model/ledger/ledger-remote.ts';
import type { Compact, FactStore } from './facts-file.ts';

/** A run adds one file; so many are merged into one. */
const MOST_FILES = 16;

/** How often a run that was overtaken tries again. */
const TRIES = 5;

/**
 * Facts as a branch of a git remote with a single commit that is replaced (semantics N17). The loser of two
 * pushes puts its own file into the tree of the winner. Throws `storeFailed` after five tries, and for a branch
 * with anything else on it, which is never replaced.
 */
export function factsBranch(remote: LedgerRemote, owner: FactsOwner): FactStore {
  const { place } = remote;
  return {
    place,
    async read() {
      const tree = await readTree(remote);
      return mergedFiles(tree.files, owner);
    },
    async write(facts, compact, isWhole) {
      const own = [...facts];
      for (let tried = 0; tried < TRIES; tried += 1) {
        const tree = await readTree(remote);
        const files = withOwn(tree.files, { own, owner, compact, isWhole });
        const commit = await remote.commit({ parent: '', files, message: 'fleetform facts' });
        if ((await remote.move(tree.tip, commit)) === 'moved') return;
      }
      throw new WorldError('storeFailed', { place, cause: 'overtaken' }, { retry: 'safe' });
    },
  };
}

type Files = ReadonlyMap<string, string>;

/** The files of the branch; a branch that is replaced while it is read is read once more. */
async function readTree(remote: LedgerRemote, isAgain = false): Promise<Tree> {
  const tip = await remote.tip();
  if (tip === '') return { tip, files: new Map() };
  try {
    return { tip, files: await readFiles(remote, tip) };
  } catch (error) {
    if (isAgain || (await remote.tip()) === tip) throw error;
    return readTree(remote, true);
  }
}

interface Tree {
  readonly tip: string;
  readonly files: Files;
}

async function readFiles(remote: LedgerRemote, tip: string): Promise<Files> {
  const commits = await remote.commits('', tip);
  const [only] = commits ?? [];
  const isOurs = commits?.length === 1 && only?.id === tip;
  if (only && isOurs && [...only.files.keys()].every((name) => NAME.test(name))) return only.files;
  throw new WorldError('storeFailed', { place: remote.place, cause: 'not a branch of facts' });
}

const NAME = /^\d\d\.jsonl$/;

function fileName(number: number): string {
  return `${String(number).padStart(2, '0')}.jsonl`;
}

function mergedFiles(files: Files, { tenant }: FactsOwner): FactsRead {
  const all = Array.from(files.values(), (text) => readFactLines(text.split('\n'), tenant));
  const isForeign = all.length > 0 && all.every(({ foreign }) => foreign === true);
  return {
    facts: mergeFacts(...all.map(({ facts }) => facts.values())),
    dropped: all.reduce((sum, { dropped }) => sum + dropped, 0),
    ...(isForeign && { foreign: true }),
  };
}

interface Own {
  readonly own: readonly Fact[];
  readonly owner: FactsOwner;
  readonly compact: Compact;
  readonly isWhole: boolean;
}

/** The tree with one more file; all in one where there is no room for another. */
function withOwn(files: Files, { own, owner, compact, isWhole }: Own): Record<string, string> {
  const free = Array.from({ length: MOST_FILES }, (_, number) => fileName(number)).find(
    (name) => !files.has(name),
  );
  if (free !== undefined && !isWhole)
    return { ...Object.fromEntries(files), [free]: fileText(owner, own) };
  const all = mergeFacts(mergedFiles(files, owner).facts.values(), own);
  return { [fileName(0)]: fileText(owner, compact(all.values())) };
}

function fileText(owner: FactsOwner, facts: Iterable<Fact>): string {
  return `${[...factLines(owner, facts)].join('\n')}\n`;
}
