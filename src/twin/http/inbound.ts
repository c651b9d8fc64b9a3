import { Refusal } from '../call.ts';
import { currentIssuer, type RouteContext } from './routes.ts';
import { limitFamily } from './request-limits.ts';
import { basicUser, bearerUser, type Issuer } from './tokens.ts';

/** A request after its body was read, as far as it was. */
export interface Inbound {
  /** Empty if it was not read. */
  readonly body: string;
  /** Set for an unauthorized request, whose body was not read. */
  readonly isUnread?: true;
  /** The refusal to answer with, without routing the request. */
  readonly refusal?: Refusal;
}

const BASE_BYTES = 1024 * 1024;
const BYTES_PER_DEVICE = 16 * 1024;

/**
 * Reads a request: the body is read only for an authorized user, and never beyond the limit, which is that of a task of
 * the most devices with a payload for each. An unauthorized request continues with an empty body and is refused by its
 * route.
 */
export async function takeIn(
  request: Request,
  service: RouteContext,
  isForToken = limitFamily(new URL(request.url).pathname) === 'auth',
): Promise<Inbound> {
  const { pathname } = new URL(request.url);
  if (!isDecodable(pathname))
    return { body: '', refusal: new Refusal(400, 'the path is not UTF-8') };
  if (request.body === null) return { body: '' };
  const issuer = currentIssuer(service);
  const isKnown = await isSomebody(isForToken, request.headers.get('authorization') ?? '', issuer);
  const largest = BASE_BYTES + service.manners.maxDevicesPerTask * BYTES_PER_DEVICE;
  const body = isKnown ? await readText(request.body, largest) : undefined;
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

/** Undefined if the body exceeds the limit; the rest is then not read. */
async function readText(
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
