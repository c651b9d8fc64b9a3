import { getOrAdd } from '../../lib/maps.ts';
import type { LedgerSettings } from '../../model/documents/policy.ts';
import { LEDGER_DEFAULTS, placeText, type LedgerPlace } from '../../model/ledger/ground.ts';
import { directoryOf } from '../../store/store.ts';
import { remotePlace } from '../../git/remote-place.ts';
import { databasePlace } from '../../postgres/database.ts';
import { withoutUser } from '../../git/push-answer.ts';
import type { LinePlace } from './service-line.ts';

/** Where the documents say that a ledger is, and where that leads on this machine. */
export type FoundPlace =
  | (LedgerPlace & { readonly store: 'directory'; readonly path: string })
  | (LedgerPlace & { readonly store: 'postgres'; readonly branch: string })
  | (LedgerPlace & {
      readonly store: 'git';
      readonly remote: string;
      readonly branch: string;
      /** What git connects to, with user and token; absent where the clone has no such remote. */
      readonly address?: string;
    });

/** The place of a ledger; `fingerprint` is that of the service, which has a directory of its own by default. */
export async function findPlace(
  { shell, git }: LinePlace,
  settings: LedgerSettings | undefined,
  fingerprint: string,
): Promise<FoundPlace> {
  if (settings?.store === 'postgres') {
    const at = databasePlace(shell.env);
    return { store: 'postgres', ...(at !== undefined && { at }), branch: fingerprint };
  }
  if (settings?.store !== 'git')
    return { store: 'directory', path: directoryOf(settings, shell.cwd, fingerprint) };
  const { remote = LEDGER_DEFAULTS.remote, branch = LEDGER_DEFAULTS.branch } = settings;
  const found = await remotePlace(git, remote);
  return { store: 'git', remote, branch, ...found };
}

/** Finds the place of a ledger by its settings and the fingerprint of its service. */
export type PlaceFinder = (
  settings: LedgerSettings | undefined,
  fingerprint: string,
) => Promise<FoundPlace>;

/** Finds places for one command, whose remotes stay where they are: git is asked once for each. */
export function placeFinder(git: LinePlace): PlaceFinder {
  const found = new Map<string, Promise<FoundPlace>>();
  return (settings, fingerprint) => {
    const key = JSON.stringify([settings, fingerprint]);
    return getOrAdd(found, key, () => findPlace(git, settings, fingerprint));
  };
}

/** What a record may say of a place: no path of this machine, and neither user nor token. */
export async function recordedPlace(place: FoundPlace): Promise<LedgerPlace> {
  if (place.store === 'directory') return { store: 'directory' };
  if (place.store === 'postgres') return place;
  const { store, remote, at, branch } = place;
  return { store, remote: withoutUser(remote), ...(at !== undefined && { at }), branch };
}

/** Two places of documents are one if this is equal. */
export function ledgerKey(place: FoundPlace): string {
  if (place.store === 'directory') return `directory ${place.path}`;
  return `${place.store} ${place.at ?? place.remote} ${place.branch}`;
}

/** A place as FLEETFORM_LEDGER names it, and which database and ledger that is. */
export function foundText(place: FoundPlace): string {
  if (place.store === 'postgres') return placeText(place);
  return place.store === 'directory'
    ? `directory:${place.path}`
    : `git:${place.remote}#${place.branch}`;
}
