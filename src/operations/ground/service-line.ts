import type { Git } from '../../git/git.ts';
import {
  type ChangedFile,
  type CommitChange,
  firstParents,
  isCutOff,
  contentsWith,
} from '../../git/first-parents.ts';
import { openRepository } from '../../git/repo.ts';
import type { ServiceSettings } from '../../model/documents/policy.ts';
import type { Shell } from '../../shell/shell.ts';
import { documentsAt, isDocument } from '../repository.ts';

export interface CommittedService {
  readonly commit: string;
  readonly settings: ServiceSettings;
}

/** The services that a branch had, one after the other. */
export interface ServiceLine {
  /** Oldest first; each is another one than the one before. Empty before the first document. */
  readonly services: readonly CommittedService[];
  /** The history of this clone is incomplete: older commits may say anything. */
  readonly isCut: boolean;
}

/** Where git runs: in the folder of the documents. */
export interface LinePlace {
  readonly shell: Shell;
  readonly folder: string;
  readonly git: Git;
}

/**
 * Every `service` of the first parents up to a commit (protocol M1). Undefined outside a repository, and
 * before the first commit. What cannot be read at one commit is read at the next that changes documents.
 */
export async function readServiceLine(
  place: LinePlace,
  tip: string,
): Promise<ServiceLine | undefined> {
  const { git } = place;
  const changes = await firstParents(git, tip);
  if (!changes) return undefined;
  const services: CommittedService[] = [];
  let isOpen = false;
  for (const state of await statesOf(place, changes)) {
    if (!state.isOther && !isOpen) continue;
    const settings = await serviceOf(place, state);
    isOpen = settings === undefined && state.files.size > 0;
    if (settings) services.push({ commit: state.commit, settings });
  }
  return { services, isCut: await isCutOff(git, '--first-parent', tip) };
}

/**
 * The services of all documents of a commit, wherever they are: a folder that was moved or linked has none of its own.
 * Shared documents choose none (semantics D11).
 */
export async function servicesAnywhere(
  place: LinePlace,
  commit: string,
): Promise<readonly CommittedService[]> {
  const { git } = place;
  const yaml = [':(top)*.yaml', ':(top)*.yml'];
  const { out } = await git(
    'grep',
    '-l',
    '-z',
    '--full-name',
    '-F',
    'service',
    commit,
    '--',
    ...yaml,
  );
  const { loadTexts } = await import('../../config/load.ts');
  const services: CommittedService[] = [];
  for (const path of out.split('\0').filter((name) => name !== '' && !/[:/]_/.test(name))) {
    const { out: text } = await git('cat-file', 'blob', path);
    const loaded = loadTexts([{ path, text }]);
    const settings = (loaded.documents ?? loaded).service?.value;
    if (settings) services.push({ commit, settings });
  }
  return services;
}

/** The files of a commit that may hold `service`. */
interface State {
  readonly commit: string;
  /** By path; the text is absent of a link. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** It differs from the state before in what may be `service`. */
  readonly isOther: boolean;
}

/** What a document needs to hold the key `service`: the word, or an escape that could spell it. */
const HELD_BY = ['service', '\\'];

async function statesOf(
  { shell, folder, git }: LinePlace,
  changes: readonly CommitChange[],
): Promise<readonly State[]> {
  const { servicePart } = await import('../../config/service-part.ts');
  const all = changes.flatMap(({ files }) => files.filter(isPlain).map(({ blob }) => blob));
  const blobs = [...new Set(all)].filter((blob) => blob !== undefined);
  const holding = await contentsWith(git, blobs, HELD_BY);
  const texts = await openRepository(folder, shell.env).contents([...holding]);
  const files = new Map<string, string | undefined>();
  const parts = new Map<string, string>();
  let before = '';
  return changes.map(({ commit, files: changed }) => {
    for (const file of changed) {
      const { path, blob } = file;
      files.delete(path);
      parts.delete(path);
      if (blob === undefined || (isPlain(file) && !holding.has(blob))) continue;
      const text = isPlain(file) ? texts.get(blob) : undefined;
      files.set(path, text);
      parts.set(path, text === undefined ? blob : servicePart(text));
    }
    const now = JSON.stringify([...parts].sort());
    const isOther = now !== before;
    before = now;
    return { commit, files: new Map(files), isOther };
  });
}

function isPlain({ mode }: ChangedFile): boolean {
  return mode.startsWith('100');
}

/** The service of a state; by all documents of its commit where a link may lead to it. */
async function serviceOf(
  { shell, folder }: LinePlace,
  { commit, files }: State,
): Promise<ServiceSettings | undefined> {
  const texts = [...files].flatMap(([path, text]) => (text === undefined ? [] : [{ path, text }]));
  const { loadTexts } = await import('../../config/load.ts');
  const loaded =
    texts.length < files.size
      ? await documentsAt({ shell, documents: { folder } }, commit)
      : loadTexts(texts.filter(({ path }) => isDocument(path) && !/(?:^|\/)\./.test(path)));
  return (loaded.documents?.service ?? loaded.service)?.value;
}
