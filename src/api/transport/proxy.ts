import { WorldError } from '../../model/error.ts';

/** The proxy for requests to an https origin. */
export interface Proxy {
  readonly isEncrypted: boolean;
  readonly host: string;
  readonly port: number;
  /** The value of `Proxy-Authorization`; a secret. */
  readonly authorization?: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for an origin, from the usual variables: `https_proxy` or `HTTPS_PROXY`, and `no_proxy`
 * or `NO_PROXY` for exceptions; lower case wins. Loopback never uses a proxy. Throws
 * `proxyUnusable` for an invalid URL, without the URL, since it may contain a password.
 */
export function proxyFor(origin: string, env: Environment): Proxy | undefined {
  const url = new URL(origin);
  if (url.protocol !== 'https:' || isLocalHost(url.hostname)) return undefined;
  const name = ['https_proxy', 'HTTPS_PROXY'].find((one) => env[one]);
  if (name === undefined || isExcepted(url, env['no_proxy'] || env['NO_PROXY'] || ''))
    return undefined;
  return parsed(env[name] ?? '', name);
}

function parsed(text: string, variable: string): Proxy {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address))
    throw new WorldError('proxyUnusable', { variable, why: 'unreadable' });
  const { protocol, hostname, port, username, password } = new URL(address);
  const isEncrypted = protocol === 'https:';
  if (!isEncrypted && protocol !== 'http:') {
    throw new WorldError('proxyUnusable', {
      variable,
      why: 'scheme',
      scheme: protocol.slice(0, -1),
    });
  }
  const pair = `${decoded(username, variable)}:${decoded(password, variable)}`;
  return {
    isEncrypted,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (isEncrypted ? 443 : 80)),
    ...(pair !== ':' && { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }),
  };
}

function decoded(text: string, variable: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new WorldError('proxyUnusable', { variable, why: 'unreadable' });
  }
}

/**
 * Whether a host is this machine, by name or address. Names below `.localhost` count here, but not
 * for `isLoopback`, which decides whether plain HTTP is allowed.
 */
export function isLocalHost(host: string): boolean {
  return /^(?:localhost|.+\.localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(host);
}

/** `*`, a host with or without port, and a domain with everything below it: `.corp` or `*.corp`. */
function isExcepted(url: URL, list: string): boolean {
  const port = url.port || '443';
  return list.split(/[\s,]+/).some((entry) => {
    const [, name = '', only] = /^(.+?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (name === '' || (only !== undefined && only !== port)) return false;
    if (name === '*') return true;
    const below = name.replace(/^\*?\./, '');
    return url.hostname === below || url.hostname.endsWith(`.${below}`);
  });
}
