import type { HttpAnswer, HttpRequest } from '../../src/model/ports.ts';

/** A request as a layer passes it on. */
export function request(
  url: string,
  { method = 'GET', headers = {}, ...more }: Partial<HttpRequest> = {},
): HttpRequest {
  return { method, url, headers, ...more };
}

/** An answer as a transport gives it. */
export function answer(
  body: HttpAnswer['body'] = '',
  { status = 200, headers = {} }: Partial<HttpAnswer> = {},
): HttpAnswer {
  return { status, headers, body };
}
