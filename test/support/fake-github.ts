import { getResponse, http, HttpResponse } from 'msw';
import { watch } from './canary-watch.ts';
import { serveRequests } from './served.ts';

export interface FakeText {
  readonly id: number;
  readonly number: number;
  user: { readonly login: string };
  title: string;
  body: string;
  state: 'open' | 'closed';
  pull_request?: object;
}

/** A call, as it came in. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly token: string;
}

/** The part of GitHub's interface that we use, for one repository, in memory. */
export interface FakeGitHub {
  readonly comments: FakeText[];
  readonly issues: FakeText[];
  readonly pulls: object[];
  /** Pull requests by a commit that they brought to a branch. */
  readonly merged: Record<string, object[]>;
  readonly artifacts: object[];
  /** Runs of workflows, and who let their gates through. */
  readonly runs: { readonly id: number; readonly head_sha: string; readonly event: string }[];
  readonly approvals: Record<string, object[]>;
  /** The newest commit that a branch has of the history of another one: by default that one itself. */
  mergeBase: (branch: string, commit: string) => string | undefined;
  readonly calls: Call[];
  /** What the next calls of a method are answered with instead, once each. */
  readonly trouble: { method: string; answer: () => Response | Promise<Response> }[];
  comment(author: string, body: string): FakeText;
  issue(author: string, body: string, isPull?: boolean): FakeText;
  handle(request: Request): Promise<Response>;
  serve(): Promise<{ readonly url: string; close(): void }>;
}

export const REPOSITORY = 'acme/fleet';
export const BOT = 'github-actions[bot]';
const ROOT = `*/repos/${REPOSITORY}`;

