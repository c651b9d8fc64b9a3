/**
 * A commit that touched the documents, and for each of its parents what it changed against it:
 * path to the path it had there, undefined where it is new.
 */
interface Touch {
  readonly parents: readonly {
    readonly id: string;
    readonly changed: ReadonlyMap<string, string | undefined>;
  }[];
}

/** Commits that touched a folder, by id, newest first. Parents are the nearest ancestors that did so too. */
export type CommitHistory = ReadonlyMap<string, Touch>;

/** A commit comes before all that it builds on; else the clocks of the authors decide. */
const NEWEST_FIRST = ['log', '--author-date-order', '--full-history', '--parents'];

/** The arguments of `git log` that print the ids alone, in the same order. */
export function orderArguments(ref: string, folder: string): readonly string[] {
  return [...NEWEST_FIRST, '--format=%H', '--no-show-signature', ref, '--', folder];
}

/** How many commits of a list, newest first, are newer than each. */
export function newerThanEach(ids: Iterable<string>): ReadonlyMap<string, number> {
  return new Map([...ids].map((id, index) => [id, index]));
}

/** The arguments of `git log` whose output `parseHistory` reads. */
export function historyArguments(ref: string, folder: string): readonly string[] {
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
    folder,
  ];
}

/** Reads `git log` of a folder, asked for with `historyArguments`. */
export function parseHistory(log: string): CommitHistory {
  const found = new Map<string, { parents: Touch['parents'][number][] }>();
  const parts = log.split('\0');
  let changed: Map<string, string | undefined> | undefined;
  for (let index = 0; index < parts.length; index += 1) {
    const part = (parts[index] ?? '').replace(/^\n/, '');
    const head = HEAD.exec(part);
    if (head) changed = recordCommit(found, head);
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
 * The history of one file as `git blame -S` takes it: lines of a commit and its parents, only of
 * commits that changed the file, renames followed. Blame of these lines is blame of the whole
 * history, and does not walk it (a merge that took the file over from one side is not in it, just as
 * git sees it).
 */
export function lineageOf(history: CommitHistory, from: string, path: string): readonly string[] {
  const lines: string[] = [];
  const seen = new Set<string>();
  const [newest = from] = history.keys();
  const first = changedAt(history, history.has(from) ? from : newest, path);
  if (first.id !== from) lines.push([from, first.id].join(' '));
  const open = [first];
  for (let at = open.pop(); at; at = open.pop()) {
    if (seen.has(at.id)) continue;
    seen.add(at.id);
    const parents = parentsOf(history, at);
    lines.push([at.id, ...parents.map(({ id }) => id)].join(' '));
    open.push(...parents);
  }
  return lines;
}

interface Version {
  readonly id: string;
  readonly path: string;
}

/** The nearest commit, from one on, that changed a file: blame passes through all before it. */
function changedAt(history: CommitHistory, from: string, path: string): Version {
  let id = from;
  for (let touch = history.get(id); touch; touch = history.get(id)) {
    const same = touch.parents.find(({ changed }) => !changed.has(path));
    if (!same || same.id === '') return { id, path };
    ({ id } = same);
  }
  return { id, path };
}

/** What the file was before a commit changed it, one for each parent that had it. */
function parentsOf(history: CommitHistory, { id, path }: Version): readonly Version[] {
  const { parents = [] } = history.get(id) ?? {};
  return parents.flatMap((parent) => {
    const before = parent.changed.get(path);
    return before === undefined || parent.id === '' ? [] : [changedAt(history, parent.id, before)];
  });
}

const HEAD = /^commit ([0-9a-f]{40,64})((?: [0-9a-f]{40,64})*)(?: \(from ([0-9a-f]{40,64})\))?\n/;
const RAW = /^:\d+ \d+ [0-9a-f]+ [0-9a-f]+ ([A-Z])\d*$/;

/** A merge is told once per parent, each time with what it changed against that one. */
function recordCommit(
  found: Map<string, { parents: Touch['parents'][number][] }>,
  [, id = '', parents = '', from]: RegExpExecArray,
): Map<string, string | undefined> {
  const changed = new Map<string, string | undefined>();
  const ids = parents.trim().split(' ');
  const touch = found.get(id) ?? { parents: ids.map((each) => ({ id: each, changed: new Map() })) };
  found.set(id, touch);
  const index = Math.max(0, ids.indexOf(from ?? ''));
  touch.parents[index] = { id: ids[index] ?? '', changed };
  return changed;
}
