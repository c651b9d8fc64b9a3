import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Twin } from '../../src/twin/twin.ts';
import type { Env, Place } from './blackbox.ts';
import { createAuthority } from './certificates.ts';
import { startProxy } from './connect-proxy.ts';

/** Simulators that commands reach under names of the world: behind a proxy, with certificates of a company. */
export interface FarServices {
  /** What a command needs to reach them. */
  readonly env: Env;
  close(): Promise<void>;
}

/** Serves each twin at `https://HOST`, which no name server knows. */
export async function serveFar(
  place: Place,
  twins: Readonly<Record<string, Twin>>,
): Promise<FarServices> {
  const authority = createAuthority();
  const server = createServer(
    authority.issue({ names: Object.keys(twins) }),
    (request, response) => {
      const { method = '', url = '', headers } = request;
      const { host = '', authorization = '' } = headers;
      void text(request).then(async (body) => {
        const init = { method, headers: { authorization }, ...(method === 'POST' && { body }) };
        const answer = await twins[host]?.handle(new Request(`https://${host}${url}`, init));
        response.writeHead(answer?.status ?? 421, Object.fromEntries(answer?.headers ?? []));
        response.end(await answer?.text());
      });
    },
  );
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const proxy = await startProxy((server.address() as AddressInfo).port);
  place.write('company.pem', authority.cert);
  return {
    env: {
      HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
      NODE_EXTRA_CA_CERTS: place.path('company.pem'),
    },
    close: async () => {
      await proxy.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
