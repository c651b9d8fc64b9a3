import pLimit from 'p-limit';
import { isSuccess } from '../model/http.ts';
import type { HttpAnswer, Transport } from '../model/ports.ts';
import { AT_ONCE } from '../lib/at-once.ts';
import { refusalError } from './decode/answer.ts';
import { toWorldError } from './transport/transport-failure.ts';
import type { BaseUrl } from './base-url.ts';
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
) => Promise<HttpAnswer | undefined>;

export function createRead(parts: {
  readonly send: Transport;
  readonly base: BaseUrl;
  /** Aborts every read, queued ones included. */
  readonly signal?: AbortSignal | undefined;
}): ServiceRead {
  const inTurn = pLimit(AT_ONCE);
  return async (endpoint, { id, query = {} } = {}) => {
    const path = endpointPath(endpoint, id);
    const search = new URLSearchParams(query).toString();
    const url = parts.base.origin + parts.base.prefix + path + (search && `?${search}`);
    const { send, signal } = parts;
    const headers = { accept: 'application/json' };
    const answer = await inTurn(() => send({ method: 'GET', url, headers, signal })).catch(
      (error: unknown) => {
        throw toWorldError(error, { url, isCancelled: signal?.aborted === true });
      },
    );
    if (answer.status === 404) return undefined;
    if (isSuccess(answer)) return answer;
    throw refusalError(answer, { path, needs: REQUIRED_ROLES[endpoint] });
  };
}
