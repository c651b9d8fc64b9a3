import { WorldError } from '../../model/error.ts';
import { TransportError, type Clock, type Transport } from '../../model/ports.ts';

/** A repository on GitHub or a compatible server, as a job with a token sees it. */
export interface GitHub {
  /** All rows of a list, from all pages. Throws `githubRefused` beyond `MAX_PAGES`. */
  list(path: string): Promise<readonly unknown[]>;
  /** A single object. */
  get(path: string): Promise<unknown>;
  /** Sends one change and returns the answer, if any. It is not retried; the caller reads again. */
  send(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<unknown>;
}

export interface GitHubParts {
  readonly transport: Transport;
  readonly clock: Pick<Clock, 'sleep'>;
  /** `https://api.github.com`, or the URL of the runner's server. */
  readonly apiUrl: string;
  readonly token: string;
  /** `owner/name` */
  readonly repository: string;
}

const PER_PAGE = 100;
const MAX_PAGES = 100;
const TRIES = 3;

/**
 * Opens a repository. Paths are relative to it: `issues/7/comments`. Reads are retried if the
 * server is busy. An error has only the status of an answer, never its text.
 */
export function openGitHub(parts: GitHubParts): GitHub {
  const root = `${parts.apiUrl.replace(/\/+$/, '')}/repos/${parts.repository}`;
  return {
    async list(path) {
      const rows: unknown[] = [];
      for (let page = 1; page <= MAX_PAGES; page++) {
        const mark = path.includes('?') ? '&' : '?';
        const url = `${root}/${path}${mark}per_page=${PER_PAGE}&page=${page}`;
        const found = await read(url, parts);
        if (!Array.isArray(found)) throw refused('GET', path, 'shape');
        rows.push(...(found as unknown[]));
        if (found.length < PER_PAGE) return rows;
      }
      throw refused('GET', path, 'tooLong');
    },
    get: (path) => read(`${root}/${path}`, parts),
    async send(method, path, body) {
      const answer = await exchange(requestFor(method, `${root}/${path}`, parts, body), parts);
      if (!answer.ok) throw refused(method, path, answer.status);
      return answer.status === 204 ? undefined : readJson(answer, method, path);
    },
  };
}

async function read(url: string, parts: GitHubParts): Promise<unknown> {
  const path = new URL(url).pathname;
  for (let tried = 1; ; tried++) {
    const answer = await exchange(requestFor('GET', url, parts), parts);
    if (answer.ok) return readJson(answer, 'GET', path);
    const isBusy = answer.status === 429 || answer.status >= 500;
    if (!isBusy || tried >= TRIES) throw refused('GET', path, answer.status);
    await parts.clock.sleep(tried * 2_000);
  }
}

function requestFor(method: string, url: string, parts: GitHubParts, body?: object): Request {
  return new Request(url, {
    method,
    redirect: 'manual',
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${parts.token}`,
      'user-agent': 'fleetform',
      'x-github-api-version': '2022-11-28',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function exchange(request: Request, { transport }: GitHubParts): Promise<Response> {
  try {
    return await transport(request);
  } catch (cause) {
    if (!(cause instanceof TransportError)) throw cause;
    throw new WorldError('githubUnreachable', { cause: cause.code }, { cause });
  }
}

async function readJson(answer: Response, method: string, path: string): Promise<unknown> {
  try {
    return await answer.json();
  } catch {
    throw refused(method, path, 'shape');
  }
}

function refused(method: string, path: string, answer: number | 'shape' | 'tooLong'): WorldError {
  const what = `${method} ${path.split('?')[0]}`;
  return typeof answer === 'number'
    ? new WorldError('githubRefused', { what, status: answer })
    : new WorldError('githubRefused', { what, why: answer });
}
