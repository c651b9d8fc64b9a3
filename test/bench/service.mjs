// The client that a command uses, over the network and without a pace.
import { createClient } from '../../dist/api/client.js';
import { openTransport } from '../../dist/api/transport/transport.js';
import { resolveDialect } from '../../dist/model/fleet/dialect.js';
import { systemClock as clock } from '../../dist/shell/clock.js';

export function openService(baseUrl) {
  const { transport, close } = openTransport();
  const service = createClient({
    transport,
    clock,
    random: Math.random,
    baseUrl,
    organization: 'acme',
    credentials: () => Promise.resolve({ clientId: 'bench', clientSecret: 'bench' }),
    dialect: resolveDialect(),
    pace: { requestsPerSecond: 1e9, tokenRequestsPerMinute: 600, pollEvery: 30_000 },
    secrets: () => undefined,
    readOnly: true,
  });
  return { service, close };
}
