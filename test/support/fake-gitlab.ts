import { getResponse, http, HttpResponse } from 'msw';
import { watch } from './canary-watch.ts';
import { mentionsIn, quickActionsIn } from './gitlab-markdown.ts';
import { serveRequests } from './served.ts';

export interface FakeUser {
  readonly id: number;
  readonly username: string;
}

/** A note of a merge request, or an issue. */
export interface FakePosted {
  readonly id: number;
  readonly iid: number;
  /** The merge request of a note; 0 for an issue. */
  readonly on: number;
  author: FakeUser;
  title: string;
  body: string;
  state: 'opened' | 'closed';
  system: boolean;
}

/** A call, as it came in; the token by the header that it came in. */
export interface GitLabCall {
  readonly method: string;
  readonly path: string;
  readonly tokens: Readonly<Record<'job' | 'private', string>>;
}

/** A file that a job of a pipeline has left. */
export interface FakeJob {
  readonly id: number;
  readonly name: string;
  readonly ref: string;
  readonly pipeline: number;
  readonly files: Readonly<Record<string, string>>;
}

/** The part of GitLab's REST interface that we use, for one project, in memory. */
export interface FakeGitLab {
  readonly notes: FakePosted[];
  readonly issues: FakePosted[];
  readonly requests: Record<string, unknown>[];
  /** Merge requests by a commit that they brought to a branch. */
  readonly merged: Record<string, object[]>;
  readonly deployments: Record<string, unknown>[];
  readonly jobs: FakeJob[];
  /** The branch that merge requests go into. */
  branch: string;
  /** The newest commit that a branch has of the history of another one: by default that one itself. */
  mergeBase: (branch: string, commit: string) => string | undefined;
  readonly calls: GitLabCall[];
  /** What GitLab did because of a text: quick actions in the name of its author, and mentions. */
  readonly obeyed: string[];
  readonly mentioned: string[];
  /** What the next calls of a method are answered with instead, once each. */
  readonly trouble: { method: string; answer: () => Response | Promise<Response> }[];
  note(author: FakeUser, body: string, system?: boolean): FakePosted;
  issue(author: FakeUser, body: string): FakePosted;
  handle(request: Request): Promise<Response>;
  serve(): Promise<{ readonly url: string; close(): void }>;
}

export const PROJECT = 42;
export const PROJECT_BOT: FakeUser = { id: 900, username: 'project_42_bot_1f2e' };
export const ADA: FakeUser = { id: 7, username: 'ada' };
/** The project access token of the bot, and the token of a job. */
export const BOT_TOKEN = 'canary-of-a-job-5b81e0';
export const CI_TOKEN = 'canary-of-a-ci-job-77c2';
const ROOT = `*/api/v4/projects/${PROJECT}`;

/** What GitLab lets the token of a job call (its page "CI/CD job token"), for this project. */
const JOB_MAY: readonly (readonly [string, RegExp])[] = [
  ['GET', /^\/repository\/commits\/\w+(\/merge_requests)?$/],
  ['GET', /^\/merge_requests(\/\d+)?$/],
  ['GET', /^\/merge_requests\/\d+\/notes(\/\d+)?$/],
  ['GET', /^\/deployments(\/\d+)?$/],
  ['GET', /^\/jobs\/(\d+\/artifacts|artifacts)(\/.*)?$/],
];

const NOTE_LIMIT = 1_000_000;
const json = (value: object, status = 200): Response => HttpResponse.json(value, { status });
const notFound = (): Response => json({ message: '404 Not found' }, 404);

