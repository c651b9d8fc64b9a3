import { WorldError } from '../model/error.ts';
import { TransportError, type Transport } from '../model/ports.ts';
import type { Tokens } from './tokens.ts';
import { untilAborted } from './until.ts';

/**
 * Carries the bearer token. A 401 drops the token; a read is then sent once more with a new
 * one, anything else goes back to the caller, who alone may decide about a second write.
 */
export function authorize(next: Transport, tokens: Tokens): Transport {
  return async (request) => {
    const token = await tokenFor(request, tokens);
    const response = await next(bearing(request, token));
    if (response.status !== 401) return response;
    tokens.drop(token);
    return isRead(request) ? next(bearing(request, await tokenFor(request, tokens))) : response;
  };
}

/**
 * Whoever needs no token any more does not wait for one. A write without a token never left: that is
 * said here, where nothing has been handed on yet.
 */
async function tokenFor(request: Request, tokens: Tokens): Promise<string> {
  try {
    return await untilAborted(tokens.current(), request.signal);
  } catch (error) {
    if (isRead(request) || !(error instanceof WorldError)) throw error;
    throw new TransportError('unsent', error.code, { cause: error });
  }
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The request itself, which is ours: to make another one costs as much as to send it. */
function bearing(request: Request, token: string): Request {
  request.headers.set('authorization', `Bearer ${token}`);
  return request;
}
