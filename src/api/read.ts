import pLimit from 'p-limit';
import type { Transport } from '../model/ports.ts';
import { AT_ONCE } from '../lib/at-once.ts';
import { refusalError } from './decode/answer.ts';
import { toWorldError } from './transport/transport-failure.ts';
import type { BaseUrl } from './base-url.ts';
import { ownSignal } from './transport/until.ts';
import { REQUIRED_ROLES, endpointPath, type ServiceEndpoint } from './wire.ts';

export interface ReadTarget {
  readonly id?: string | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/**
 * Performs a GET. Returns the successful answer, or undefined on 404; throws a `WorldError` for
 * anything else.
 */
export type ServiceRead = (
  endpoint: ServiceEndpoint,
  target?: ReadTarget,
) => Promise<Response | undefined>;

export function createRead(parts: {
  readonly send: Transport;
  readonly base: BaseUrl;
  /** Aborts every read, queued ones included. */
  readonly signal?: AbortSignal | undefined;
}): ServiceRead {
  const inTurn = pLimit(AT_ONCE);
  return async (endpoint, { id, query = {} } = {}) => {
    const path = endpointPath(endpoint, id);
    const url = new URL(parts.base.origin + parts.base.prefix + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const response = await inTurn(() => answerTo(url, parts));
    if (response.status === 404) return undefined;
    if (response.ok) return response;
    throw refusalError(response, { path, needs: REQUIRED_ROLES[endpoint] });
  };
}

async function answerTo(
  url: URL,
  { send, signal }: { readonly send: Transport; readonly signal?: AbortSignal | undefined },
): Promise<Response> {
  const own = ownSignal(signal);
  try {
    return await send(
      new Request(url, {
        headers: { accept: 'application/json' },
        redirect: 'manual',
        signal: own.signal,
      }),
    );
  } catch (error) {
    throw toWorldError(error, { url: url.href, isCancelled: own.signal.aborted });
  } finally {
    own.release();
  }
}
