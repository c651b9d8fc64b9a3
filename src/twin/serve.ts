import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { LostConnection } from './faults/replaced-answer.ts';
import type { Twin } from './twin.ts';

export interface ServedTwin {
  readonly url: string;
  /** Resolves when no connection is left; closes open ones. */
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/**
 * Serves a twin over plain HTTP on loopback; port 0 chooses a free one. Answers only requests to a
 * loopback host, so that no web page can reach it through a DNS name. At `/world` it answers with `id`, where given.
 * Rejects if the port is in use.
 */
export async function serveTwin(twin: Twin, port: number, id?: string): Promise<ServedTwin> {
  const server = createAdaptorServer({
    fetch: (request, env) => {
      const isAsked = id !== undefined && new URL(request.url).pathname === '/world';
      return isAsked ? Response.json({ id }) : answer(twin, request, env as HttpBindings);
    },
    hostname: LOOPBACK,
    overrideGlobalObjects: false,
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${bound}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

async function answer(twin: Twin, request: Request, { incoming }: HttpBindings): Promise<Response> {
  if (!isLoopback(incoming)) return new Response('unknown host', { status: 421 });
  try {
    return await twin.handle(request);
  } catch (error) {
    if (!(error instanceof LostConnection)) throw error;
    incoming.socket.destroy();
    return RESPONSE_ALREADY_SENT;
  }
}

function isLoopback({ headers, socket }: IncomingMessage): boolean {
  const names = [LOOPBACK, 'localhost'].map((name) => `${name}:${socket.localPort}`);
  return names.includes(headers.host ?? '');
}
