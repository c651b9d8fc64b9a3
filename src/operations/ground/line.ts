import { resolve } from 'node:path';
import { isAncestor, remoteGit, requireReadable, resolved } from '../../git/git.ts';
import type { LedgerSettings } from '../../model/documents/policy.ts';
import { WorldError } from '../../model/error.ts';
import { isShared } from '../../model/ledger/ground.ts';
import type { Shell } from '../../shell/shell.ts';
import { isCi } from '../../lib/ci.ts';
import { type UnclearBranch, readDefaultBranch, tipOf } from '../gate/default-branch.ts';
import { isSimulatorUrl } from '../simulator.ts';
import {
  readServiceLine,
  servicesAnywhere,
  type CommittedService,
  type LinePlace,
  type ServiceLine,
} from './service-line.ts';
import { printMessages } from '../../shell/messages.ts';

/** The services of the branch that counts, up to its newest commit. */
export interface Line extends ServiceLine {
  /** The newest commit; empty outside a repository. */
  readonly tip: string;
  /** Of a person, where it has no service of this folder: those of its other folders. */
  readonly elsewhere?: readonly CommittedService[];
}

/** Where git runs for the ground. Throws `cloneUnreadable` and `gitMissing`. */
export async function linePlace(shell: Shell, folder: string): Promise<LinePlace> {
  const git = remoteGit(folder, shell.env, { silence: 60_000 });
  await requireReadable(git, resolve(shell.cwd, folder));
  return { shell, folder, git };
}

/**
 * A person who works alone, outside of a job: the default branch has no history that a run follows, but what it names
 * counts (protocol M1, M3).
 */
export interface Alone {
  /** The newest service of the default branch, as far as this clone knows it; absent where there is none beside HEAD. */
  readonly named?: CommittedService;
  /** Where it names none for this folder: the services of its other folders. */
  readonly elsewhere?: readonly CommittedService[];
}

export function isLine(line: Line | Alone): line is Line {
  return 'services' in line;
}

/**
 * The services of the default branch up to the newest commit that this clone has; of HEAD where there is no
 * other. Alone is who has a ledger in a directory now and in each commit of the default branch, or works outside a
 * repository. Throws `historyCut`.
 */
export async function readLine(
  place: LinePlace,
  ledger: LedgerSettings | undefined,
  { isFetched = false }: { readonly isFetched?: boolean } = {},
): Promise<Line | Alone> {
  const isOfPerson = !isCi(place.shell.env);
  const alone = isOfPerson && !isShared(ledger) ? await readAlone(place) : undefined;
  if (alone) return alone;
  const tip = await newestTip(place, ledger, isFetched);
  const line = await readServiceLine(place, tip);
  if (!line) return isOfPerson ? {} : { services: [], isCut: false, tip: '' };
  if (isOfPerson && line.services.length === 0)
    return { ...withoutSimulator(place, line), tip, elsewhere: await readElsewhere(place, tip) };
  if (!line.isCut) return { ...withoutSimulator(place, line), tip };
  await deepen(place, tip);
  const whole = await readServiceLine(place, tip);
  if (!whole || whole.isCut) throw new WorldError('historyCut');
  return { ...withoutSimulator(place, whole), tip };
}

/** A simulator of this folder has a ledger of its own: those before and after it are compared. */
function withoutSimulator({ shell }: LinePlace, { services, isCut }: ServiceLine): ServiceLine {
  const isOther = ({ settings }: CommittedService): boolean =>
    !isSimulatorUrl(shell.cwd, settings.baseUrl);
  return { services: services.filter(isOther), isCut };
}

/** Undefined where a commit that this clone knows to be merged has named a ledger that is shared. */
async function readAlone(place: LinePlace): Promise<Alone | undefined> {
  const { git } = place;
  const heads = await git('for-each-ref', '--format=%(refname)', 'refs/remotes/*/HEAD');
  const known = heads.out.split('\n').filter((ref) => ref !== '');
  const tips = known.length > 0 ? known : [await newestName(place)];
  let named: CommittedService | undefined;
  for (const tip of new Set(['HEAD', ...tips])) {
    const line = await readServiceLine(place, tip);
    if (line?.services.some(({ settings }) => isShared(settings.ledger))) return undefined;
    if (line && tip !== 'HEAD') named = withoutSimulator(place, line).services.at(-1) ?? named;
  }
  if (named) return { named };
  const [newest = 'HEAD'] = tips;
  return newest === 'HEAD' ? {} : { elsewhere: await readElsewhere(place, newest) };
}

async function readElsewhere(place: LinePlace, tip: string): Promise<readonly CommittedService[]> {
  const services = await servicesAnywhere(place, tip);
  return withoutSimulator(place, { services, isCut: false }).services;
}

/** The newest commit of the default branch that the clone has, by its ID where there is one. */
async function newestTip(
  place: LinePlace,
  ledger: LedgerSettings | undefined,
  isFetched: boolean,
): Promise<string> {
  const tip = await newestName(place, ledger, isFetched);
  return (await resolved(place.git, `${tip}^{commit}`)) ?? tip;
}

/** The newest commit of the default branch that the clone has: by its ID, or HEAD where there is no other. */
async function newestName(
  { shell, folder }: Pick<LinePlace, 'shell' | 'folder'>,
  ledger?: LedgerSettings,
  isFetched = false,
): Promise<string> {
  const documents = { folder, service: { value: { ledger } } };
  const found = await readDefaultBranch({ shell, documents }, { isFetched });
  if (typeof found === 'object' && 'unclear' in found) await warnOnce(shell, found);
  return tipOf(found);
}

/** What starts or records stops by itself; a command that reads tells it once (protocol M7). */
async function warnOnce(shell: Shell, { unclear }: UnclearBranch): Promise<void> {
  if (WARNED.has(shell.env)) return;
  WARNED.add(shell.env);
  const { unclearBranchWords } = await import('../../render/words/ground-words.ts');
  printMessages(shell, [unclearBranchWords(unclear.params)]);
}

/** The environments of processes that were warned. */
const WARNED = new WeakSet<Shell['env']>();

/** Fetches the history that a commit lacks here, as far as remotes give it, and of no other branch, such as the ledger's. */
async function deepen({ git }: LinePlace, tip: string): Promise<void> {
  const plain = ['--quiet', '--no-tags', '--depth=1000000', '--no-recurse-submodules'];
  const remotes = (await git('remote')).out.split('\n').filter((name) => name !== '');
  for (const remote of remotes) await git('fetch', ...plain, remote, tip);
}

/** Whether a commit is in the history of the default branch, fetched where the clone does not have it. */
export async function isMerged(
  place: LinePlace,
  ledger: LedgerSettings | undefined,
  { commit, tip }: { readonly commit: string; readonly tip: string },
): Promise<boolean> {
  const { git } = place;
  const isBefore = async (newest: string): Promise<boolean> =>
    commit === newest || (await isAncestor(git, commit, newest));
  if (await isBefore(tip)) return true;
  const { shell, folder } = place;
  const documents = { folder, service: { value: { ledger } } };
  const found = await readDefaultBranch({ shell, documents }, { isFetched: true });
  return isBefore(tipOf(found));
}
