import { dirname } from 'node:path';
import { fetchHeads } from '../git/fetch-heads.ts';
import { ledgerRemote } from '../git/ledger-remote.ts';
import { fold } from '../ledger/fold.ts';
import { getOrAdd } from '../lib/maps.ts';
import type { Instant } from '../lib/time.ts';
import { InvalidDocuments } from '../model/documents/quoted.ts';
import { WorldError } from '../model/error.ts';
import { LEDGER_DEFAULTS } from '../model/ledger/ground.ts';
import type { WorkAhead } from '../model/report/work-ahead.ts';
import { findWorkAhead } from '../plan/work-ahead.ts';
import { errorWords } from '../render/words/errors.ts';
import type { Shell } from '../shell/shell.ts';
import { gitStore } from '../store/git-store.ts';
import { loadWithTarget } from './documents.ts';
import type { Fleet } from './find-fleets.ts';
import { openStore } from './ground/open-store.ts';
import { documentsFolder, type LedgerHere } from './here.ts';

/** A fleet with its first work. */
export interface FleetWork extends WorkAhead {
  readonly fleet: Fleet;
  /** The remote whose repository has its ledger; absent where none does, or that is not known. */
  readonly remote?: string;
}

type Heads = Map<string, ReturnType<typeof fetchHeads>>;

/**
 * Which fleets have work, by their documents, their ledgers and the clock (semantics N88). It needs no credential of the
 * service, and asks each remote once for all ledgers. What cannot be read has work: the run itself reports why.
 */
export async function findFleetWork(
  shell: Shell,
  fleets: readonly Fleet[],
  now: Instant,
): Promise<readonly FleetWork[]> {
  const heads: Heads = new Map();
  const found: FleetWork[] = [];
  for (const fleet of fleets) {
    let remote: string | undefined;
    try {
      const here = await loadWithTarget(shell, { fleet: fleet.folder });
      const { ledger } = here.documents.service.value;
      if (ledger?.store === 'git') remote = ledger.remote ?? LEDGER_DEFAULTS.remote;
      found.push({
        fleet,
        ...(await workOf(here, { heads, remote, now })),
        ...(remote && { remote }),
      });
    } catch (error) {
      if (!(error instanceof WorldError) && !(error instanceof InvalidDocuments)) throw error;
      const isWorld = error instanceof WorldError;
      const name = isWorld ? errorWords(error.code, error.params).summary : INVALID;
      found.push({ fleet, from: now, why: 'unclear', name, ...(remote && { remote }) });
    }
  }
  return found;
}

const INVALID = 'its documents have errors';

async function workOf(
  here: LedgerHere,
  { now, ...place }: { heads: Heads; remote: string | undefined; now: Instant },
): Promise<WorkAhead> {
  const { documents, target } = here;
  const { records } = await (await openLedger(here, place)).read(0);
  const memory = fold(records);
  if (memory.head.seq > 0 && memory.fingerprint !== target.fingerprint)
    throw new WorldError('ledgerForeign', {});
  const last = memory.coverage.at(-1)?.seq ?? 0;
  const isFollowed = records.some(({ seq, body }) => seq > last && body.type !== 'FACTS');
  return findWorkAhead({ documents, memory, isFollowed, now });
}

/** The ledger; of one in git what the fetch for all of them brought. */
async function openLedger(
  here: LedgerHere,
  { heads, remote }: { heads: Heads; remote: string | undefined },
) {
  const { shell, documents, target } = here;
  const { ledger } = documents.service.value;
  const folder = documentsFolder(here);
  if (remote === undefined) return (await openStore({ shell, folder, ledger, target })).store;
  const { branch = LEDGER_DEFAULTS.branch } = ledger ?? {};
  const place = `${remote} ${branch}`;
  const found = await getOrAdd(heads, remote, () => fetchHeads(dirname(folder), shell.env, remote));
  if (!found) throw new WorldError('storeFailed', { place, cause: 'it was not fetched' });
  const at = found.get(branch) ?? '';
  if ((found.get(`${branch}-heads`) ?? at) !== at)
    throw new WorldError('storeFailed', { place, cause: 'the branch of its heads is elsewhere' });
  const opened = ledgerRemote({ folder, env: shell.env, remote, branch, at, isOffline: true });
  return gitStore(opened, shell.random);
}
