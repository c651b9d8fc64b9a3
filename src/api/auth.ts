import type { Transport } from '../model/ports.ts';
import type { Tokens } from './tokens.ts';

/**
 * Carries the bearer token. A 401 drops the token; a read is then sent once more with a new
 * one, anything else goes back to the caller, who alone may decide about a second write.
 */
export function authorize(next: Transport, tokens: Tokens): Transport {
  return async (request) => {
    const token = await tokens.current();
    const response = await next(bearing(request, token));
    if (response.status !== 401) return response;
    tokens.drop(token);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    return isRead ? next(bearing(request, await tokens.current())) : response;
  };
}

/** The request itself, which is ours: to make another one costs as much as to send it. */
function bearing(request: Request, token: string): Request {
  request.headers.set('authorization', `Bearer ${token}`);
  return request;
}
