/**
 * A commit that changed the documents. For each parent: changed paths, each with its path in that
 * parent, undefined if the file is new.
 */
interface Touch {
  readonly author: string;
  readonly parents: readonly {
    readonly id: string;
    readonly changed: ReadonlyMap<string, string | undefined>;
  }[];
}

/**
 * Commits that changed some folders, by ID, newest first. Parents are the nearest ancestors that
 * changed it too.
 */
export type CommitHistory = ReadonlyMap<string, Touch>;

/** A commit precedes its ancestors; otherwise the author dates decide. */
const NEWEST_FIRST = ['log', '--author-date-order', '--full-history', '--parents'];

/** Arguments of `git log` that print only the IDs, in the same order. */
export function orderArguments(ref: string, folders: readonly string[]): readonly string[] {
  return [...NEWEST_FIRST, '--format=%H', '--no-show-signature', ref, '--', ...folders];
}

/** The number of newer commits for each ID of a list that is newest first. */
export function newerThanEach(ids: Iterable<string>): ReadonlyMap<string, number> {
  return new Map([...ids].map((id, index) => [id, index]));
}

/** Arguments of `git log` for `parseHistory`. */
export function historyArguments(ref: string, folders: readonly string[]): readonly string[] {
  return [
    ...NEWEST_FIRST,
    '-m',
    '--raw',
    '--relative',
    '-M',
    '-z',
    '--no-abbrev',
    '--pretty=raw',
    '--no-show-signature',
    ref,
    '--',
    ...folders,
  ];
}

/** Reads the output of `git log` with `historyArguments`. */
export function parseHistory(log: string): CommitHistory {
  const found = new Map<string, Recorded>();
  const parts = log.split('\0');
  let changed: Map<string, string | undefined> | undefined;
  for (let index = 0; index < parts.length; index += 1) {
    const part = (parts[index] ?? '').replace(/^\n/, '');
    const head = HEAD.exec(part);
    if (head) changed = recordCommit(found, head, /^author (.*?) ?<[^\n]*$/m.exec(part)?.[1]);
    const raw = RAW.exec(head ? part.slice(part.lastIndexOf('\n:') + 1) : part);
    if (!raw || !changed) continue;
    const [, status = ''] = raw;
    const first = parts[(index += 1)] ?? '';
    if (status === 'R' || status === 'C') changed.set(parts[(index += 1)] ?? '', first);
    else changed.set(first, status === 'A' ? undefined : first);
  }
  return found;
}

/**
 * The history of one file in the format of `git blame -S`: lines of a commit and its parents, only
 * commits that changed the file, with renames followed. Blame gives the same result without walking
 * the whole history. Like git, it omits a merge that took the file from one side.
 */
export function fileLineage(history: CommitHistory, from: string, path: string): readonly string[] {
  const lines: string[] = [];
  const seen = new Set<string>();
  const [newest = from] = history.keys();
  const first = changedAt(history, history.has(from) ? from : newest, path);
  if (first.id !== from) lines.push([from, first.id].join(' '));
  const open = [first];
  for (let at = open.pop(); at; at = open.pop()) {
    if (seen.has(at.id)) continue;
    seen.add(at.id);
    const parents = parentVersions(history, at);
    lines.push([at.id, ...parents.map(({ id }) => id)].join(' '));
    open.push(...parents);
  }
  return lines;
}

interface Version {
  readonly id: string;
  readonly path: string;
}

/** The nearest commit that changed a file, from a given one on: blame passes through all others. */
function changedAt(history: CommitHistory, from: string, path: string): Version {
  let id = from;
  for (let touch = history.get(id); touch; touch = history.get(id)) {
    const same = touch.parents.find(({ changed }) => !changed.has(path));
    if (!same || same.id === '') return { id, path };
    ({ id } = same);
  }
  return { id, path };
}

/** The file before a commit changed it, in each parent that had it. */
function parentVersions(history: CommitHistory, { id, path }: Version): readonly Version[] {
  const { parents = [] } = history.get(id) ?? {};
  return parents.flatMap((parent) => {
    const before = parent.changed.get(path);
    return before === undefined || parent.id === '' ? [] : [changedAt(history, parent.id, before)];
  });
}

const HEAD = /^commit ([0-9a-f]{40,64})((?: [0-9a-f]{40,64})*)(?: \(from ([0-9a-f]{40,64})\))?\n/;
const RAW = /^:\d+ \d+ [0-9a-f]+ [0-9a-f]+ ([A-Z])\d*$/;

interface Recorded extends Touch {
  readonly parents: Touch['parents'][number][];
}

/** `git log` prints a merge once per parent, each time with the changes against that parent. */
function recordCommit(
  found: Map<string, Recorded>,
  [, id = '', parents = '', from]: RegExpExecArray,
  author = '',
): Map<string, string | undefined> {
  const changed = new Map<string, string | undefined>();
  const ids = parents.trim().split(' ');
  const touch = found.get(id) ?? {
    author,
    parents: ids.map((each) => ({ id: each, changed: new Map() })),
  };
  found.set(id, touch);
  const index = Math.max(0, ids.indexOf(from ?? ''));
  touch.parents[index] = { id: ids[index] ?? '', changed };
  return changed;
}
