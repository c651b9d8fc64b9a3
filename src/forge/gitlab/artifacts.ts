import { orMissing, type ForgeClient } from '../forge-client.ts';
import type { RunArtifact, ReviewedPlan, ArtifactName } from '../forge-port.ts';
import { findMerged, parseMergeRequest, type JobVariables } from './merge-request.ts';

/** The job of the template that keeps an artifact. */
export const KEEPERS: Readonly<Record<string, string>> = {
  'fleetform-plan': 'fleet-plan',
  'fleetform-snapshot': 'fleet-drift',
};

interface Keeper {
  readonly job: string;
  /** The folder of its files below the working directory of the job. */
  readonly below: string;
}

/**
 * The job that keeps an artifact, and where. Of several organizations each has jobs and artifacts that end
 * with its name, and its plan has a folder of its own, because one job posts all plans.
 */
function findKeeper(artifact: string): Keeper | undefined {
  for (const [known, job] of Object.entries(KEEPERS)) {
    if (artifact === known) return { job, below: '' };
    if (!artifact.startsWith(`${known}-`)) continue;
    const name = artifact.slice(known.length + 1);
    return { job: `${job}-${name}`, below: job === 'fleet-plan' ? `plans/${name}` : '' };
  }
  return undefined;
}

interface ArtifactPlace {
  readonly variables: JobVariables;
  readonly folder: string;
}

/**
 * The file of the newest successful pipeline of the default branch. What branches and merge requests
 * keep is ignored, because anybody who can push can keep any file. Undefined also where this job may
 * not read it, as in a fork.
 */
export async function newestArtifact(
  project: ForgeClient,
  { artifact, file }: ArtifactName,
  { variables, folder }: ArtifactPlace,
): Promise<RunArtifact | undefined> {
  const branch = variables['FLEETFORM_BRANCH'] || variables['CI_DEFAULT_BRANCH'] || '';
  const keeper = findKeeper(artifact);
  if (branch === '' || !keeper) return undefined;
  const path = pathIn(folder, keeper.below, file);
  const at = `jobs/artifacts/${encodeURIComponent(branch)}/raw/${path}`;
  const job = encodeURIComponent(keeper.job);
  const content = await unlessForbidden(project.download(`${at}?job=${job}`));
  return content === undefined ? undefined : { is: 'file', content };
}

/**
 * The plans that the last pipelines of merged merge requests kept, in the order of the merges; without commits, of the
 * merge request that a merge train tries. They are for people to compare with: code of the requests ran there, so they
 * approve nothing (semantics N74).
 */
export async function reviewedPlans(
  project: ForgeClient,
  { commits, ...wanted }: ArtifactName & { readonly commits?: readonly string[] | undefined },
  place: ArtifactPlace,
): Promise<readonly ReviewedPlan[]> {
  const numbers = new Set<number>();
  const queued = commits ? undefined : parseMergeRequest(place.variables)?.number;
  if (queued !== undefined) numbers.add(queued);
  for (const commit of commits ?? []) {
    const merged = await findMerged(project, commit);
    const inOrder = [...merged].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
    for (const { number } of inOrder) numbers.add(number);
  }
  const found: ReviewedPlan[] = [];
  for (const number of numbers)
    found.push(await reviewedPlan(project, { ...wanted, number }, place));
  return found;
}

async function reviewedPlan(
  project: ForgeClient,
  { number, artifact, file }: ArtifactName & { readonly number: number },
  { folder }: ArtifactPlace,
): Promise<ReviewedPlan> {
  const name = `!${number}`;
  const keeper = findKeeper(artifact);
  const job = await planningJob(project, number, keeper?.job);
  if (job === undefined) return { name };
  const path = `jobs/${job}/artifacts/${pathIn(folder, keeper?.below ?? '', file)}`;
  const content = await unlessForbidden(project.download(path));
  return content === undefined ? { name } : { name, plan: { is: 'file', content } };
}

/**
 * The newest job of this name in the last pipeline of a merge request. That of a merge train compares with the entry
 * ahead, and nobody has reviewed it.
 */
async function planningJob(
  project: ForgeClient,
  number: number,
  name: string | undefined,
): Promise<number | undefined> {
  const all = (await unlessForbidden(project.list(`merge_requests/${number}/pipelines`))) ?? [];
  const own = all.flatMap(({ id, ref }) =>
    typeof id === 'number' && !String(ref).endsWith('/train') ? [id] : [],
  );
  if (own.length === 0) return undefined;
  const jobs = (await unlessForbidden(project.list(`pipelines/${Math.max(...own)}/jobs`))) ?? [];
  const ids = jobs.flatMap(({ id, name: each }) =>
    each === name && typeof id === 'number' ? [id] : [],
  );
  return ids.length === 0 ? undefined : Math.max(...ids);
}

function pathIn(...parts: readonly string[]): string {
  const names = parts.filter((part) => part !== '').flatMap((part) => part.split('/'));
  return names.map(encodeURIComponent).join('/');
}

/** GitLab answers 401 or 403 where the token of a job may not read, and 404 where nothing is kept. */
function unlessForbidden<T>(answer: Promise<T>): Promise<T | undefined> {
  return orMissing(answer, 401, 403);
}
