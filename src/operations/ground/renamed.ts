import { isSamePlace, type GroundTerms } from '../../model/ledger/ground.ts';
import type { GroundParts } from './parts.ts';
import { recordedPlace, type FoundPlace } from './places.ts';
import type { LinePlace } from './service-line.ts';

/** A ledger that was found at another place than the one that its ground names. */
export interface FoundElsewhere {
  readonly ground: GroundTerms;
  readonly place: FoundPlace;
}

/**
 * Whether the two places of a ledger are one repository with another name or server: both lead to one head. So a
 * fresh copy does, too; a run looks again once it has the lock (protocol M13).
 */
export async function isRenamed(
  parts: Pick<GroundParts, 'shell' | 'folder'>,
  git: LinePlace,
  { ground, place }: FoundElsewhere,
): Promise<boolean> {
  const { ledger } = ground;
  const found = await recordedPlace(place);
  if (place.store !== 'git' || place.address === undefined || ledger.at === undefined) return false;
  if (isSamePlace(ledger, found) || ledger.branch !== place.branch) return false;
  const [{ addressAt }, { ledgerRemote }] = await Promise.all([
    import('../../git/remote-place.ts'),
    import('../../git/ledger-remote.ts'),
  ]);
  const root = (await git.gitWith()('rev-parse', '--show-toplevel')).out.trim();
  const { shell, folder } = parts;
  const tips = [place.address, addressAt(ledger.at, place.address, root)].map((remote) =>
    ledgerRemote({ folder, env: shell.env, remote, branch: place.branch }).tip(),
  );
  const [here, there] = await Promise.allSettled(tips);
  return (
    here?.status === 'fulfilled' && there?.status === 'fulfilled' && here.value === there.value
  );
}
