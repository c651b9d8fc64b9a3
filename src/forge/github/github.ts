import type { Forge, PostedText } from '../forge-port.ts';
import { openClient, type ForgeClient, type ForgeLine } from '../forge-client.ts';
import {
  findDefaultBranch,
  findMergeBase,
  findMergedPulls,
  findPulls,
  parseQueued,
  parseRunId,
  parseSubject,
} from './pull.ts';
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
      gateApprovers: (run) => gateApprovers(github, run),
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
 * Who approved the gates of a workflow run, by the forge's own record, sorted; none where it has no
 * such record (semantics N75).
 */
export async function gateApprovers(github: ForgeClient, run: string): Promise<readonly string[]> {
  const rows = objectsIn(await github.get(`actions/runs/${encodeURIComponent(run)}/approvals`));
  const names = rows.flatMap(({ state, user }) => {
    const login = memberAt(user, 'login');
    return state === 'approved' && typeof login === 'string' ? [login] : [];
  });
  return [...new Set(names)].sort();
}
