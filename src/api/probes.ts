import type { Dialect } from '../model/fleet/dialect.ts';
import type { HttpAnswer, HttpRequest } from '../model/ports.ts';
import { parseBase, keepOrigin } from './base-url.ts';
import { readOnly, type ClientOptions } from './compose.ts';
import { createLanes, pace } from './pace.ts';
import { tokenRequest } from './tokens.ts';
import { createRedactor } from './redact.ts';
import { trace } from './trace.ts';
import { toWorldError } from './transport/transport-failure.ts';

interface ProbeParts extends Pick<
  ClientOptions,
  'transport' | 'clock' | 'baseUrl' | 'credentials' | 'pace' | 'secrets' | 'trace'
> {
  readonly signal: AbortSignal;
}

/** Single requests that assume nothing about answers. Only GET, and the POST for a token, can be sent. */
export interface Probes {
  /** Returns any answer, whatever its status; throws a `WorldError` if there is none. */
  read(path: string, query: Readonly<Record<string, string>>, token: string): Promise<HttpAnswer>;
  /** The same, with the credentials instead of a token. The path is the only one that may be posted to. */
  requestToken(path: string, body: Dialect['tokenBody']): Promise<HttpAnswer>;
  /** Keeps a token out of traces. */
  learn(secret: string): void;
}

/**
 * Creates probes over a transport, at the pace of each endpoint family. Nothing is repeated. Throws
 * `baseUrlUnsafe`.
 */
export function createProbes(parts: ProbeParts): Probes {
  const { clock, credentials, signal } = parts;
  const base = parseBase(parts.baseUrl);
  const redactor = createRedactor();
  const lanes = createLanes({ clock, limits: parts.pace, base });
  const { trace: sink } = parts;
  const send = async (request: HttpRequest, tokenPath: string): Promise<HttpAnswer> => {
    const open = keepOrigin(
      sink ? trace(parts.transport, { clock, sink, redactor, tokenPath }) : parts.transport,
      base,
    );
    try {
      return await pace(readOnly(open, tokenPath), lanes)(request);
    } catch (error) {
      throw toWorldError(error, { url: request.url, isCancelled: signal.aborted });
    }
  };
  return {
    read: (path, query, token) => {
      const url = new URL(base.origin + base.prefix + path);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
      return send({ method: 'GET', url: url.href, headers, signal }, NO_POST);
    },
    requestToken: async (path, body) => {
      const url = base.origin + base.prefix + path;
      const call = { url, body, redactor, signal, secrets: parts.secrets };
      const request = tokenRequest(await credentials(signal), call);
      return send(request, new URL(url).pathname);
    },
    learn: (secret) => redactor.learn(secret),
  };
}

/** No path: a read has no POST that would be allowed. */
const NO_POST = '';
