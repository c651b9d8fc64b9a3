import type {
  Forge,
  PostedText,
  FoundRequest,
  RequestHead,
  RequestSubject,
} from '../forge-port.ts';
import { openClient, type ForgeClient, type ForgeLine, orMissing } from '../forge-client.ts';
import { findReviewedPlans } from './reviewed-plan.ts';
import { isObject, memberAt, objectsIn } from '../../lib/objects.ts';
import { isId, textOf } from '../texts.ts';

export interface GitHubParts extends ForgeLine {
  /** `https://api.github.com`, or the URL of the runner's server. */
  readonly apiUrl: string;
  readonly token: string;
  /** `owner/name` */
  readonly repository: string;
}

/** What GitHub says about a job, and where its pages are. */
export interface GitHubJob {
  readonly repository: string;
  /** The event that started the job, which GitHub writes. */
  readonly event: unknown;
  /** The author of our comments and issues. */
  readonly author: string;
  /** `https://github.com`, or the runner's server. */
  readonly server: string;
  /** The run of the job itself. */
  readonly run: string | undefined;
}

/** GitHub's limit for a comment and for the text of an issue. */
const MAX_LENGTH = 65_536;

/** Opens a repository on GitHub or a compatible server: `issues/7/comments`. */
export function openGitHub({ transport, clock, ...parts }: GitHubParts): ForgeClient {
  return openClient({
    transport,
    clock,
    root: `${parts.apiUrl.replace(/\/+$/, '')}/repos/${parts.repository}`,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${parts.token}`,
      'x-github-api-version': '2022-11-28',
    },
    name: 'GitHub',
  });
}

export function githubForge(github: ForgeClient, job: GitHubJob): Forge {
  const { author, event, repository } = job;
  const isOurs = (row: Row): boolean => row.author === author;
  const send = async (...args: Parameters<ForgeClient['send']>): Promise<void> => {
    await github.send(...args);
  };
  const report = planningRun(job);
  const page = runPage(job, Number(job.run));
  return {
    kind: 'github',
    maxLength: MAX_LENGTH,
    run: job.run ?? '',
    ...(page !== undefined && { page }),
    subject: parseSubject(event, repository),
    ...(report !== undefined && { report: { page: report, artifact: 'fleetform-report' } }),
    requestsOf: (subject) => findPulls(github, subject),
    mergeBase: (branch, commit) => findMergeBase(github, branch, commit),
    mergedRequests: async (commit) =>
      (await findMergedPulls(github, commit)).map((number) => ({ number, name: `#${number}` })),
    comments: async (number) => {
      const rows = (await github.list(`issues/${number}/comments`)).flatMap(postedText);
      return rows.filter(isOurs).sort((a, b) => a.id - b.id);
    },
    addComment: (number, body) => send('POST', `issues/${number}/comments`, { body }),
    editComment: (_, id, body) => send('PATCH', `issues/comments/${id}`, { body }),
    deleteComment: (_, id) => send('DELETE', `issues/comments/${id}`),
    openIssues: async () => {
      const path = `issues?state=open&creator=${encodeURIComponent(author)}`;
      const rows = (await github.list(path)).flatMap(postedText).filter(isOurs);
      const issues = rows.filter(({ isPull }) => !isPull);
      return issues.map((row) => ({ ...row, id: row.number })).sort((a, b) => a.id - b.id);
    },
    addIssue: ({ title, body }) => send('POST', 'issues', { title, body }),
    editIssue: (id, { title, body }, isOpen) =>
      send('PATCH', `issues/${id}`, { title, body, ...(!isOpen && { state: 'closed' }) }),
    runs: {
      newestWith: async ({ artifact: name }) => {
        const branch = findDefaultBranch(event);
        const run =
          branch === undefined ? undefined : await runWithArtifact(github, { name, branch });
        return run === undefined ? undefined : { is: 'run', run };
      },
      reviewedPlans: (wanted) => findReviewedPlans(github, wanted, parseQueued(event)),
      gateApprovers: (run, environments) => gateApprovers(github, run, environments),
    },
  };
}

/** A comment or issue, with its author. */
interface Row extends PostedText {
  readonly author: string;
  /** The number of an issue; 0 for a comment. */
  readonly number: number;
  /** Whether the issue is a pull request. */
  readonly isPull: boolean;
}

/** Reads a row of a list; nothing if it is no comment or issue. */
function postedText(row: Readonly<Record<string, unknown>>): readonly Row[] {
  if (typeof row['id'] !== 'number' || !isObject(row['user'])) return [];
  const { id, number, user, title, body } = row;
  const text = {
    id,
    number: typeof number === 'number' ? number : 0,
    author: textOf(user['login']),
    title: textOf(title),
    body: textOf(body),
    isPull: isObject(row['pull_request']),
  };
  return [text];
}

/** Where the run that planned keeps the report; the event comes from GitHub. */
function planningRun(job: GitHubJob): string | undefined {
  const page = runPage(job, parseRunId(job.event) ?? Number(job.run));
  return page === undefined ? undefined : `${page}#artifacts`;
}

function runPage({ repository, server }: GitHubJob, id: number): string | undefined {
  const isUsable = Number.isSafeInteger(id) && id > 0 && /^https:\/\/[\w.:-]+$/.test(server);
  return isUsable ? `${server}/${repository}/actions/runs/${id}` : undefined;
}

/**
 * The run with the newest artifact of a name on a branch of this repository; undefined if there is
 * none. Artifacts of a fork or another branch are ignored, because a pull request can upload any
 * artifact.
 */
async function runWithArtifact(
  github: ForgeClient,
  { name, branch }: { readonly name: string; readonly branch: string },
): Promise<number | undefined> {
  const path = `actions/artifacts?name=${encodeURIComponent(name)}&per_page=100`;
  const rows = objectsIn(memberAt(await github.get(path), 'artifacts'));
  const runs = rows.flatMap((row) => {
    if (row['name'] !== name || row['expired'] !== false) return [];
    const { workflow_run: run } = row;
    if (!isObject(run) || run['head_branch'] !== branch) return [];
    const { id, repository_id: own, head_repository_id: head } = run;
    return own === head && typeof own === 'number' && isId(id) ? [id] : [];
  });
  return runs.length === 0 ? undefined : Math.max(...runs);
}

/**
 * Who approved one of these environments in a workflow run, by the forge's own record, sorted: reviewers of another
 * environment of the run have not passed this gate (protocol M11). The forge ignores the case of their names.
 */
async function gateApprovers(
  github: ForgeClient,
  run: string,
  environments: readonly string[],
): Promise<readonly string[]> {
  const rows = objectsIn(await github.get(`actions/runs/${encodeURIComponent(run)}/approvals`));
  const names = rows.flatMap((row) => {
    const login = memberAt(row, 'user', 'login');
    const isOfGate = objectsIn(row['environments']).some(({ name }) =>
      environments.includes(textOf(name).toLowerCase()),
    );
    return row['state'] === 'approved' && isOfGate && typeof login === 'string' ? [login] : [];
  });
  return [...new Set(names)].sort();
}

/**
 * The subject of a `pull_request` event, or of the `workflow_run` event that follows one; undefined
 * for any other event. The event comes from GitHub, unlike the content of an artifact.
 */
function parseSubject(event: unknown, repository: string): RequestSubject | undefined {
  if (!isObject(event)) return undefined;
  const { pull_request: pull, workflow_run: run } = event;
  if (isObject(pull) && typeof pull['number'] === 'number' && isObject(pull['head'])) {
    const { sha, ref, repo } = pull['head'];
    const head = parseHead({ sha, branch: ref, repo }, repository);
    return head && { head, number: pull['number'] };
  }
  if (!isObject(run) || run['event'] !== 'pull_request') return undefined;
  const { head_sha: sha, head_branch: branch, head_repository: repo, conclusion } = run;
  const head = parseHead({ sha, branch, repo }, repository);
  return head && { head, ...(typeof conclusion === 'string' && { conclusion }) };
}

/** The ID of the run that a `workflow_run` event follows. */
function parseRunId(event: unknown): number | undefined {
  const id = memberAt(event, 'workflow_run', 'id');
  return typeof id === 'number' ? id : undefined;
}

export function findDefaultBranch(event: unknown): string | undefined {
  const name = memberAt(event, 'repository', 'default_branch');
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** The number of the pull request that a merge queue tries: GitHub names the branch of a group `.../pr-7-COMMIT`. */
export function parseQueued(event: unknown): number | undefined {
  const ref = String(memberAt(event, 'merge_group', 'head_ref'));
  const [, number] =
    /^refs\/heads\/gh-readonly-queue\/.+\/pr-(\d{1,15})-[0-9a-f]{40}$/.exec(ref) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** All pull requests with the head branch and commit of a job, in any state. */
async function findPulls(
  github: ForgeClient,
  { head }: RequestSubject,
): Promise<readonly FoundRequest[]> {
  const [owner = ''] = head.repository.split('/');
  const wanted = encodeURIComponent(`${owner}:${head.branch}`);
  const pulls = await github.list(`pulls?state=all&head=${wanted}`);
  return pulls.flatMap((pull) => {
    const { number, state, merged_at: mergedAt } = pull;
    const [sha, ref] = ['sha', 'ref'].map((name) => memberAt(pull, 'head', name));
    const repo = memberAt(pull, 'head', 'repo', 'full_name');
    const base = memberAt(pull, 'base', 'ref');
    const isWanted = sha === head.commit && ref === head.branch && repo === head.repository;
    if (!isWanted || typeof number !== 'number' || typeof base !== 'string') return [];
    const ended = typeof mergedAt === 'string' ? ('merged' as const) : ('closed' as const);
    return [{ number, base, state: state === 'open' ? ('open' as const) : ended }];
  });
}

/** The newest commit that a branch has of the history of another commit. */
async function findMergeBase(
  github: ForgeClient,
  branch: string,
  commit: string,
): Promise<string | undefined> {
  const [base, head] = [branch, commit].map(encodeURIComponent);
  const answer = await orMissing(github.get(`compare/${base}...${head}?per_page=1`));
  const sha = memberAt(answer, 'merge_base_commit', 'sha');
  return typeof sha === 'string' ? sha : undefined;
}

/** The merged pull requests that brought a commit to its branch, in ascending order. */
async function findMergedPulls(github: ForgeClient, commit: string): Promise<readonly number[]> {
  const pulls = await github.list(`commits/${encodeURIComponent(commit)}/pulls`);
  const merged = pulls.flatMap(({ number, merged_at: at }) =>
    typeof number === 'number' && typeof at === 'string' ? [number] : [],
  );
  return [...new Set(merged)].sort((a, b) => a - b);
}

function parseHead(
  { sha, branch, repo }: Readonly<Record<'sha' | 'branch' | 'repo', unknown>>,
  repository: string,
): RequestHead | undefined {
  const name = memberAt(repo, 'full_name');
  if (typeof sha !== 'string' || typeof branch !== 'string' || typeof name !== 'string')
    return undefined;
  return { commit: sha, branch, repository: name, isFork: name !== repository };
}