export function createFakeGitLab(): FakeGitLab {
  let last = 100;
  watch('what GitLab was told', () =>
    JSON.stringify([fake.notes, fake.issues, fake.calls.map(({ path }) => path)]),
  );
  const posted = (author: FakeUser, body: string, on: number): FakePosted => {
    last += 1;
    const place = { id: last, iid: last - 90, on };
    return { ...place, author, title: '', body, state: 'opened', system: false };
  };
  const heard = (text: string): void => {
    fake.obeyed.push(...quickActionsIn(text));
    fake.mentioned.push(...mentionsIn(text));
  };
  const fake: FakeGitLab = {
    notes: [],
    issues: [],
    requests: [],
    branch: 'main',
    mergeBase: (_, commit) => commit,
    merged: {},
    deployments: [],
    jobs: [],
    calls: [],
    obeyed: [],
    mentioned: [],
    trouble: [],
    note: (author, body, system = false) => {
      const made = { ...posted(author, body, 7), system };
      fake.notes.push(made);
      return made;
    },
    issue: (author, body) => {
      const made = posted(author, body, 0);
      fake.issues.push(made);
      return made;
    },
    async handle(request) {
      const { method, headers, url } = request;
      const { pathname } = new URL(url);
      const [job = '', token = ''] = ['job-token', 'private-token'].map(
        (name) => headers.get(name) ?? '',
      );
      fake.calls.push({ method, path: pathname, tokens: { job, private: token } });
      const trouble = fake.trouble.findIndex((each) => each.method === method);
      const [one] = trouble >= 0 ? fake.trouble.splice(trouble, 1) : [];
      if (one) return one.answer();
      const rest = pathname.replace(/^.*\/api\/v4\/projects\/42(?=\/)/, '');
      const isJob = job === CI_TOKEN && token === '';
      if (isJob && !JOB_MAY.some(([verb, path]) => verb === method && path.test(rest)))
        return json({ message: '401 Unauthorized' }, 401);
      if (!isJob && token !== BOT_TOKEN) return json({ message: '401 Unauthorized' }, 401);
      return (await getResponse(handlers(fake, heard, posted), request)) ?? notFound();
    },
    serve: () => serveRequests((request) => fake.handle(request)),
  };
  return fake;
}

type Make = (author: FakeUser, body: string, on: number) => FakePosted;

function handlers(fake: FakeGitLab, heard: (text: string) => void, make: Make) {
  return [
    http.get('*/api/v4/user', () => json(PROJECT_BOT)),
    ...noteHandlers(fake, heard, make),
    ...issueHandlers(fake, heard, make),
    ...readHandlers(fake),
  ];
}

function noteHandlers({ notes }: FakeGitLab, heard: (text: string) => void, make: Make) {
  const at = `${ROOT}/merge_requests/:iid/notes`;
  const refusal = (body: unknown): Response | undefined => {
    if (typeof body !== 'string' || body === '') return json({ error: 'body is missing' }, 400);
    const isLong = body.length > NOTE_LIMIT;
    return isLong ? json({ message: { note: ['is too long'] } }, 400) : undefined;
  };
  const view = ({ title: _, iid: __, on: noteable_iid, ...note }: FakePosted) => ({
    ...note,
    noteable_iid,
  });
  return [
    http.get(at, ({ request, params }) => {
      const rows = notes.filter(({ on }) => String(on) === params['iid']);
      const isAscending = new URL(request.url).searchParams.get('sort') === 'asc';
      return paged((isAscending ? rows : rows.toReversed()).map(view), request);
    }),
    http.post(at, async ({ request, params }) => {
      const { body } = (await request.json()) as { readonly body: string };
      const refused = refusal(body);
      if (refused) return refused;
      heard(body);
      const note = make(PROJECT_BOT, body, Number(params['iid']));
      notes.push(note);
      return json(view(note), 201);
    }),
    http.put(`${at}/:id`, async ({ request, params }) => {
      const { body } = (await request.json()) as { readonly body: string };
      const note = notes.find(({ id }) => String(id) === params['id']);
      const refused = refusal(body);
      if (!note || refused) return refused ?? notFound();
      heard(body);
      return json(view(Object.assign(note, { body })));
    }),
    http.delete(`${at}/:id`, ({ params }) => {
      const nth = notes.findIndex(({ id }) => String(id) === params['id']);
      if (nth >= 0) notes.splice(nth, 1);
      return new HttpResponse(null, { status: nth >= 0 ? 204 : 404 });
    }),
  ];
}

