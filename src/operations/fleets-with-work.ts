import { dirname } from 'node:path';
import { fetchHeads } from '../git/fetch-heads.ts';
import { ledgerRemote } from '../git/ledger-remote.ts';
import { getOrAdd } from '../lib/maps.ts';
import type { Instant } from '../lib/time.ts';
import { InvalidDocuments } from '../model/documents/quoted.ts';
import { WorldError } from '../model/error.ts';
import { LEDGER_DEFAULTS } from '../model/ledger/ground.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { LedgerStore } from '../model/ports.ts';
import type { WorkAhead } from '../model/report/work-ahead.ts';
import { findWorkAhead } from '../plan/work-ahead.ts';
import { errorWords } from '../render/words/errors.ts';
import type { Shell } from '../shell/shell.ts';
import { gitStore } from '../store/git-store.ts';
import { loadWithTarget } from './documents.ts';
import type { Fleet } from './find-fleets.ts';
import { openStore, readStore } from './ground/open-store.ts';
import type { LedgerHere } from './here.ts';

/** A fleet with its first work. */
export interface FleetWork extends WorkAhead {
  readonly fleet: Fleet;
  /** The remote whose repository has its ledger; undefined where none does, or that is not known. */
  readonly remote: string | undefined;
}

/**
 * Which fleets have work, by their documents, their ledgers and the clock (semantics N88). It needs no credential of the
 * service, and asks each remote once for all ledgers. What cannot be read has work: the run itself reports why.
 */
export async function findFleetWork(
  shell: Shell,
  fleets: readonly Fleet[],
  now: Instant,
): Promise<readonly FleetWork[]> {
  const fetched = new Map<string, ReturnType<typeof fetchHeads>>();
  const headsOf = (folder: string, remote: string): ReturnType<typeof fetchHeads> =>
    getOrAdd(fetched, remote, () => fetchHeads(dirname(folder), shell.env, remote));
  const found: FleetWork[] = [];
  for (const fleet of fleets) {
    let remote: string | undefined;
    try {
      const here = await loadWithTarget(shell, { fleet: fleet.folder });
      const { ledger } = here.documents.service.value;
      if (ledger?.store === 'git') remote = ledger.remote ?? LEDGER_DEFAULTS.remote;
      const store = await openLedger(here, remote, headsOf);
      const { memory } = await readStore(store);
      found.push({ fleet, ...workOf(here, memory, now), remote });
    } catch (error) {
      if (!(error instanceof WorldError) && !(error instanceof InvalidDocuments)) throw error;
      const isWorld = error instanceof WorldError;
      const name = isWorld ? errorWords(error.code, error.params).summary : INVALID;
      found.push({ fleet, from: now, why: 'unclear', name, remote });
    }
  }
  return found;
}

const INVALID = 'its documents have errors';

function workOf({ documents, target }: LedgerHere, memory: Memory, now: Instant): WorkAhead {
  if (memory.head.seq > 0 && memory.fingerprint !== target.fingerprint)
    throw new WorldError('ledgerForeign', {});
  return findWorkAhead({ documents, memory, now });
}

/** The ledger; of one in git what the fetch for all of them brought. */
async function openLedger(
  { shell, documents, target }: LedgerHere,
  remote: string | undefined,
  headsOf: (folder: string, remote: string) => ReturnType<typeof fetchHeads>,
): Promise<LedgerStore> {
  const { ledger } = documents.service.value;
  const folder = documents.folder ?? shell.cwd;
  if (remote === undefined) return (await openStore({ shell, folder, ledger, target })).store;
  const { branch = LEDGER_DEFAULTS.branch } = ledger ?? {};
  const heads = await headsOf(folder, remote);
  const at = heads?.get(branch) ?? '';
  const kept = heads?.get(`${branch}-heads`) ?? at;
  const cause = heads ? 'the branch of its heads is elsewhere' : 'it was not fetched';
  if (!heads || kept !== at)
    throw new WorldError('storeFailed', { place: `${remote} ${branch}`, cause });
  const opened = ledgerRemote({ folder, env: shell.env, remote, branch, at, isOffline: true });
  return gitStore(opened, shell.random);
}
