import { objectsIn } from '../lib/objects.ts';
import { WorldError } from '../model/error.ts';
import { bodyText, isSuccess } from '../model/http.ts';
import { TransportError, type Clock, type HttpAnswer, type Transport } from '../model/ports.ts';

/** The REST interface of one repository, as a job with a token sees it. Paths are relative to it. */
export interface ForgeClient {
  /** All rows of a list, from all pages, without what is no object. Throws `refused` beyond `MAX_PAGES`. */
  list(path: string): Promise<ReturnType<typeof objectsIn>>;
  /** A single object. */
  get(path: string): Promise<unknown>;
  /** The text of a file; undefined if there is none. */
  download(path: string): Promise<string | undefined>;
  /** Sends one change and returns the answer, if any. It is not repeated; the caller reads again. */
  send(method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown>;
}

/** The line of a job to its forge. */
export interface ForgeLine {
  readonly transport: Transport;
  readonly clock: Pick<Clock, 'sleep'>;
}

export interface ClientParts extends ForgeLine {
  /** The URL that paths are relative to. */
  readonly root: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The forge in messages, such as `GitHub`. */
  readonly name: string;
}

const PER_PAGE = 100;
const MAX_PAGES = 100;
const TRIES = 3;

/** The longest delay that is accepted from a server: a job pays for it. */
const LONGEST_WAIT = 120_000;

/**
 * Opens a repository. Reads are repeated if the server is busy, and so is a change that it did not
 * accept for its rate (429). An error has only the status of an answer, never its text.
 */
export function openClient(parts: ClientParts): ForgeClient {
  const { root } = parts;
  return {
    async list(path) {
      const rows: Readonly<Record<string, unknown>>[] = [];
      for (let page = 1; page <= MAX_PAGES; page++) {
        const mark = path.includes('?') ? '&' : '?';
        const url = `${root}/${path}${mark}per_page=${PER_PAGE}&page=${page}`;
        const { answer, value } = await read(url, parts);
        if (!Array.isArray(value)) throw refusal(parts, 'GET', url, 'shape');
        rows.push(...objectsIn(value));
        // Without the header of the next page, a page that is not full is the last.
        const next = answer.headers['x-next-page'];
        if (next === undefined ? value.length < PER_PAGE : next === '') return rows;
      }
      throw refusal(parts, 'GET', `${root}/${path}`, 'tooLong');
    },
    get: async (path) => (await read(`${root}/${path}`, parts)).value,
    async download(path) {
      const answer = await orMissing(ask('GET', `${root}/${path}`, parts));
      return answer && bodyText(answer);
    },
    async send(method, path, body) {
      const answer = await ask(method, `${root}/${path}`, parts, body);
      return answer.status === 204 ? undefined : readJson(answer, parts, method, `${root}/${path}`);
    },
  };
}

/** Undefined where the forge knows no such object, or answers so; throws every other refusal. */
export async function orMissing<T>(
  answer: Promise<T>,
  ...missing: readonly number[]
): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    const status = error instanceof WorldError ? error.params['status'] : undefined;
    if ([404, ...missing].some((each) => each === status)) return undefined;
    throw error;
  }
}

async function read(
  url: string,
  parts: ClientParts,
): Promise<{ readonly answer: HttpAnswer; readonly value: unknown }> {
  const answer = await ask('GET', url, parts);
  return { answer, value: readJson(answer, parts, 'GET', url) };
}

/**
 * What a request is answered with if it succeeds, or one after it where the server was too busy for it: a change is
 * repeated only where it was not accepted for its rate. Throws `forgeRefused` and `forgeUnreachable`.
 */
async function ask(
  method: string,
  url: string,
  parts: ClientParts,
  body?: object,
): Promise<HttpAnswer> {
  const headers = {
    'user-agent': 'fleetform',
    ...parts.headers,
    ...(body && { 'content-type': 'application/json' }),
  };
  const request = { method, url, headers, ...(body && { body: JSON.stringify(body) }) };
  for (let tried = 1; ; tried++) {
    const answer = await parts.transport(request).catch((cause: unknown) => {
      if (!(cause instanceof TransportError)) throw cause;
      const { code } = cause;
      throw new WorldError('forgeUnreachable', { forge: parts.name, cause: code }, { cause });
    });
    if (isSuccess(answer)) return answer;
    const isBusy = isLimited(answer) || (method === 'GET' && answer.status >= 500);
    if (!isBusy || tried >= TRIES) throw refusal(parts, method, url, answer);
    await parts.clock.sleep(requestedDelay(answer) ?? tried * 2_000);
  }
}

/** Whether an answer is about the rate of requests. GitHub also says so with 403. */
function isLimited({ status, headers }: HttpAnswer): boolean {
  const isSaid = headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0';
  return status === 429 || (status === 403 && isSaid);
}

/** The delay in seconds that the server asks for. */
function requestedDelay({ headers }: HttpAnswer): number | undefined {
  const text = headers['retry-after'] ?? '';
  return /^\d{1,9}$/.test(text)
    ? Math.min(LONGEST_WAIT, Math.max(1, Number(text)) * 1_000)
    : undefined;
}

function readJson(answer: HttpAnswer, parts: ClientParts, method: string, url: string): unknown {
  try {
    return JSON.parse(bodyText(answer));
  } catch {
    throw refusal(parts, method, url, 'shape');
  }
}

function refusal(
  { name: forge }: ClientParts,
  method: string,
  url: string,
  answer: HttpAnswer | 'shape' | 'tooLong',
): WorldError {
  const what = `${method} ${new URL(url).pathname}`;
  if (typeof answer === 'string')
    return new WorldError('forgeRefused', { forge, what, why: answer });
  const { status } = answer;
  if (!isLimited(answer) && status < 500)
    return new WorldError('forgeRefused', { forge, what, status });
  return new WorldError('forgeUnreachable', { forge, what, status });
}
