import { said, type Git } from './git.ts';
import { MOST_TRAILERS, type ScopeTrailer } from '../model/plan/scope.ts';

/** The commits of a request: those that `HEAD` has and the base has not. */
export interface RequestCommits {
  readonly base: string;
  /** The folders of the documents, below the one that git runs in. */
  readonly folders: readonly string[];
}

/**
 * The `Scope:` trailers of the commits of a request, oldest first, equal ones once (semantics G9).
 * Commits that change files, but no document of the folders, do not count: they may belong to
 * another fleet of the repository.
 */
export async function scopeTrailers(
  git: Git,
  { base, folders }: RequestCommits,
): Promise<readonly ScopeTrailer[]> {
  const range = `${base}..HEAD`;
  const list = ['log', '--reverse', '--topo-order', '--encoding=UTF-8', '--no-show-signature'];
  const log = await said(git, ...list, '-z', '--format=%H%n%B', range);
  const all = log.split('\0').flatMap((entry) => {
    const [commit = '', ...message] = entry.split('\n');
    return trailersIn(message).map((text) => ({ commit, text }));
  });
  if (all.length === 0) return [];
  const changing = async (...below: readonly string[]): Promise<ReadonlySet<string>> => {
    const paths = ['--full-history', '--format=%H', range, '--', ...below];
    return new Set((await said(git, ...list, ...paths)).split('\n'));
  };
  const places = folders.map((folder) => `:(literal)${folder}`);
  const [here, anywhere] = await Promise.all([changing(...places), changing(':(top)')]);
  const own = all.filter(({ commit }) => here.has(commit) || !anywhere.has(commit));
  const first = new Map<string, ScopeTrailer>();
  for (const trailer of own) if (!first.has(trailer.text)) first.set(trailer.text, trailer);
  return [...first.values()].slice(0, MOST_TRAILERS + 1);
}

const TRAILER = /^scope:(.*)$/i;
const CONTINUED = /^[ \t]+\S/;

/**
 * Every `Scope:` at the start of a line, with the indented lines below it. Git knows trailers in
 * the last paragraph alone, and squashed commits leave theirs in the middle of a message.
 */
function trailersIn(message: readonly string[]): readonly string[] {
  const found: string[] = [];
  let isOpen = false;
  for (const line of message) {
    const [, value] = TRAILER.exec(line) ?? [];
    if (value !== undefined) found.push(value.trim());
    else if (isOpen && CONTINUED.test(line)) found.push(`${found.pop() ?? ''} ${line.trim()}`);
    isOpen = value !== undefined || (isOpen && CONTINUED.test(line));
  }
  return found;
}
