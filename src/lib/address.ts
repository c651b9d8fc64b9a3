/**
 * Reads an address. Returns undefined for text that is not a URL, and for `https:///x` and
 * `https:x`: a URL parser would use x as the host, although the text contains no host.
 */
export function readAddress(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const namesHost = /^https?:\/\/[^/\\?#\s]/i.test(text);
  return isWeb(url) && !namesHost ? undefined : url;
}

/** Whether the URL has an origin of its own; all `file:` URLs share one. */
export function isWeb({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:';
}

/** Whether the host is this machine, so that a request never leaves it. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname);
}
