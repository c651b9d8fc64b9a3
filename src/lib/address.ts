/**
 * An address as it is written, where it can be read. A parser of URLs takes `https:///x` and `https:x` for the
 * host x, which nobody wrote: an address of the web without a host in its place is none.
 */
export function readAddress(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const namesHost = /^https?:\/\/[^/\\?#\s]/i.test(text);
  return isWeb(url) && !namesHost ? undefined : url;
}

/** Whether it has an origin of its own; that of `file:` is the same for all. */
export function isWeb({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:';
}

/** A host that a request does not leave the machine for. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname);
}
