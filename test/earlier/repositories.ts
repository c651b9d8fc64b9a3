import { join } from 'node:path';
import { ROOT } from '../support/blackbox-build.ts';
import { gitIn } from '../support/blackbox-record.ts';
import type { Place } from '../support/blackbox.ts';
import type { Organization } from './fleet.ts';
import type { Forge } from './forges.ts';

/** A repository as `init` of an earlier version wrote it, after a first night with that version. */
export interface Cell {
  readonly name: string;
  readonly ci: 'github' | 'gitlab';
  /** The default branch; `live` was named to `init`, the others it found. */
  readonly branch: string;
  /** Organizations with documents in `fleet/NAME`; none: one fleet in `fleet`. */
  readonly organizations: readonly Organization[];
}

const BOTH = ['acme', 'globex'] as const;

/** The first few are one of each kind. */
export const CELLS: readonly Cell[] = [
  { name: 'github-trunk', ci: 'github', branch: 'trunk', organizations: [] },
  { name: 'gitlab-main', ci: 'gitlab', branch: 'main', organizations: [] },
  { name: 'github-both', ci: 'github', branch: 'trunk', organizations: BOTH },
  { name: 'gitlab-both', ci: 'gitlab', branch: 'live', organizations: BOTH },
  { name: 'github-main', ci: 'github', branch: 'main', organizations: [] },
  { name: 'github-named', ci: 'github', branch: 'live', organizations: [] },
  { name: 'gitlab-trunk', ci: 'gitlab', branch: 'trunk', organizations: [] },
  { name: 'gitlab-named', ci: 'gitlab', branch: 'live', organizations: [] },
];

const BUNDLE = join(ROOT, 'test/fixtures/earlier/57133e52.bundle');

/** Puts the repository of a cell into an empty place. */
export function extract(place: Place, { name, branch }: Cell): void {
  const git = (...args: readonly string[]): string => gitIn(place.folder, ...args);
  git('init', '--quiet', `--initial-branch=${branch}`);
  git('fetch', '--quiet', BUNDLE, `+refs/${name}/*:refs/earlier/*`);
  git('reset', '--quiet', '--hard', `refs/earlier/heads/${branch}`);
}

/** Gives the forge all that the repository had: documents, ledger, facts and notes. */
export function publish({ git }: Pick<Forge, 'git'>): void {
  git(
    'push',
    '--quiet',
    'origin',
    ...SHARED.map((kind) => `refs/earlier/${kind}/*:refs/${kind}/*`),
  );
  git('fetch', '--quiet', 'origin', '+refs/heads/*:refs/remotes/origin/*');
}

const SHARED = ['heads', 'notes'];