function issueHandlers({ issues }: FakeGitLab, heard: (text: string) => void, make: Make) {
  interface Told {
    readonly title: string;
    readonly description: string;
    readonly state_event?: string;
  }
  const view = ({ body: description, ...issue }: FakePosted) => ({ ...issue, description });
  return [
    http.get(`${ROOT}/issues`, ({ request }) => {
      const wanted = new URL(request.url).searchParams.get('state');
      const rows = issues.filter(({ state }) => wanted === null || state === wanted);
      return paged(rows.map(view), request);
    }),
    http.post(`${ROOT}/issues`, async ({ request }) => {
      const { title, description } = (await request.json()) as Told;
      heard(description);
      const issue = { ...make(PROJECT_BOT, description, 0), title };
      issues.push(issue);
      return json(view(issue), 201);
    }),
    http.put(`${ROOT}/issues/:iid`, async ({ request, params }) => {
      const { title, description, state_event } = (await request.json()) as Told;
      const issue = issues.find(({ iid }) => String(iid) === params['iid']);
      if (!issue) return notFound();
      heard(description);
      const isClosed = state_event === 'close';
      return json(
        view(
          Object.assign(issue, { title, body: description, ...(isClosed && { state: 'closed' }) }),
        ),
      );
    }),
  ];
}

function readHandlers(fake: FakeGitLab) {
  const file = (job: FakeJob | undefined, path: unknown): Response => {
    const text = job?.files[String(path)];
    return text === undefined ? notFound() : new HttpResponse(text);
  };
  return [
    http.get(`${ROOT}/merge_requests`, ({ request }) => {
      const branch = new URL(request.url).searchParams.get('source_branch');
      const rows = fake.requests.map((one) => ({
        target_branch: fake.branch,
        source_project_id: PROJECT,
        ...one,
      }));
      return paged(
        rows.filter((one) => 'source_branch' in one && one.source_branch === branch),
        request,
      );
    }),
    http.get(`${ROOT}/repository/merge_base`, ({ request }) => {
      const [branch = '', commit = ''] = new URL(request.url).searchParams.getAll('refs[]');
      const id = fake.mergeBase(branch, commit);
      return id === undefined ? notFound() : json({ id });
    }),
    http.get(`${ROOT}/merge_requests/:iid`, ({ params }) => {
      const found = fake.requests.find(({ iid }) => String(iid) === params['iid']);
      return found ? json(found) : notFound();
    }),
    http.get(`${ROOT}/merge_requests/:iid/pipelines`, ({ request, params }) => {
      const found = fake.requests.find(({ iid }) => String(iid) === params['iid']);
      return found ? paged((found['pipelines'] ?? []) as object[], request) : notFound();
    }),
    http.get(`${ROOT}/repository/commits/:sha/merge_requests`, ({ request, params }) =>
      paged(fake.merged[String(params['sha'])] ?? [], request),
    ),
    http.get(`${ROOT}/deployments`, ({ request }) => {
      const name = new URL(request.url).searchParams.get('environment');
      const rows = fake.deployments.filter(
        ({ environment }) => (environment as { readonly name: string }).name === name,
      );
      return paged(rows, request);
    }),
    http.get(`${ROOT}/deployments/:id`, ({ params }) => {
      const found = fake.deployments.find(({ id }) => String(id) === params['id']);
      return found ? json(found) : notFound();
    }),
    http.get(`${ROOT}/pipelines/:id/jobs`, ({ request, params }) => {
      const rows = fake.jobs.filter(({ pipeline }) => String(pipeline) === params['id']);
      return paged(rows, request);
    }),
    http.get(`${ROOT}/jobs/artifacts/:ref/raw/*`, ({ request, params }) => {
      const name = new URL(request.url).searchParams.get('job');
      const own = fake.jobs.filter((job) => job.ref === params['ref'] && job.name === name);
      return file(own.at(-1), params['1']);
    }),
    http.get(`${ROOT}/jobs/:id/artifacts/*`, ({ params }) =>
      file(
        fake.jobs.find(({ id }) => String(id) === params['id']),
        params['1'],
      ),
    ),
  ];
}

/** Like the service: so many a page as asked, twenty unasked, and the next page in a header. */
function paged(rows: readonly object[], request: Request): Response {
  const { searchParams } = new URL(request.url);
  const size = Math.min(100, Number(searchParams.get('per_page') ?? 20));
  const page = Number(searchParams.get('page') ?? 1);
  const isMore = rows.length > page * size;
  return HttpResponse.json(rows.slice((page - 1) * size, page * size), {
    headers: { 'x-page': String(page), 'x-next-page': isMore ? String(page + 1) : '' },
  });
}
