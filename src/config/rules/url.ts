/** Hosts that a request does not leave the machine for. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export type UrlProblem = 'pattern' | 'scheme' | 'userInfo' | 'query' | 'fragment';

/** What is wrong with a base URL: https, plain http on loopback only, nothing but an origin and a path. */
export function urlProblem(text: string): UrlProblem | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^[a-z]+:\/\//i.test(text) || /\s/.test(text)) return 'pattern';
  if (url.username !== '' || url.password !== '' || /^\w+:\/\/[^/?#]*@/.test(text))
    return 'userInfo';
  if (text.includes('#')) return 'fragment';
  if (text.includes('?')) return 'query';
  if (url.protocol === 'https:') return undefined;
  return url.protocol === 'http:' && LOOPBACK.test(url.hostname) ? undefined : 'scheme';
}
