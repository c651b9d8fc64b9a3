import type { HttpAnswer, Transport } from './ports.ts';

/** Whether a request changes nothing at the service, so that it may be sent again. */
export function isRead({ method }: { readonly method: string }): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Whether an answer has a status of success, 200 to 299. */
export function isSuccess({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

/** The body as bytes, without a copy where it was received as bytes; not to be changed. */
export function bodyBytes({ body }: HttpAnswer): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body.value));
}

/** The body as text, without a byte order mark. What is not UTF-8 becomes U+FFFD. */
export function bodyText(answer: HttpAnswer): string {
  return new TextDecoder().decode(bodyBytes(answer));
}

/** An answer with its value in place of bytes. */
type ParsedAnswer = Response & { readonly value: unknown };

/**
 * An answer with its value in place of bytes. Read as text, it is the JSON that a service sends.
 * @param value what JSON can hold, read-only; a member that is undefined is absent
 */
export function parsedAnswer(
  value: unknown,
  { status, headers }: { readonly status: number; readonly headers?: object },
): ParsedAnswer {
  const answer = new Response(null, {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return Object.assign(answer, { value, text: () => Promise.resolve(JSON.stringify(value)) });
}

/** A transport over a function like `fetch`, such as a simulator; throws what that throws. */
export function overFetch(
  handle: (request: Request) => Promise<Response | ParsedAnswer>,
): Transport {
  return async ({ url, body = null, signal, ...init }) => {
    // A request that followed a signal of the whole run would leave a listener there.
    const own = new AbortController();
    const end = (): void => own.abort(signal?.reason);
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end);
    const plain = { ...init, body, signal: own.signal, redirect: 'manual' } as const;
    try {
      const response = await handle(new Request(url, plain));
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body:
          'value' in response
            ? { value: response.value }
            : new Uint8Array(await response.arrayBuffer()),
      };
    } finally {
      signal?.removeEventListener('abort', end);
    }
  };
}
