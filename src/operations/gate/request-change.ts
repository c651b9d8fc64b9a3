import { LEDGER_DEFAULTS } from '../../model/ledger/ground.ts';
import { posix } from 'node:path';
import { isCutOff } from '../../git/first-parents.ts';
import { type Git, hasCommit, remoteGit } from '../../git/git.ts';
import type { Documents, Receiver, ServiceSettings } from '../../model/documents/policy.ts';
import {
  GROUND_SETTINGS,
  type GroundChange,
  type GroundSetting,
  type RequestChange,
} from '../../model/report/request-change.ts';
import { variablesIn } from '../../plan/compare/changed-settings.ts';
import { compareTexts } from '../../lib/text-order.ts';
import type { Shell } from '../../shell/shell.ts';
import { originOf } from '../target.ts';
import { isFleetName } from '../find-fleets.ts';
import { folderHere } from '../here.ts';
import { committed, documentsDiffer, isDocument } from '../repository.ts';

/** Both sides of a request, as the forge names them. */
export interface RequestSides {
  /** The newest commit that the target branch has of its history. */
  readonly base: string | undefined;
  readonly head: string;
}

/** Files whose code makes plans, wherever the tool is installed. */
const CODE =
  /^(?:\.github|ci|vendor)\/|^\.gitlab|(?:^|\/)(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|\.npmrc)$/;

/** Whether a file of the repository, by its path from the root, has code that makes plans. */
export function isCode(path: string): boolean {
  return CODE.test(path);
}

/**
 * Compares the documents of a request with those of its base, through git alone: the plan comes from a job
 * that ran code of the request (protocol M5). Commits that the clone lacks are fetched by their IDs. Never
 * throws: what cannot be compared is said.
 * @param fleet the folder of the documents, or of the fleets
 */
export async function readRequestChange(
  shell: Shell,
  fleet: string,
  { base, head }: RequestSides,
): Promise<RequestChange> {
  const git = remoteGit(shell.cwd, shell.env, { silence: 60_000 });
  for (const commit of [base, head])
    if (commit === undefined || !(await isHere(git, commit)))
      return { ground: [], code: [], notCompared: NO_COMMIT + (commit ?? 'of the target branch') };
  const sides = [base ?? '', head] as const;
  const diff = await git('diff', '--name-only', '-z', '--no-renames', ...sides, '--');
  const names = diff.out.split('\0').filter((name) => name !== '');
  if (diff.exit !== 0) return { ground: [], code: [], notCompared: NO_DIFF };
  const code = names.filter(isCode);
  const { changes, unread } = await compareFleets(shell, git, { fleet, sides });
  return { ground: changes, code, ...(unread !== undefined && { notCompared: unread }) };
}

const NO_COMMIT = 'the clone lacks the commit ';
const NO_DIFF = 'git cannot compare the commits';

/** A commit that the clone lacks is fetched alone; its tree is all that is needed. */
async function isHere(git: Git, commit: string): Promise<boolean> {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return false;
  if (await hasCommit(git, commit)) return true;
  const depth = (await isCutOff(git, 'HEAD')) ? ['--depth=1'] : [];
  await git('fetch', '--quiet', '--no-tags', ...depth, 'origin', commit);
  return hasCommit(git, commit);
}

interface FleetSides {
  readonly fleet: string;
  readonly sides: readonly [base: string, head: string];
}

async function compareFleets(
  shell: Shell,
  git: Git,
  { fleet, sides }: FleetSides,
): Promise<{ readonly changes: readonly GroundChange[]; readonly unread?: string }> {
  const root = posix.normalize(fleet).replace(/\/+$/, '');
  const listed = await Promise.all(sides.map((commit) => listFleets(git, commit, root)));
  const folders = [...new Set(listed.flat())].sort(compareTexts);
  if (folders.length === 0)
    return { changes: [], unread: `neither commit has documents in ${root}; name it with --fleet` };
  const changes: GroundChange[] = [];
  const unread: string[] = [];
  for (const folder of folders) {
    if (!(await documentsDiffer(folderHere(shell, folder), sides, [sides[1]]))) continue;
    const [before = {}, after = {}] = await Promise.all(
      sides.map((commit, n) =>
        listed[n]?.includes(folder) ? groundAt(shell, commit, folder) : {},
      ),
    );
    if (before === 'invalid' || after === 'invalid')
      unread.push(`the documents in ${folder} have no valid \`service\``);
    else
      changes.push(
        ...changesBetween(before, after).map((change) => ({
          ...change,
          ...(folder !== root && { folder }),
        })),
      );
  }
  return { changes, ...(unread.length > 0 && { unread: unread.join(', ') }) };
}

/** The folders of the fleets of a commit: the folder itself if it has documents, else those in it that do. */
async function listFleets(git: Git, commit: string, root: string): Promise<readonly string[]> {
  const { out } = await git('ls-tree', '-r', '-z', '--name-only', commit, '--', `${root}/`);
  const names = out
    .split('\0')
    .filter((name) => name !== '')
    .map((name) => name.slice(root.length + 1))
    .filter((name) => isDocument(name) && !/(?:^|\/)\./.test(name) && isFleetName(name));
  if (names.some((name) => !name.includes('/'))) return [root];
  return [...new Set(names.map((name) => `${root}/${name.split('/')[0] ?? ''}`))];
}

type GroundValues = Readonly<Partial<Record<GroundSetting, string>>>;

/** The ground that the documents of a commit propose; empty where the commit has none there. */
async function groundAt(
  shell: Shell,
  commit: string,
  folder: string,
): Promise<GroundValues | 'invalid'> {
  const found = await committed(folderHere(shell, folder), commit);
  if (!found) return 'invalid';
  if (found.files.length === 0) return {};
  const { loadTexts } = await import('../../config/load.ts');
  const { documents, service } = loadTexts(found.files, found.diagnostics, found.folders);
  const settings = (documents?.service ?? service)?.value;
  return settings ? { ...valuesOf(settings), ...(documents && secretsIn(documents)) } : 'invalid';
}

function valuesOf({
  baseUrl,
  organization,
  ledger = { store: 'directory' },
  approval,
  notifications,
}: ServiceSettings): GroundValues {
  const { store, path, remote = LEDGER_DEFAULTS.remote, branch = LEDGER_DEFAULTS.branch } = ledger;
  return {
    service: originOf(baseUrl),
    organization,
    'ledger store': store,
    ...(path !== undefined && { 'ledger path': path }),
    ...(store === 'git' && { 'ledger remote': remote, 'ledger branch': branch }),
    approval: approval.is,
    ...(notifications && { notifications: notifications.map(receiverText).join(', ') }),
  };
}

/** A receiver as a reviewer sees it: its kind, and the variable with its URL. */
function receiverText({ kind, url }: Receiver): string {
  return typeof url === 'string' ? `${kind} ${url}` : `${kind} from ${url.fromEnv}`;
}

/** The names of the variables that payloads and notifications read. */
function secretsIn(documents: Documents): GroundValues {
  const names = variablesIn(documents);
  return names.length === 0 ? {} : { secrets: [...new Set(names)].sort().join(', ') };
}

function changesBetween(before: GroundValues, after: GroundValues): readonly GroundChange[] {
  return GROUND_SETTINGS.filter((setting) => before[setting] !== after[setting]).map((setting) => ({
    setting,
    ...(before[setting] !== undefined && { before: before[setting] }),
    ...(after[setting] !== undefined && { after: after[setting] }),
  }));
}
