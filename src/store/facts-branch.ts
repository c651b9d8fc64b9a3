import type { Fact } from '../facts/fact.ts';
import { sha256 } from '../lib/canonical.ts';
import type { Instant } from '../lib/time.ts';
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

/** The files that records name, and since when such a record counts. */
export interface NamedFiles {
  /** When a record last named a file, by its digest. */
  readonly at: ReadonlyMap<string, Instant>;
  readonly since: Instant;
}

/**
 * Facts as a branch of a git remote with a single commit that is replaced (semantics N17). The loser of two
 * pushes puts its own file into the tree of the winner. Only files that records name are read; one that none named
 * when the branch was read is dropped by the next write (semantics M24). Throws `storeFailed` after five tries, and for
 * a branch with anything else on it, which is never replaced.
 */
export function factsBranch(remote: LedgerRemote, owner: FactsOwner, named: NamedFiles): FactStore {
  const { place } = remote;
  const unnamed = new Set<string>();
  const isNamed = (text: string): boolean =>
    (named.at.get(sha256(text)) ?? -Infinity) >= named.since;
  return {
    place,
    async read() {
      const { files } = await readTree(remote);
      for (const digest of [...files.values()].map(sha256))
        if (!named.at.has(digest)) unnamed.add(digest);
      const read = mergedFiles([...files.values()].filter(isNamed), owner);
      return { ...read, ...(unnamed.size > 0 && { unnamed: true }) };
    },
    async write(facts, compact, isWhole) {
      const own = [...facts];
      for (let tried = 0; tried < TRIES; tried += 1) {
        const tree = await readTree(remote);
        const kept = [...tree.files].filter(([, text]) => !unnamed.has(sha256(text)));
        const { others, name, text } = withOwn(new Map(kept), {
          own,
          owner,
          compact,
          isWhole,
          isNamed,
        });
        const files = { ...Object.fromEntries(others), [name]: text };
        const commit = await remote.commit({ parent: '', files, message: 'fleetform facts' });
        if ((await remote.move(tree.tip, commit)) === 'moved') return sha256(text);
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

function mergedFiles(texts: readonly string[], { tenant }: FactsOwner): FactsRead {
  const all = texts.map((text) => readFactLines(text.split('\n'), tenant));
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
  readonly isNamed: (text: string) => boolean;
}

/** A new tree of facts: the file of this run, and those of others that stay. */
interface NewTree {
  readonly others: Files;
  readonly name: string;
  readonly text: string;
}

/** The tree with one more file; all that records name in one where there is no room for another. */
function withOwn(files: Files, { own, owner, compact, isWhole, isNamed }: Own): NewTree {
  const free = Array.from({ length: MOST_FILES }, (_, number) => fileName(number)).find(
    (name) => !files.has(name),
  );
  if (free !== undefined && !isWhole)
    return { others: files, name: free, text: fileText(owner, own) };
  const named = [...files.values()].filter(isNamed);
  const all = mergeFacts(mergedFiles(named, owner).facts.values(), own);
  return { others: new Map(), name: fileName(0), text: fileText(owner, compact(all.values())) };
}

function fileText(owner: FactsOwner, facts: Iterable<Fact>): string {
  return `${[...factLines(owner, facts)].join('\n')}\n`;
}
