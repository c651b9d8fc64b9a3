import { isLoopback, isWeb, readAddress } from '../lib/address.ts';
import { WorldError } from '../model/error.ts';
import type { Transport } from '../model/ports.ts';

/** The base URL of the service: its origin and the prefix of all paths (empty or `/like/this`). */
export interface BaseUrl {
  readonly origin: string;
  readonly prefix: string;
}

type Unsafe = 'unreadable' | 'http' | 'notHttps' | 'userinfo' | 'query' | 'fragment' | 'origin';

/**
 * Reads the base URL: https, or http on loopback only; no user, query or fragment. Throws
 * `baseUrlUnsafe` with `why`, without the URL if it may contain a password.
 */
export function parseBase(text: string): BaseUrl {
  const url = readAddress(text) ?? refuse('unreadable', text.includes('@') ? '' : text);
  if (url.username !== '' || url.password !== '') refuse('userinfo', url.host);
  if (url.search !== '' || text.includes('?')) refuse('query', url.host);
  if (url.hash !== '' || text.includes('#')) refuse('fragment', url.host);
  if (!isWeb(url)) refuse('notHttps', url.host);
  if (url.protocol === 'http:' && !isLoopback(url)) refuse('http', url.host);
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}

/**
 * The innermost layer: refuses a request to any other origin or prefix before a byte, or a token,
 * leaves.
 */
export function keepOrigin(next: Transport, base: BaseUrl): Transport {
  return (request) => {
    const { href, host } = new URL(request.url);
    const isOurs = href.startsWith(`${base.origin}${base.prefix}/`);
    return isOurs ? next(request) : Promise.reject(unsafe('origin', host));
  };
}

function refuse(why: Unsafe, host: string): never {
  throw unsafe(why, host);
}

function unsafe(why: Unsafe, host: string): WorldError {
  return new WorldError('baseUrlUnsafe', { why, host });
}
