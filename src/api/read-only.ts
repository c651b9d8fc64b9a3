import { WorldError } from '../model/error.ts';
import type { Transport } from '../model/ports.ts';

/**
 * Lets nothing out but reads and the request for a token: what plans cannot change anything,
 * whoever calls it.
 */
export function readOnly(next: Transport, tokenPath: string): Transport {
  return (request) => {
    const { pathname } = new URL(request.url);
    const { method } = request;
    if (method === 'GET' || (method === 'POST' && pathname === tokenPath)) return next(request);
    return Promise.reject(new WorldError('writeRefused', { method, path: pathname }));
  };
}
