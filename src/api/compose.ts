import { type TokenParts, type Tokens, createTokens } from './tokens.ts';
import { isRead } from '../model/http.ts';
import {
  type HttpRequest,
  type SharedLanes,
  type Transport,
  TransportError,
} from '../model/ports.ts';
import { type BaseUrl, keepOrigin } from './base-url.ts';
import { createLanes, type Lanes, noticing, pace, type RequestPace } from './pace.ts';
import type { Redactor } from './redact.ts';
import { type RetryParts, retry, retryAll } from './retry.ts';
import { trace } from './trace.ts';
import { pathSegments, requestFamily, tokenEndpointPath } from './wire.ts';
import { WorldError } from '../model/error.ts';
import type { RequestCounts } from '../model/ledger/run-requests.ts';

export interface ClientOptions
  extends
    RetryParts,
    Pick<TokenParts, 'organization' | 'credentials' | 'dialect' | 'secrets' | 'hurry'> {
  readonly transport: Transport;
  /** The base URL: https, or http on loopback; may have a path. */
  readonly baseUrl: string;
  readonly pace: RequestPace;
  /** The queues of other clients, where several keep to one pace at a service. */
  readonly lanes?: SharedLanes | undefined;
  /** Receives one JSON line per request, without secrets. */
  readonly trace?: ((line: string) => void) | undefined;
  /** Refuses everything but reads. */
  readonly readOnly?: boolean | undefined;
  /** Aborts every read; a write is never cut off. */
  readonly signal?: AbortSignal | undefined;
}

interface ServiceParts extends Omit<ClientOptions, 'baseUrl' | 'signal'> {
  readonly base: BaseUrl;
  readonly redactor: Redactor;
}

export interface Composed {
  /** For reads. */
  readonly send: Transport;
  /** For the one write, which waits in `lanes` itself since it may be too late by then. */
  readonly post: Transport;
  readonly lanes: Lanes;
  readonly tokens: Tokens;
  /** The requests that have left so far. */
  readonly requests: () => RequestCounts;
}

/**
 * The layers around a transport. A request for data passes, outermost first:
 * retry, authorize, pace, readOnly, keepOrigin, trace, transport.
 * A request for a token passes: retryAll, pace, readOnly, keepOrigin, trace, transport.
 * A task POST passes: authorize, readOnly, keepOrigin, trace, transport.
 */
export function compose(parts: ServiceParts): Composed {
  const { clock, base, dialect, organization, credentials, redactor } = parts;
  const tokenPath = base.prefix + tokenEndpointPath(dialect, organization);

  const lanes = createLanes({ clock, limits: parts.pace, base, shared: parts.lanes });
  const meter = createMeter(base);
  const counted = meter.counted(parts.transport);
  const { trace: sink } = parts;
  const kept = keepOrigin(
    sink ? trace(counted, { clock, sink, redactor, tokenPath }) : counted,
    base,
  );
  const open = parts.readOnly ? readOnly(kept, tokenPath) : kept;
  const wire = pace(open, lanes);
  const tokens = createTokens({
    send: retryAll(wire, parts),
    clock,
    url: base.origin + tokenPath,
    organization,
    credentials,
    dialect,
    redactor,
    secrets: parts.secrets,
    hurry: parts.hurry,
  });
  return {
    send: retry(authorize(wire, tokens), parts),
    post: authorize(noticing(open, lanes), tokens),
    lanes,
    tokens,
    requests: meter.counts,
  };
}

/**
 * Adds the bearer token. A 401 drops the token; a read is then sent once more with a new one, and
 * any other answer goes to the caller, who alone decides about a second write.
 */
function authorize(next: Transport, tokens: Tokens): Transport {
  return async (request) => {
    const token = await tokenFor(request, tokens);
    const answer = await next(bearing(request, token));
    if (answer.status !== 401) return answer;
    tokens.drop(token);
    return isRead(request) ? next(bearing(request, await tokenFor(request, tokens))) : answer;
  };
}

/** A write without a token is reported as unsent here, before anything is passed on. */
async function tokenFor(request: HttpRequest, tokens: Tokens): Promise<string> {
  try {
    return await tokens.current();
  } catch (error) {
    if (isRead(request) || !(error instanceof WorldError)) throw error;
    throw new TransportError('unsent', error.code, { cause: error });
  }
}

function bearing(request: HttpRequest, token: string): HttpRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

/** Allows only reads and the token request, so that planning cannot change anything. */
export function readOnly(next: Transport, tokenPath: string): Transport {
  return (request) => {
    const { method, url } = request;
    if (method === 'GET') return next(request);
    const { pathname } = new URL(url);
    if (method === 'POST' && pathname === tokenPath) return next(request);
    return Promise.reject(new WorldError('writeRefused', { method, path: pathname }));
  };
}

/** Counts requests below a base URL as they leave, each try of its own. */
export function createMeter(base: BaseUrl) {
  const counts = { tokens: 0, lists: 0, devices: 0, details: 0, polls: 0, tasks: 0 };
  return {
    counted(next: Transport): Transport {
      return (request) => {
        counts[countedAs(request, base)] += 1;
        return next(request);
      };
    },
    counts: (): RequestCounts => ({ ...counts }),
  };
}

function countedAs(request: HttpRequest, base: BaseUrl): keyof RequestCounts {
  const { method } = request;
  const path = pathSegments(request, base);
  const family = requestFamily(path);
  const isOne = path.length > 2;
  if (family === 'token') return 'tokens';
  if (family === 'deviceReads') return 'details';
  if (family === 'tasks') return method === 'POST' ? 'tasks' : 'polls';
  return family === 'devices' && isOne ? 'devices' : 'lists';
}
