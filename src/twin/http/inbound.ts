import { Refusal } from '../call.ts';
import { limitFamily } from './limits.ts';
import { basicUser, bearerUser, type Issuer } from './tokens.ts';

/** A request as far as it was taken in. */
export interface Inbound {
  /** Empty where it was not read. */
  readonly body: string;
  /** It comes from nobody, and its body was left where it is. */
  readonly isUnread?: true;
  /** Why it is answered without being routed. */
  readonly refusal?: Refusal;
}

const BASE_BYTES = 1024 * 1024;
const BYTES_PER_DEVICE = 16 * 1024;

/** How large a body may be for a task of so many devices, with a payload for each. */
export function largestBody(maxDevicesPerTask: number): number {
  return BASE_BYTES + maxDevicesPerTask * BYTES_PER_DEVICE;
}

/**
 * Takes a request in: nothing of a body is read before it is known whose it is, and no more than the limit.
 * A request of nobody is routed with an empty body, and refused there for what it lacks.
 */
export async function takeIn(
  request: Request,
  issuer: Issuer,
  largest: number,
  isForToken = isTokenPath(new URL(request.url).pathname),
): Promise<Inbound> {
  const { pathname } = new URL(request.url);
  if (!isDecodable(pathname))
    return { body: '', refusal: new Refusal(400, 'the path is not UTF-8') };
  if (request.body === null) return { body: '' };
  const isKnown = await isSomebody(isForToken, request.headers.get('authorization') ?? '', issuer);
  const body = isKnown ? await textOf(request.body, largest) : undefined;
  if (body !== undefined) return { body };
  if (!isKnown) return { body: '', isUnread: true };
  const reason = `the body is larger than ${largest} bytes`;
  return { body: '', refusal: new Refusal(413, reason, { Connection: 'close' }) };
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function isTokenPath(path: string): boolean {
  return limitFamily(path) === 'auth';
}

async function isSomebody(
  isForToken: boolean,
  authorization: string,
  issuer: Issuer,
): Promise<boolean> {
  if (isForToken) return basicUser(issuer.state, authorization) !== undefined;
  return bearerUser(issuer, authorization).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal) return false;
      throw error;
    },
  );
}

/** Undefined where there is more than the limit; the rest is then left unread. */
async function textOf(
  body: ReadableStream<Uint8Array>,
  largest: number,
): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > largest) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
