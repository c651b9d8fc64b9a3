import type { Forge, PostedText } from '../forge-port.ts';
import { openClient, type ForgeClient, type ForgeLine } from '../forge-client.ts';
import { WorldError } from '../../model/error.ts';
import {
  findMergeBase,
  findMerged,
  findRequests,
  parseMergeRequest,
  type JobVariables,
} from './merge-request.ts';
import { newestArtifact, reviewedPlans } from './artifacts.ts';
import { memberAt, objectsIn } from '../../lib/objects.ts';
import { textOf } from '../texts.ts';

export interface GitLabParts extends ForgeLine {
  /** `https://gitlab.com/api/v4`, or the one of another server. */
  readonly apiUrl: string;
  /** The ID of the project that the merge request is for. */
  readonly project: number;
  /** The token of the job; it reads what GitLab lets a job read. */
  readonly jobToken: string;
  /** A project access token; empty if there is none. Only it may write. */
  readonly token: string;
}

/** What GitLab says about a job. */
export interface GitLabJob {
  /** The predefined variables of the job. */
  readonly variables: JobVariables;
  /** The user name of the author of our notes and issues; empty: the user of the token. */
  readonly author: string;
  /** The folder of the job in its repository; empty for the root. */
  readonly folder: string;
}

/** The interfaces of one project and of the whole server, with one token. */
export interface GitLab {
  readonly project: ForgeClient;
  readonly server: ForgeClient;
  /** Whether the token is one that may write. */
  readonly mayWrite: boolean;
}

/**
 * GitLab takes a note of 1,000,000 characters, but gives up on a filter of its renderer after two
 * seconds and shows the rest as plain text. A quarter leaves it room.
 */
const MAX_LENGTH = 250_000;

/** Opens a project on GitLab: `merge_requests/7/notes`. */
export function openGitLab({ transport, clock, ...parts }: GitLabParts): GitLab {
  const { jobToken, token } = parts;
  const api = parts.apiUrl.replace(/\/+$/, '');
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...(token === '' ? { 'job-token': jobToken } : { 'private-token': token }),
  };
  const open = (root: string): ForgeClient =>
    openClient({ transport, clock, root, headers, name: 'GitLab' });
  return {
    project: open(`${api}/projects/${parts.project}`),
    server: open(api),
    mayWrite: token !== '',
  };
}

export function gitlabForge(gitlab: GitLab, job: GitLabJob): Forge {
  const { project } = gitlab;
  const { variables } = job;
  const isOurs = ownerCheck(gitlab, job.author);
  const send = async (...args: Parameters<ForgeClient['send']>): Promise<void> => {
    requireToken(gitlab);
    await project.send(...args);
  };
  const ours = async (path: string, key: 'id' | 'iid', text: string) => {
    const check = await isOurs();
    const rows = (await project.list(path)).filter(check);
    return rows.flatMap((row) => postedText(row, key, text)).sort((a, b) => a.id - b.id);
  };
  return {
    kind: 'gitlab',
    maxLength: MAX_LENGTH,
    run: variables['CI_JOB_ID'] ?? '',
    ...links(variables),
    subject: parseMergeRequest(variables),
    requestsOf: (subject) => findRequests(project, subject, variables),
    mergeBase: async (branch, commit) => {
      requireToken(gitlab);
      return findMergeBase(project, branch, commit);
    },
    mergedRequests: async (commit) =>
      (await findMerged(project, commit)).map(({ number }) => ({ number, name: `!${number}` })),
    comments: (number) =>
      ours(`merge_requests/${number}/notes?sort=asc&order_by=created_at`, 'id', 'body'),
    addComment: (number, body) =>
      send('POST', `merge_requests/${number}/notes`, { body: withoutQuickActions(body) }),
    editComment: (number, id, body) =>
      send('PUT', `merge_requests/${number}/notes/${id}`, { body: withoutQuickActions(body) }),
    deleteComment: (number, id) => send('DELETE', `merge_requests/${number}/notes/${id}`),
    openIssues: () =>
      ours('issues?state=opened&scope=all&order_by=created_at&sort=asc', 'iid', 'description'),
    addIssue: ({ title, body }) =>
      send('POST', 'issues', { title, description: withoutQuickActions(body) }),
    editIssue: (id, { title, body }, isOpen) =>
      send('PUT', `issues/${id}`, {
        title,
        description: withoutQuickActions(body),
        ...(!isOpen && { state_event: 'close' }),
      }),
    runs: {
      newestWith: (wanted) => newestArtifact(project, wanted, job),
      reviewedPlans: (wanted) => reviewedPlans(project, wanted, job),
      gateApprovers: (run) => deploymentApprovers(project, { run, variables }),
    },
  };
}