export function createFakeGitHub(login = BOT): FakeGitHub {
  let last = 100;
  watch('what GitHub was told', () => JSON.stringify([fake.comments, fake.issues, paths(fake)]));
  const text = (author: string, body: string): FakeText => {
    last += 1;
    return { id: last, number: last, user: { login: author }, title: '', body, state: 'open' };
  };
  const found = (list: FakeText[], key: 'id' | 'number', value: unknown) =>
    list.find((each) => String(each[key]) === String(value));
  const change = async (one: FakeText | undefined, request: Request): Promise<Response> => {
    if (!one) return HttpResponse.json({ message: 'Not Found' }, { status: 404 });
    return HttpResponse.json(Object.assign(one, await request.json()));
  };
  const fake: FakeGitHub = {
    comments: [],
    issues: [],
    pulls: [],
    merged: {},
    artifacts: [],
    runs: [],
    approvals: {},
    mergeBase: (_, commit) => commit,
    calls: [],
    trouble: [],
    comment: (author, body) => {
      const made = text(author, body);
      fake.comments.push(made);
      return made;
    },
    issue: (author, body, isPull = false) => {
      const made = { ...text(author, body), ...(isPull && { pull_request: {} }) };
      fake.issues.push(made);
      return made;
    },
    async handle(request) {
      const { method } = request;
      const token = request.headers.get('authorization') ?? '';
      fake.calls.push({ method, path: new URL(request.url).pathname, token });
      const trouble = fake.trouble.findIndex((each) => each.method === method);
      if (trouble >= 0) {
        const [one] = fake.trouble.splice(trouble, 1);
        if (one) return one.answer();
      }
      if (token === '') return HttpResponse.json({ message: 'Requires auth' }, { status: 401 });
      const answer = await getResponse(handlers, request);
      return answer ?? HttpResponse.json({ message: 'Not Found' }, { status: 404 });
    },
    serve: () => serveRequests((request) => fake.handle(request)),
  };
  const handlers = [
    http.get(`${ROOT}/issues/:number/comments`, ({ request }) => paged(fake.comments, request)),
    http.post(`${ROOT}/issues/:number/comments`, async ({ request }) => {
      const { body } = (await request.json()) as { readonly body: string };
      if (body.length > 65_536) return HttpResponse.json({ message: 'too long' }, { status: 422 });
      return HttpResponse.json(fake.comment(login, body), { status: 201 });
    }),
    http.patch(`${ROOT}/issues/comments/:id`, ({ params, request }) =>
      change(found(fake.comments, 'id', params['id']), request),
    ),
    http.delete(`${ROOT}/issues/comments/:id`, ({ params }) => {
      const one = found(fake.comments, 'id', params['id']);
      if (one) fake.comments.splice(fake.comments.indexOf(one), 1);
      return new HttpResponse(null, { status: one ? 204 : 404 });
    }),
    http.get(`${ROOT}/issues`, ({ request }) => {
      const { searchParams } = new URL(request.url);
      const creator = searchParams.get('creator');
      const open = fake.issues.filter(
        ({ state, user }) => state === 'open' && user.login === creator,
      );
      return paged(open, request);
    }),
    http.post(`${ROOT}/issues`, async ({ request }) => {
      const { title, body } = (await request.json()) as FakeText;
      return HttpResponse.json(Object.assign(fake.issue(login, body), { title }), { status: 201 });
    }),
    http.patch(`${ROOT}/issues/:number`, ({ params, request }) =>
      change(found(fake.issues, 'number', params['number']), request),
    ),
    http.get(`${ROOT}/actions/artifacts`, ({ request }) => {
      const name = new URL(request.url).searchParams.get('name');
      const artifacts = fake.artifacts.filter((one) => 'name' in one && one.name === name);
      return HttpResponse.json({ total_count: artifacts.length, artifacts });
    }),
    http.get(`${ROOT}/actions/runs`, ({ request }) => {
      const sha = new URL(request.url).searchParams.get('head_sha');
      const workflow_runs = fake.runs.filter((one) => one.head_sha === sha);
      return HttpResponse.json({ total_count: workflow_runs.length, workflow_runs });
    }),
    http.get(`${ROOT}/actions/runs/:id/artifacts`, ({ params }) => {
      const artifacts = fake.artifacts.filter(
        (one) => 'workflow_run' in one && isRun(one.workflow_run, params['id']),
      );
      return HttpResponse.json({ total_count: artifacts.length, artifacts });
    }),
    http.get(`${ROOT}/actions/runs/:id/approvals`, ({ params }) =>
      HttpResponse.json(fake.approvals[String(params['id'])] ?? fake.approvals['*'] ?? []),
    ),
    http.get(`${ROOT}/commits/:sha/pulls`, ({ request, params }) =>
      paged(fake.merged[String(params['sha'])] ?? [], request),
    ),
    http.get(`${ROOT}/pulls`, ({ request }) => {
      const state = new URL(request.url).searchParams.get('state');
      const pulls = fake.pulls.map((pull) => ({ state: 'open', base: { ref: 'main' }, ...pull }));
      return paged(state === 'all' ? pulls : pulls.filter((pull) => pull.state === state), request);
    }),
    http.get(`${ROOT}/pulls/:number`, ({ params }) => {
      const found = fake.pulls.find(
        (pull) => 'number' in pull && String(pull.number) === params['number'],
      );
      return found
        ? HttpResponse.json(found)
        : HttpResponse.json({ message: 'Not Found' }, { status: 404 });
    }),
    http.get(`${ROOT}/compare/:sides`, ({ params }) => {
      const [branch = '', commit = ''] = decodeURIComponent(String(params['sides'])).split('...');
      const sha = fake.mergeBase(branch, commit);
      if (sha === undefined) return HttpResponse.json({ message: 'Not Found' }, { status: 404 });
      return HttpResponse.json({ merge_base_commit: { sha } });
    }),
  ];
  return fake;
}

function isRun(run: unknown, id: unknown): boolean {
  return typeof run === 'object' && run !== null && 'id' in run && String(run.id) === String(id);
}

/** Like the service: so many a page as asked, thirty unasked. */
function paged(rows: readonly object[], request: Request): Response {
  const { searchParams } = new URL(request.url);
  const size = Number(searchParams.get('per_page') ?? 30);
  const page = Number(searchParams.get('page') ?? 1);
  return HttpResponse.json(rows.slice((page - 1) * size, page * size));
}

function paths({ calls }: FakeGitHub): readonly string[] {
  return calls.map(({ method, path }) => `${method} ${path}`);
}
