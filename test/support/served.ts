import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service as a function. */
export type Handle = (request: Request) => Promise<Response>;

/** A service that answers over a socket of loopback, for the built command line. */
export async function serveRequests(
  handle: Handle,
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const { method = 'GET', url = '/', headers } = incoming;
      const request = new Request(`http://127.0.0.1${url}`, {
        method,
        headers: headers as Record<string, string>,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
      const answer = await handle(request);
      outgoing.writeHead(answer.status, {
        'content-type': 'application/json',
        ...Object.fromEntries(answer.headers),
      });
      outgoing.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
