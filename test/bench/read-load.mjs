// Reads the devices of a fleet as a plan does (fetch, parse, check, keep) and does nothing else. `node read-load.mjs URL`
import { createClient } from '../../dist/api/client.js';
import { openTransport } from '../../dist/api/transport/transport.js';
import { capture } from '../../dist/live/capture.js';
import { resolveDialect } from '../../dist/model/fleet/dialect.js';
import { systemClock as clock } from '../../dist/shell/clock.js';

const [, , baseUrl] = process.argv;
const { transport, close } = openTransport();
const service = createClient({
  transport,
  clock,
  random: Math.random,
  baseUrl,
  organization: 'acme',
  credentials: async () => ({ clientId: 'bench', clientSecret: 'bench' }),
  dialect: resolveDialect(),
  pace: { requestsPerSecond: 100_000, tokenRequestsPerMinute: 600, pollEvery: 30_000 },
  secrets: () => undefined,
  readOnly: true,
});
const want = { sites: false, sources: false, discovered: false };
const { devices } = await capture({ service, clock, random: Math.random, want });
await close();
if (devices.length === 0) process.exitCode = 1;