/**
 * A text in which no line is a quick action. GitLab runs a line such as `/close` with the rights of
 * the author of the note, and a maintainer can edit a note that this job then posts again.
 */
export function withoutQuickActions(text: string): string {
  return text.replaceAll(/^(?=[^\S\r\n]*\/)/gm, '\\');
}

/** Tells rows of ours from those of others; the author is asked for once. */
function ownerCheck(gitlab: GitLab, author: string) {
  type Row = Readonly<Record<string, unknown>>;
  let user: Promise<unknown> | undefined;
  return async (): Promise<(row: Row) => boolean> => {
    if (author !== '') return (row) => memberAt(row, 'author', 'username') === author;
    requireToken(gitlab);
    user ??= gitlab.server.get('user');
    const id = memberAt(await user, 'id');
    if (typeof id !== 'number')
      throw new WorldError('forgeRefused', { forge: 'GitLab', what: 'GET user', why: 'shape' });
    return (row) => memberAt(row, 'author', 'id') === id;
  };
}

/** The token of a job can write no note and no issue, and has no user of its own. */
function requireToken({ mayWrite }: GitLab): void {
  if (!mayWrite) throw new WorldError('forgeMissing', { missing: 'GITLAB_TOKEN' });
}

/** A note or an issue; nothing if the row is neither, or a note that GitLab wrote in our name. */
function postedText(
  row: Readonly<Record<string, unknown>>,
  key: 'id' | 'iid',
  text: string,
): readonly PostedText[] {
  const { [key]: id, [text]: body, title, system } = row;
  if (typeof id !== 'number' || system === true) return [];
  return [{ id, title: textOf(title), body: textOf(body) }];
}

/** The page of this pipeline, and where the job that planned keeps its report. */
function links(variables: JobVariables): Pick<Forge, 'page' | 'report'> {
  const { CI_PIPELINE_URL: pipeline = '', CI_PROJECT_URL: project = '' } = variables;
  const { FLEETFORM_JOB: job = '' } = variables;
  const report = /^\d{1,18}$/.test(job) ? `${project}/-/jobs/${job}/artifacts/browse` : pipeline;
  return {
    ...(isPage(pipeline) && { page: pipeline }),
    ...(isPage(report) && { report: { page: report, artifact: 'fleetform-plan.html' } }),
  };
}

/** Whether a link with this address cannot end before its end. */
function isPage(address: string): boolean {
  return /^https:\/\/[\w.:-]+(?:\/[\w.~-]+)+$/.test(address);
}

/**
 * Who let the job of a gate run, by GitLab's own record, sorted: those who approved its deployment (a
 * protected environment with approvals), and who started the job by hand. None where GitLab has no
 * such record (semantics N75).
 */
async function deploymentApprovers(
  project: ForgeClient,
  { run, variables }: { readonly run: string; readonly variables: JobVariables },
): Promise<readonly string[]> {
  const environment = variables['CI_ENVIRONMENT_NAME'];
  if (!environment || run === '') return [];
  const name = encodeURIComponent(environment);
  const path = `deployments?environment=${name}&order_by=id&sort=desc&per_page=100`;
  const rows = objectsIn(await project.get(path));
  const own = rows.find((row) => String(memberAt(row, 'deployable', 'id')) === run);
  if (typeof own?.['id'] !== 'number') return [];
  const deployment = await project.get(`deployments/${own['id']}`);
  const names = [
    ...approvalsIn(deployment).flatMap(({ status, user }) =>
      status === 'approved' ? nameOf(user) : [],
    ),
    ...(variables['CI_JOB_MANUAL'] === 'true'
      ? nameOf(memberAt(deployment, 'deployable', 'user'))
      : []),
  ];
  return [...new Set(names)].sort();
}

/** The approvals of a deployment: of its environment, and of each of several rules. */
function approvalsIn(deployment: unknown): ReturnType<typeof objectsIn> {
  const rules = objectsIn(memberAt(deployment, 'approval_summary', 'rules'));
  const lists = [
    memberAt(deployment, 'approvals'),
    ...rules.map((rule) => rule['deployment_approvals']),
  ];
  return lists.flatMap(objectsIn);
}

function nameOf(user: unknown): readonly string[] {
  const name = memberAt(user, 'username');
  return typeof name === 'string' ? [name] : [];
}
