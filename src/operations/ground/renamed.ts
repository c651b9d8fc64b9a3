import { isSameHead } from '../../ledger/chain.ts';
import { WorldError } from '../../model/error.ts';
import { isSamePlace, placeText, type GroundTerms } from '../../model/ledger/ground.ts';
import { printMessages } from '../../shell/messages.ts';
import { storeAt } from './left-ledgers.ts';
import { isFirst } from './open-store.ts';
import type { GroundParts } from './parts.ts';
import { isPinned } from './pins.ts';
import { recordedPlace, type FoundPlace } from './places.ts';
import type { LinePlace } from './service-line.ts';
import { addressAt } from '../../git/remote-place.ts';
import { ledgerRemote } from '../../git/ledger-remote.ts';

/** A ledger that was found at another place than the one that its ground names. */
export interface FoundElsewhere {
  readonly ground: GroundTerms;
  readonly place: FoundPlace;
}

/**
 * Whether the two places of a ledger are one repository with another name or server: both lead to one head. So a
 * fresh copy does, too; a run looks again once it has the lock (protocol M13).
 *
 * | The recorded place | Pinned, and the heads here match | |
 * | --- | --- | --- |
 * | leads to the head of this one | | one repository |
 * | leads to another head, or has no such branch | | a copy |
 * | cannot be reached | yes | one repository, with a warning |
 * | cannot be reached | no | a copy |
 */
export async function isRenamed(
  parts: Pick<GroundParts, 'shell' | 'folder' | 'settings'>,
  git: LinePlace,
  { ground, place }: FoundElsewhere,
): Promise<boolean> {
  const { ledger } = ground;
  const found = await recordedPlace(place);
  if (place.store !== 'git' || place.address === undefined || ledger.at === undefined) return false;
  if (isSamePlace(ledger, found) || ledger.branch !== place.branch) return false;
  const root = (await git.gitWith()('rev-parse', '--show-toplevel')).out.trim();
  const { shell, folder } = parts;
  const tips = [place.address, addressAt(ledger.at, place.address, root)].map((remote) =>
    ledgerRemote({ folder, env: shell.env, remote, branch: place.branch }).tip(),
  );
  const [here, there] = await Promise.allSettled(tips);
  if (here?.status !== 'fulfilled' || !there) return false;
  if (there.status === 'fulfilled') return here.value === there.value;
  const isAway = there.reason instanceof WorldError && there.reason.code === 'storeFailed';
  return isAway && (await isVouched(parts, { ground, place }));
}

/** Whether the pin of the job and the heads beside the ledger say that it belongs here; a warning tells it. */
async function isVouched(
  { shell, folder, settings }: Pick<GroundParts, 'shell' | 'folder' | 'settings'>,
  { ground, place }: FoundElsewhere,
): Promise<boolean> {
  if (!isPinned(shell, settings.ledger)) return false;
  const { head, kept } = await (await storeAt(shell, folder, place)).read(0);
  if (!kept || !isSameHead(kept, head)) return false;
  const named = placeText(ground.ledger);
  if (!isFirst(shell, `unreached ${named}`)) return true;
  const { placeUnreachedWords } = await import('../../render/words/ground-words.ts');
  const found = placeText(await recordedPlace(place));
  printMessages(shell, [placeUnreachedWords({ named, found })]);
  return true;
}
